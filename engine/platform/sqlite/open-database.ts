// Opens SQLite with WAL and foreign keys; types prevent writing with a read connection.
import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from '../../contract/errors.ts';
import { createPrivateFile } from '../private-files.ts';
import { findOtherTables } from './find-schema-faults.ts';
import { migrate, readKnownVersion } from './migrate.ts';
import { findSystemRefusal } from './system-refusal.ts';

export type ReadableDatabase = Database.Database & { readonly __reads?: true };
/** The only writing connection of a file. */
export type WritableDatabase = ReadableDatabase & { readonly __writes: true };

export interface OpenOptions {
  /** FULL if a lost transaction means lost money, NORMAL if the content can be recreated. */
  readonly synchronous: 'FULL' | 'NORMAL';
  readonly migrationsDir: string;
}

/**
 * Refuses a file of a newer version that has a log from a crash. Opened read-only, because a
 * writing connection would merge the log into the file when it closes.
 */
function assertLogKnown(path: string, migrationsDir: string): void {
  if (!existsSync(`${path}-wal`)) return;
  const crashed = openReadable(path);
  try {
    readKnownVersion(crashed, migrationsDir);
  } finally {
    crashed.close();
  }
}

/** Throws `database_other_version` if the tables are not those of this version. */
function requireOwnTables(database: WritableDatabase, path: string, migrationsDir: string): void {
  const others = findOtherTables(database, migrationsDir);
  if (others.length === 0) return;
  throw new EngineError(
    'database_other_version',
    `${basename(path)} in ${dirname(path)} was written by another version of Enrichment Desk, ` +
      `which this version cannot read (${others.join(', ')}). It was not changed. Open the ` +
      'folder with that version, restore a backup of this version (desk restore FILE), or move ' +
      'the folder away to start empty.',
  );
}

/** Bytes that a write-ahead log keeps, twice those between two checkpoints. */
const logBytesMax = 64 * 1024 ** 2;

function openFile(path: string, options: OpenOptions): WritableDatabase {
  createPrivateFile(path);
  assertLogKnown(path, options.migrationsDir);
  const database = new Database(path) as unknown as WritableDatabase;
  try {
    // Must be first: changing the journal mode already writes to the file.
    const version = readKnownVersion(database, options.migrationsDir);
    if (version > 0) requireOwnTables(database, path, options.migrationsDir);
    database.pragma('page_size = 8192');
    // Before the first table: a file that has tables keeps its mode.
    database.pragma('auto_vacuum = INCREMENTAL');
    database.pragma('journal_mode = WAL');
    // In WAL mode SQLite silently uses NORMAL by default, so it must be set on each connection.
    database.pragma(`synchronous = ${options.synchronous}`);
    // 32 MB in pages of 8 KiB: every checkpoint syncs both files, and a job writes many pages.
    database.pragma('wal_autocheckpoint = 4000');
    // The log grows in a large transaction, and while a reader uses an older state. The first
    // commit after the next checkpoint cuts it.
    database.pragma(`journal_size_limit = ${logBytesMax}`);
    database.pragma('foreign_keys = ON');
    database.pragma('busy_timeout = 10000');
    database.pragma('cache_size = -32000');
    database.pragma('temp_store = MEMORY');
    migrate(database, options.migrationsDir);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite only reports that it cannot open a file; the operating system reports why. */
function findReason(path: string): unknown {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}

/** A schema that does not match its version was not written by this product. */
function explainOpening(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code?.startsWith('SQLITE_CANTOPEN') ? findReason(path) : null;
  const refusal = findSystemRefusal(reason ?? error, path);
  if (refusal) return refusal;
  if (!/^(SQLITE_(ERROR|CONSTRAINT|MISMATCH)|EISDIR)/.test(code ?? '')) return error;
  return new EngineError(
    'database_damaged',
    `${basename(path)} in ${dirname(path)} is not a database of Enrichment Desk (${message}). ` +
      'Restore a backup: desk restore FILE.',
    { cause: error },
  );
}

/**
 * Opens or creates (with mode 0600) a file for writing and migrates its schema. Throws EngineError
 * if the file is from a newer or another version, which leaves it unchanged; also if it is damaged,
 * or the file system refuses access.
 */
export function openWritable(path: string, options: OpenOptions): WritableDatabase {
  try {
    return openFile(path, options);
  } catch (error) {
    throw explainOpening(error, path);
  }
}

/** The maximum of SQLite. Mapped pages are in the system's cache, not the engine's memory. */
export const mappedBytesMax = 2_147_418_112;

export function openReadable(path: string): ReadableDatabase {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  database.pragma('busy_timeout = 10000');
  // A small cache: readers scan once, or use pages in the operating system's cache.
  database.pragma('cache_size = -4000');
  database.pragma('temp_store = MEMORY');
  return database as ReadableDatabase;
}

/**
 * Empties the write-ahead log after a large transaction, because the next commit may be days away.
 * Waits for readers of an older state, at most as long as for a lock. A log that cannot be emptied
 * is cut by the next commit, and is no reason to fail.
 */
export function emptyLog(database: WritableDatabase): void {
  try {
    database.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    console.error(`the log of ${basename(database.name)} could not be emptied`, error);
  }
}

export function attach(database: ReadableDatabase, path: string, name: 'directory' | 'live'): void {
  database.prepare(`ATTACH DATABASE ? AS ${name}`).run(path);
}
