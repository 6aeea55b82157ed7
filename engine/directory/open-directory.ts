/** Opens directory.db of a data folder, and tells its generation. */
import { join } from 'node:path';
import { migrationsDir } from '../platform/paths.ts';
import {
  attach,
  openReadable,
  openWritable,
  type ReadableDatabase,
  type WritableDatabase,
} from '../platform/sqlite/open-database.ts';

// As much as SQLite maps at most; it counts as the system's cache, not as the engine's own memory.
const mappedBytesMax = 2_147_418_112;

/** The path of a data folder's directory file. */
function directoryPath(folder: string): string {
  return join(folder, 'directory.db');
}

/** Opens (or makes) the directory for writing; NORMAL, since it can be imported again. */
export function openDirectory(folder: string): WritableDatabase {
  return openWritable(directoryPath(folder), {
    synchronous: 'NORMAL',
    migrationsDir: migrationsDir('directory'),
  });
}

/** Opens an existing directory for reading alone. */
export function openDirectoryReadable(folder: string): ReadableDatabase {
  return openReadable(directoryPath(folder));
}

/** The directory's generation: raised by every import and undo that changed something. */
export function readGeneration(db: ReadableDatabase): number {
  return db.prepare('SELECT number FROM generation').pluck().get() as number;
}

/** Whether a source was ever imported, also where the import was undone since. */
export const hasImport = (db: ReadableDatabase, source: string): boolean =>
  db
    .prepare("SELECT 1 FROM source_import WHERE source = ? AND status IN ('completed', 'undone')")
    .get(source) !== undefined;

/**
 * Whether the directory was imported from anything but one source; false for a file without the
 * directory's tables.
 */
export const hasImports = (db: ReadableDatabase, exceptSource: string): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'source_import'").get() !== undefined &&
  db
    .prepare("SELECT 1 FROM source_import WHERE status = 'completed' AND source <> ? LIMIT 1")
    .get(exceptSource) !== undefined;

/**
 * Attaches a data folder's directory to a connection under the name `directory`. It is opened for
 * writing first, so that what is attached exists and is up to date.
 */
export function attachDirectory(db: ReadableDatabase, folder: string): void {
  openDirectory(folder).close();
  attach(db, directoryPath(folder), 'directory');
  // A job reads people all over the file: mapped pages cost it no call into the system each.
  db.pragma(`directory.mmap_size = ${mappedBytesMax}`);
}
