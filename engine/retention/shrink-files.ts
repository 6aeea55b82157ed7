/**
 * Gives the free pages of a database back to the file system, a few at a time. Readers go on: the
 * file becomes smaller at a checkpoint, once no reader uses an older state of it.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { shrinkPagesMin, shrinkStepPages } from '../contract/limits/privacy/retention.ts';
import type { DatabaseFile } from '../platform/data-files.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';

const schemas = { 'engine.db': 'main', 'directory.db': 'directory' } as const;

const readNumber = (database: ReadableDatabase, pragma: string): number =>
  Number(database.pragma(pragma, { simple: true }));

/** Free pages of a database of the writer. */
const countFree = (database: ReadableDatabase, file: DatabaseFile): number =>
  readNumber(database, `${schemas[file]}.freelist_count`);

/** Whether a database has so many free pages that a run returns them. */
export const hasFreePages = (database: ReadableDatabase, file: DatabaseFile): boolean =>
  countFree(database, file) >= shrinkPagesMin;

const isBusy = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_BUSY');

/** Runs a pragma without waiting for other connections. Returns null if one is in the way. */
function runAtOnce(database: WritableDatabase, pragma: string): unknown {
  const waitMs = readNumber(database, 'busy_timeout');
  database.pragma('busy_timeout = 0');
  try {
    return database.pragma(pragma);
  } catch (error) {
    if (!isBusy(error)) throw error;
    return null;
  } finally {
    database.pragma(`busy_timeout = ${waitMs}`);
  }
}

const measure = (folder: string, file: DatabaseFile): number =>
  statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0;

/**
 * Shrinks a database file of the writer; yields after each step. Ends early if another connection
 * writes to the file: the next run continues.
 * @returns by how many bytes the file became smaller
 */
export function* shrinkFile(
  database: WritableDatabase,
  folder: string,
  file: DatabaseFile,
): Generator<void, number> {
  const before = measure(folder, file);
  if (!hasFreePages(database, file)) return 0;
  const schema = schemas[file];
  for (let free = countFree(database, file); free > 0; ) {
    if (runAtOnce(database, `${schema}.incremental_vacuum(${shrinkStepPages})`) === null) break;
    yield;
    const left = countFree(database, file);
    // A file without this mode, of a copy by another program, keeps its pages.
    if (left >= free) break;
    free = left;
  }
  runAtOnce(database, `${schema}.wal_checkpoint(TRUNCATE)`);
  yield;
  return Math.max(0, before - measure(folder, file));
}
