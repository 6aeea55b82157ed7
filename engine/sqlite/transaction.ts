// Makes several writes one: all of them or none.
import type { WritableDatabase } from './open.ts';

/**
 * Runs work in a transaction and hands back what it returns; whatever it throws undoes its writes.
 * A call inside another joins it: its writes last only if the outermost call ends well.
 */
export function inTransaction<Result>(database: WritableDatabase, work: () => Result): Result {
  // Deferred, never IMMEDIATE: that would lock every attached file too, and stop its writer.
  return database.transaction(work).deferred();
}
