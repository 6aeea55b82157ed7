// Decides whether a damaged folder can be opened for reading.
import { EngineError } from '../../contract/errors.ts';
import { openDirectoryReadable, readGeneration } from '../../directory/open-directory.ts';
import { migrationsDir } from '../../platform/paths.ts';
import { newestVersion } from '../../platform/sqlite/migrate.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { openStoreReadable } from '../../platform/sqlite/open-store.ts';

const isCurrent = (database: ReadableDatabase, schema: 'store' | 'directory'): boolean =>
  database.pragma('user_version', { simple: true }) === newestVersion(migrationsDir(schema));

/** Reads something from a database; false if that is not possible. */
function canRead(open: () => ReadableDatabase, read: (database: ReadableDatabase) => boolean) {
  try {
    const database = open();
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

/**
 * Whether an error is damage of a database, while the accounts and the directory can be read. Both
 * databases must have the schema of this version.
 */
export const isReadableDamage = (error: unknown, folder: string): error is EngineError =>
  error instanceof EngineError &&
  error.code === 'database_damaged' &&
  canRead(
    () => openStoreReadable(folder),
    (store) =>
      isCurrent(store, 'store') &&
      Number(store.prepare('SELECT count(*) FROM account').pluck().get()) > 0,
  ) &&
  canRead(
    () => openDirectoryReadable(folder),
    (directory) => isCurrent(directory, 'directory') && readGeneration(directory) >= 0,
  );
