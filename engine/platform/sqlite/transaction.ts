// Makes several writes one: all of them or none.
import type { WritableDatabase } from './open-database.ts';

/**
 * Runs work in a transaction and hands back what it returns; whatever it throws undoes its writes.
 * A call inside another joins it: its writes last only if the outermost call ends well.
 */
export function inTransaction<Result>(database: WritableDatabase, work: () => Result): Result {
  // Deferred, never IMMEDIATE: that would lock every attached file too, and stop its writer.
  return database.transaction(work).deferred();
}

/**
 * A transaction of work that is done again where it gets lost. A kill loses none of it; a power cut
 * may take the last of these back, until another transaction is written that waits for the disk.
 * Throws within another transaction: what that one waits for is settled already.
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
