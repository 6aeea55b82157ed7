// Opens engine.db: accounts, keys, money, jobs and results of one environment.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { stagingFolder } from '../data-files.ts';
import { migrationsDir } from '../paths.ts';
import {
  attach,
  mappedBytesMax,
  openReadable,
  openWritable,
  type ReadableDatabase,
  type WritableDatabase,
} from './open-database.ts';

const fileName = 'engine.db';
// The value of `PRAGMA synchronous` for FULL.
const synchronousFull = 2;
/**
 * Kilobytes of pages in memory: more than a batch of a job writes. Older pages are in the operating
 * system's cache; a job with 32 MB is not faster.
 */
const cachedKilobytes = 8_000;

/** Connections of staging environments, which have the live engine.db attached. */
const withLive = new WeakSet<ReadableDatabase>();

/** Attaches the live engine.db to staging's connection: its suppression list holds for both. */
function attachLive(database: ReadableDatabase, folder: string): void {
  const path = join(dirname(folder), fileName);
  if (basename(folder) !== stagingFolder || !existsSync(path)) return;
  attach(database, path, 'live');
  database.pragma('live.synchronous = FULL');
  withLive.add(database);
}

export const liveSchema = (database: ReadableDatabase): 'live' | 'main' =>
  withLive.has(database) ? 'live' : 'main';

/**
 * Opens or creates the folder's engine.db for writing. Every commit is durable before it returns.
 * Throws EngineError if a newer version wrote the file, which leaves it unchanged.
 */
export function openStore(folder: string): WritableDatabase {
  const database = openWritable(join(folder, fileName), {
    synchronous: 'FULL',
    migrationsDir: migrationsDir('store'),
  });
  database.pragma(`cache_size = -${cachedKilobytes}`);
  const synchronous = database.pragma('synchronous', { simple: true });
  if (synchronous === synchronousFull) {
    attachLive(database, folder);
    return database;
  }
  database.close();
  throw new Error(`engine.db must be synchronous = ${synchronousFull}, but is ${synchronous}`);
}

/** Opens the folder's existing engine.db read-only. */
export function openStoreReadable(folder: string): ReadableDatabase {
  const database = openReadable(join(folder, fileName));
  // The results of a page are anywhere in the file; mapped pages need no system calls.
  database.pragma(`mmap_size = ${mappedBytesMax}`);
  attachLive(database, folder);
  return database;
}

/** Uses the folder's existing engine.db read-only, and closes it when the result is settled. */
export function withStore<Result>(
  folder: string,
  use: (store: ReadableDatabase) => Result,
): Result {
  const store = openStoreReadable(folder);
  let isPending = false;
  try {
    const result = use(store);
    if (!(result instanceof Promise)) return result;
    isPending = true;
    return result.finally(() => store.close()) as Result;
  } finally {
    if (!isPending) store.close();
  }
}
