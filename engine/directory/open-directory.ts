// Opens directory.db of a data folder, and reads its generation.
import { join } from 'node:path';
import { migrationsDir } from '../platform/paths.ts';
import {
  attach,
  mappedBytesMax,
  openReadable,
  openWritable,
  type ReadableDatabase,
  type WritableDatabase,
} from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/**
 * The cache of the writing connection, and the rows that are sorted at a time for an index. What
 * fits in the processor's caches is sorted in half the time that 32 MB take. Imports take as much
 * CPU time with either, and the process keeps less memory afterwards.
 */
const cacheKilobytes = 8_000;

function directoryPath(folder: string): string {
  return join(folder, 'directory.db');
}

/** Opens or creates the directory for writing. NORMAL, because it can be imported again. */
export function openDirectory(folder: string): WritableDatabase {
  const db = openWritable(directoryPath(folder), {
    synchronous: 'NORMAL',
    migrationsDir: migrationsDir('directory'),
  });
  db.pragma(`cache_size = -${cacheKilobytes}`);
  return db;
}

export function openDirectoryReadable(folder: string): ReadableDatabase {
  const db = openReadable(directoryPath(folder));
  // The rows of a page are all over the file; mapped pages need no system calls.
  db.pragma(`mmap_size = ${mappedBytesMax}`);
  return db;
}

/** The directory's generation, raised by every import and undo that changed something. */
export function readGeneration(db: ReadableDatabase): number {
  const found = statement<{ number: number }>(db, 'SELECT number FROM generation').get();
  if (!found) throw new Error('the directory has no generation');
  return found.number;
}

/** Whether a source was ever imported, even if the import was undone. */
export const hasImport = (db: ReadableDatabase, source: string): boolean =>
  db
    .prepare("SELECT 1 FROM source_import WHERE source = ? AND status IN ('completed', 'undone')")
    .get(source) !== undefined;

/** Whether anything but one source was imported; false for a file without tables. */
export const hasImports = (db: ReadableDatabase, exceptSource: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'source_import'").get() !== undefined &&
  db
    .prepare("SELECT 1 FROM source_import WHERE status = 'completed' AND source <> ? LIMIT 1")
    .get(exceptSource) !== undefined;

/** Attaches the directory as `directory`. Opening it for writing first creates or migrates it. */
export function attachDirectory(db: ReadableDatabase, folder: string): void {
  openDirectory(folder).close();
  attachExistingDirectory(db, folder);
}

/** Attaches a data folder's existing directory to a connection as `directory`. */
export function attachExistingDirectory(db: ReadableDatabase, folder: string): void {
  attach(db, directoryPath(folder), 'directory');
  // A job reads people all over the file; mapped pages need no system calls.
  db.pragma(`directory.mmap_size = ${mappedBytesMax}`);
}
