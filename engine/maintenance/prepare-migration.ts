// Makes a backup before the databases of an older version are migrated.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EnvironmentName } from '../contract/ids.ts';
import type { BackupReport } from '../contract/maintenance.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import { migrationsDir } from '../platform/paths.ts';
import { newestVersion, requireKnownVersion } from '../platform/sqlite/migrate.ts';
import { openReadable } from '../platform/sqlite/open-database.ts';
import { keepAutomaticBackup } from './automatic-backups.ts';
import { findLoss } from './check-databases.ts';
import { closedSource, hasLog } from './closed-source.ts';

export type MigrationDirs = Readonly<Record<DatabaseFile, string>>;

const ownMigrations = (): MigrationDirs => ({
  'engine.db': migrationsDir('store'),
  'directory.db': migrationsDir('directory'),
});

const header = 'SQLite format 3\0';
/** Where the header of a database file has the schema version, as a 32-bit number. */
const versionOffset = 60;

/** The version in the header of a file, read without SQLite, which could change the file. */
function readHeaderVersion(path: string): number | null {
  const bytes = Buffer.alloc(versionOffset + 4);
  const file = openSync(path, 'r');
  try {
    readSync(file, bytes, 0, bytes.length, 0);
  } finally {
    closeSync(file);
  }
  return bytes.toString('latin1', 0, header.length) === header
    ? bytes.readInt32BE(versionOffset)
    : null;
}

/**
 * The schema version of a database file; null if there is none, or if it is not a database. After a
 * crash, the log may have a newer version than the file.
 */
function readVersion(path: string): number | null {
  if (!existsSync(path) || !statSync(path).isFile()) return null;
  if (!hasLog(path)) return readHeaderVersion(path);
  try {
    const database = openReadable(path);
    try {
      return database.pragma('user_version', { simple: true }) as number;
    } finally {
      database.close();
    }
  } catch {
    // Opening it for writing reports what is wrong.
    return null;
  }
}

/**
 * The schema versions of the databases of a folder; null for one that is missing or not a database.
 * Throws `database_too_new` if one is from a newer version.
 */
export function readKnownVersions(
  folder: string,
  dirs: MigrationDirs = ownMigrations(),
): Record<DatabaseFile, number | null> {
  const read = (file: DatabaseFile): number | null => {
    const path = join(folder, file);
    const version = readVersion(path);
    return version === null ? null : requireKnownVersion(version, path, dirs[file]);
  };
  return { 'engine.db': read('engine.db'), 'directory.db': read('directory.db') };
}

/**
 * Makes a backup of an environment if one of its databases must be migrated. Call it before any
 * file is opened for writing, with the folder's lock. Throws `database_too_new` if either database
 * is from a newer version, `database_damaged`, and `read_only` if there is no space for the backup:
 * both databases are unchanged then.
 * @returns the backup; null if no migration is needed
 */
export async function backUpBeforeMigration(
  name: EnvironmentName,
  folder: string,
  dirs: MigrationDirs = ownMigrations(),
): Promise<BackupReport | null> {
  const files = Object.keys(dirs) as DatabaseFile[];
  const versions = readKnownVersions(folder, dirs);
  const outdated = files.filter((file) => {
    const version = versions[file];
    // Version 0 is a new file, or one of another program.
    return version !== null && version > 0 && version < newestVersion(dirs[file]);
  });
  // A lost directory is refused, or created, by what opens it.
  if (outdated.length === 0 || files.some((file) => findLoss(folder, file) !== null)) return null;
  return keepAutomaticBackup(closedSource(name, folder), 'migration');
}
