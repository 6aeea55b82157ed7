// Opens SQLite files the one way this product does: WAL, foreign keys, brands that keep readers
// from writing.
import { accessSync, constants, existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from '../../contract/errors.ts';
import { createPrivateFile } from '../private-files.ts';
import { migrate, readKnownVersion } from './migrate.ts';
import { findSystemRefusal } from './system-refusal.ts';

/** A connection that only reads. */
export type ReadableDatabase = Database.Database & { readonly __reads?: true };
/** The one connection of a file that writes. */
export type WritableDatabase = ReadableDatabase & { readonly __writes: true };

/** How a file is opened for writing. */
export interface OpenOptions {
  /** FULL where a lost transaction is lost money, NORMAL where the content can be made again. */
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Folder of numbered .sql files that bring the file up to date. */
  readonly migrationsDir: string;
}

/**
 * Refuses a file of a newer version whose log was left by a crash: read alone, for a connection
 * that can write would fold the log into the file when it closes.
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

function openFile(path: string, options: OpenOptions): WritableDatabase {
  createPrivateFile(path);
  assertLogKnown(path, options.migrationsDir);
  const database = new Database(path) as unknown as WritableDatabase;
  try {
    // First of all: changing the journal mode already writes to the file.
    readKnownVersion(database, options.migrationsDir);
    database.pragma('page_size = 8192');
    database.pragma('journal_mode = WAL');
    // In WAL mode SQLite silently falls back to NORMAL: it must be said each time.
    database.pragma(`synchronous = ${options.synchronous}`);
    // In pages of 8 KiB, 32 MB: every checkpoint syncs both files, and a job makes many pages.
    database.pragma('wal_autocheckpoint = 4000');
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

/** SQLite says only that it cannot open a file: the system says why. */
function findReason(path: string): unknown {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return null;
  } catch (error) {
    return error;
  }
}

/** A schema that its version does not fit was written by no version of the product. */
function explainOpening(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code?.startsWith('SQLITE_CANTOPEN') ? findReason(path) : null;
  const refusal = findSystemRefusal(reason ?? error, path);
  if (refusal) return refusal;
  if (!/^(SQLITE_(ERROR|CONSTRAINT|MISMATCH)|EISDIR)/.test(code ?? '')) return error;
  return new EngineError(
    'database_damaged',
    `${basename(path)} in ${dirname(path)} is no database of Enrichment Desk (${message}). ` +
      'Restore a backup: desk restore FILE.',
    { cause: error },
  );
}

/**
 * Opens (or makes, with mode 0600) a file for writing and brings its schema up to date.
 * Throws EngineError if the file is from a newer version, and leaves it as it was; likewise if it
 * is damaged, or if the disk or its rights refuse it.
 */
export function openWritable(path: string, options: OpenOptions): WritableDatabase {
  try {
    return openFile(path, options);
  } catch (error) {
    throw explainOpening(error, path);
  }
}

/** Opens an existing file for reading alone. */
export function openReadable(path: string): ReadableDatabase {
  const database = new Database(path, { readonly: true, fileMustExist: true });
  database.pragma('busy_timeout = 10000');
  // Readers go straight through, or to pages that the system's cache holds: more would be waste.
  database.pragma('cache_size = -4000');
  database.pragma('temp_store = MEMORY');
  return database as ReadableDatabase;
}

/** Attaches another file under a name; the path is bound, never pasted. */
export function attach(database: ReadableDatabase, path: string, name: 'directory'): void {
  database.prepare(`ATTACH DATABASE ? AS ${name}`).run(path);
}
