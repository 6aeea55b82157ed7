/** An empty start on purpose: what an environment kept goes into a folder of its own, undeleted. */
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

/** Where former files are kept, and which ones. */
export interface Aside {
  readonly folder: string;
  readonly names: readonly string[];
}

/** Whether SQLite can read a database and finds nothing wrong with it. */
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

/** Whether the directory alone is lost: accounts, keys, money and jobs need no empty start then. */
const isOnlyDirectoryLost = (folder: string): boolean =>
  findLoss(folder, 'engine.db') === null &&
  isWhole(() => openStoreReadable(folder)) &&
  (findLoss(folder, 'directory.db') !== null || !isWhole(() => openDirectoryReadable(folder)));

/** Moves files into a new folder in theirs; null where there are none. */
function setAside(folder: string, isMoved: (name: string) => boolean): Aside | null {
  // engine.db goes first: a kill before the end leaves a folder that is refused, not a wrong one.
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
 * Starts an environment empty, and keeps what it had in a new folder in its own. Where its
 * directory alone is missing, empty or damaged, that alone starts empty. The caller owns the
 * folder's lock. Answers what is kept; null where there was nothing.
 */
export function startEmpty(folder: string): Aside | null {
  createPrivateFolder(folder);
  const isMoved = isOnlyDirectoryLost(folder)
    ? (name: string) => directoryNames.test(name)
    : (name: string) => keptNames.test(name) || passingNames.test(name);
  const aside = setAside(folder, isMoved);
  // New databases say that what else is in the folder was not lost with the old ones.
  openDirectory(folder).close();
  openStore(folder).close();
  return aside;
}
