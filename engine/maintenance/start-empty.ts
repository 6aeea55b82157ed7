// Starts an environment empty on purpose: its former files are kept in another folder.
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { openDirectory, openDirectoryReadable } from '../directory/open-directory.ts';
import { asidePrefix, directoryNames, keptNames, passingNames } from '../platform/data-files.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { findDamage } from '../platform/sqlite/find-damage.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { openStore, openStoreReadable } from '../platform/sqlite/open-store.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { findLoss } from './check-databases.ts';

export interface Aside {
  readonly folder: string;
  readonly names: readonly string[];
}

function isWhole(open: () => ReadableDatabase): boolean {
  try {
    const database = open();
    try {
      return findDamage(database, 'quick_check').length === 0;
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/** Whether only the directory is lost, so that accounts, keys, money and jobs can be kept. */
const isOnlyDirectoryLost = (folder: string): boolean =>
  findLoss(folder, 'engine.db') === null &&
  isWhole(() => openStoreReadable(folder)) &&
  (findLoss(folder, 'directory.db') !== null || !isWhole(() => openDirectoryReadable(folder)));

/** Moves files to a new subfolder; null if there are none. */
function setAside(folder: string, isMoved: (name: string) => boolean): Aside | null {
  // engine.db first: a kill before the end leaves a folder that is refused, not a wrong one.
  const names = readdirSync(folder)
    .filter(isMoved)
    .sort((a, b) => Number(b.startsWith('engine.db')) - Number(a.startsWith('engine.db')));
  if (names.length === 0) return null;
  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const target = join(folder, `${asidePrefix}${stamp}`);
  createPrivateFolder(target);
  for (const name of names) renameSync(join(folder, name), join(target, name));
  syncFolder(target);
  syncFolder(folder);
  return { folder: target, names };
}

/**
 * Starts an environment empty, and keeps its former files in a new subfolder. If only its directory
 * is missing, empty or damaged, only that starts empty. The caller must own the folder's lock.
 * Returns what is kept; null if there was nothing.
 */
export function startEmpty(folder: string): Aside | null {
  createPrivateFolder(folder);
  const isMoved = isOnlyDirectoryLost(folder)
    ? (name: string) => directoryNames.test(name)
    : (name: string) => keptNames.test(name) || passingNames.test(name);
  const aside = setAside(folder, isMoved);
  // New databases, so that the remaining files are not taken for traces of lost ones.
  openDirectory(folder).close();
  openStore(folder).close();
  return aside;
}
