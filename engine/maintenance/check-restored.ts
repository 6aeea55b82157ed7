/**
 * Opens the databases of an unpacked backup like an engine, because hashes do not detect damage
 * from before the backup.
 */
import { join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { openDirectory } from '../directory/open-directory.ts';
import { verifyLedger } from '../ledger/ledger.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { migrationsDir } from '../platform/paths.ts';
import { findDamage } from '../platform/sqlite/find-damage.ts';
import { findSchemaFaults } from '../platform/sqlite/find-schema-faults.ts';
import { openReadable, type WritableDatabase } from '../platform/sqlite/open-database.ts';
import { openStore } from '../platform/sqlite/open-store.ts';
import { findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import type { Manifest } from './backup-manifest.ts';
import { countRows } from './check-copies.ts';

/** A backup whose files match its manifest, but that no engine can open. */
export class DamagedBackup extends Error {}

const shownMax = 3;

/** Finds damaged pages, indexes and lost rows before anything is written to the file. */
function checkPages(folder: string, file: DatabaseFile, manifest: Manifest): void {
  const path = join(folder, file);
  const schema = file === 'engine.db' ? manifest.store_schema : manifest.directory_schema;
  const database = openReadable(path);
  try {
    const version = database.pragma('user_version', { simple: true });
    if (version !== schema || schema === 0)
      throw new Error(`its schema is ${version} instead of the ${schema} in the manifest`);
    // Before anything is read from its tables: a planted view may never end.
    const faults = findSchemaFaults(
      database,
      migrationsDir(file === 'engine.db' ? 'store' : 'directory'),
    );
    if (faults.length > 0) throw new Error(faults.join('; '));
    const found = findDamage(database, 'integrity_check');
    if (found.length > 0) throw new Error(found.join('; '));
    for (const [table, rows] of Object.entries(countRows(database, file)))
      if (rows !== manifest.counts[table])
        throw new Error(`${table} has ${rows} rows instead of ${manifest.counts[table]}`);
  } finally {
    database.close();
  }
}

/** Migrates a database like the next start would, and checks its rules. */
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
    // A full disk is not a problem of the backup.
    if (refusal && refusal.code !== 'database_damaged') throw refusal;
    const why = (error as Error).message;
    throw new DamagedBackup(`${file} is damaged in this backup (${why}).`, { cause: error });
  }
}

/**
 * Throws DamagedBackup if a database of an unpacked backup is damaged, does not have the schema of
 * the manifest or of the product, cannot be migrated, or has an inconsistent ledger; EngineError
 * if the file system prevents the check.
 */
export function checkRestored(folder: string, manifest: Manifest): void {
  check('engine.db', () => {
    checkPages(folder, 'engine.db', manifest);
    openAsEngine(() => openStore(folder), verifyLedger);
  });
  check('directory.db', () => {
    checkPages(folder, 'directory.db', manifest);
    openAsEngine(
      () => openDirectory(folder),
      () => [],
    );
  });
}
