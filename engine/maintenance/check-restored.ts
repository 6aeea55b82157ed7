/** Opens the databases of an unpacked backup as an engine would: hashes do not show damage. */
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { openDirectory } from '../directory/open-directory.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { findDamage } from '../platform/sqlite/find-damage.ts';
import { openReadable, type WritableDatabase } from '../platform/sqlite/open-database.ts';
import { openStore } from '../platform/sqlite/open-store.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import type { Manifest } from './backup-manifest.ts';

/** A backup whose files are as its manifest says, and which no engine could open all the same. */
export class DamagedBackup extends Error {}

const shownMax = 3;

/** Finds pages and indexes that contradict each other, before anything is written to the file. */
function checkPages(path: string, schema: number): void {
  const database = openReadable(path);
  try {
    const found = findDamage(database, 'integrity_check');
    if (found.length > 0) throw new Error(found.join('; '));
    const version = database.pragma('user_version', { simple: true });
    if (version === schema && schema > 0) return;
    throw new Error(`its schema is ${version} where the manifest says ${schema}`);
  } finally {
    database.close();
  }
}

/** Brings a database up to date, as the next start would, and looks for what breaks its rules. */
function openAsEngine(
  open: () => WritableDatabase,
  findViolations: (database: WritableDatabase) => string[],
): void {
  const database = open();
  try {
    const found = findViolations(database);
    if (found.length > 0) throw new Error(found.slice(0, shownMax).join('; '));
  } finally {
    database.close();
  }
}

function check(file: DatabaseFile, work: () => void): void {
  try {
    work();
  } catch (error) {
    const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
    // A full disk says nothing of the backup.
    if (refusal && refusal.code !== 'database_damaged') throw refusal;
    const why = (error as Error).message;
    throw new DamagedBackup(`${file} is damaged in this backup (${why}).`, { cause: error });
  }
}

/**
 * Throws DamagedBackup where a database of an unpacked backup is damaged, is not of the manifest's
 * schema, cannot be brought up to date, or has a ledger that does not add up; EngineError where the
 * disk refuses the check.
 */
export function checkRestored(folder: string, manifest: Manifest): void {
  check('engine.db', () => {
    checkPages(join(folder, 'engine.db'), manifest.store_schema);
    openAsEngine(() => openStore(folder), verifyLedger);
  });
  check('directory.db', () => {
    checkPages(join(folder, 'directory.db'), manifest.directory_schema);
    openAsEngine(
      () => openDirectory(folder),
      () => [],
    );
  });
}
