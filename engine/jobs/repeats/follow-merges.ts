// Copies which people were merged from the directory to engine.db, where payments need it.
import { type MergedPerson, replaceMerged } from '../../ledger/merged-person.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';

// The directory's generation that a connection has followed.
const followed = new WeakMap<ReadableDatabase, number>();

/**
 * Copies the merges of the attached directory if it has changed. Every merge and undo raises the
 * generation, so that a call without a change costs one read.
 */
export function followMerges(database: WritableDatabase): void {
  const generation = statement<{ number: number }>(
    database,
    'SELECT number FROM directory.generation',
  ).get()?.number;
  if (generation === undefined || followed.get(database) === generation) return;
  inTransaction(database, () => {
    const people = statement<MergedPerson>(
      database,
      `SELECT m.uuid, p.uuid AS survivorUuid FROM directory.merged_record m
       JOIN directory.person p ON p.id = m.survivor_id WHERE m.kind = 'person' ORDER BY m.uuid`,
    ).all();
    const before = statement<MergedPerson>(
      database,
      'SELECT uuid, survivor_uuid AS survivorUuid FROM merged_person ORDER BY uuid',
    ).all();
    if (JSON.stringify(people) !== JSON.stringify(before)) replaceMerged(database, people);
  });
  // An outer transaction may still be rolled back.
  if (!database.inTransaction) followed.set(database, generation);
}
