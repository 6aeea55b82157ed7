// The deletion of pipelines. A deleted pipeline is invisible; its row stays with its counts and
// amounts, because its hold and the owned values refer to it.
import { retentionStepRows } from '../contract/limits/privacy/retention.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';
import { dropInput } from '../spreadsheet/input-folders.ts';

export interface EndedPipeline {
  readonly id: number;
  readonly uuid: string;
  readonly total: number;
  readonly completedAt: string;
}

export const listEndedPipelines = (
  database: ReadableDatabase,
  accountId: number,
  before: string,
): EndedPipeline[] =>
  statement<EndedPipeline>(
    database,
    `SELECT id, uuid, total, completed_at AS completedAt FROM pipeline
     WHERE account_id = ? AND deleted_at IS NULL AND completed_at < ? ORDER BY id DESC`,
  ).all(accountId, before);

/** Hides an ended pipeline. Throws 'pipeline_not_ended'. */
export function markPipelineDeleted(database: WritableDatabase, id: number, at: string): void {
  const { changes } = statement(
    database,
    `UPDATE pipeline SET deleted_at = ?, is_clearing = 1, title = '', mapping = '{}',
       error_detail = NULL
     WHERE id = ? AND completed_at IS NOT NULL AND deleted_at IS NULL`,
  ).run(at, id);
  if (changes !== 1) throw new Error('pipeline_not_ended');
}

const clearContacts = (database: WritableDatabase, id: number): boolean =>
  ['pipeline_contact', 'pipeline_subjects'].some((table) => {
    const position = table === 'pipeline_contact' ? 'position' : 'first_position';
    return (
      statement(
        database,
        `DELETE FROM ${table} WHERE pipeline_id = @id AND ${position} IN (
           SELECT ${position} FROM ${table} WHERE pipeline_id = @id LIMIT ${retentionStepRows})`,
      ).run({ id }).changes > 0
    );
  });

/** Deletes the contacts of deleted pipelines; yields after each transaction. */
export function* clearDeletedPipelines(
  database: WritableDatabase,
  folder: string,
): Generator<void> {
  const next = statement<{ id: number; uuid: string }>(
    database,
    'SELECT id, uuid FROM pipeline WHERE is_clearing = 1 ORDER BY id LIMIT 1',
  );
  for (let found = next.get(); found; found = next.get()) {
    const { id, uuid } = found;
    dropInput(folder, uuid);
    while (inRepeatableTransaction(database, () => clearContacts(database, id))) yield;
    inTransaction(database, () =>
      statement(database, 'UPDATE pipeline SET is_clearing = 0 WHERE id = ?').run(id),
    );
    yield;
  }
}
