// Runs several writes atomically.
import type { WritableDatabase } from './open-database.ts';

/**
 * Runs `work` in a transaction and returns its result; if it throws, its writes are rolled back. A
 * call inside another transaction joins it and is committed only with the outermost one.
 */
export function inTransaction<Result>(database: WritableDatabase, work: () => Result): Result {
  // Deferred, not IMMEDIATE: that would also lock every attached file and block its writer.
  return database.transaction(work).deferred();
}

/**
 * Runs a transaction of work that can be repeated. A kill loses nothing of it; a power failure may
 * undo the last of these transactions, until another transaction is synced to disk. Throws inside
 * another transaction, whose durability is already decided.
 */
export function inRepeatableTransaction<Result>(
  database: WritableDatabase,
  work: () => Result,
): Result {
  if (database.inTransaction) throw new Error('repeatable_within_another');
  const waits = database.pragma('synchronous', { simple: true });
  database.pragma('synchronous = NORMAL');
  try {
    return inTransaction(database, work);
  } finally {
    database.pragma(`synchronous = ${waits}`);
  }
}
