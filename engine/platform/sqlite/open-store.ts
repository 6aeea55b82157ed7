// Opens engine.db: accounts, keys, money, jobs and results of one environment.
import { join } from 'node:path';
import { migrationsDir } from '../paths.ts';
import {
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
    return database;
  }
  database.close();
  throw new Error(`engine.db must be synchronous = ${synchronousFull}, but is ${synchronous}`);
}

/** Opens the folder's existing engine.db read-only. */
export const openStoreReadable = (folder: string): ReadableDatabase =>
  openReadable(join(folder, fileName));
