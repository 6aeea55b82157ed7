// The deletion of email validations. A deleted validation is invisible; its row stays with its
// counts and amounts, because its hold refers to it.
import { retentionStepRows } from '../contract/limits/privacy/retention.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';

export interface EndedValidation {
  readonly id: number;
  readonly totalEmails: number;
  readonly completedAt: string;
}

export const listEndedValidations = (
  database: ReadableDatabase,
  accountId: number,
  before: string,
): EndedValidation[] =>
  statement<EndedValidation>(
    database,
    `SELECT id, total_emails AS totalEmails, completed_at AS completedAt FROM email_validation
     WHERE account_id = ? AND deleted_at IS NULL AND completed_at < ? ORDER BY id DESC`,
  ).all(accountId, before);

/** Hides an ended validation. Throws 'validation_not_ended'. */
export function markValidationDeleted(database: WritableDatabase, id: number, at: string): void {
  const { changes } = statement(
    database,
    `UPDATE email_validation SET deleted_at = ?, is_clearing = 1
     WHERE id = ? AND completed_at IS NOT NULL AND deleted_at IS NULL`,
  ).run(at, id);
  if (changes !== 1) throw new Error('validation_not_ended');
}

/** Deletes the addresses of deleted validations; yields after each transaction. */
export function* clearDeletedValidations(database: WritableDatabase): Generator<void> {
  const next = statement<{ id: number }>(
    database,
    'SELECT id FROM email_validation WHERE is_clearing = 1 ORDER BY id LIMIT 1',
  );
  const clear = (id: number) =>
    statement(
      database,
      `DELETE FROM email_verdict WHERE validation_id = @id AND position IN (
         SELECT position FROM email_verdict WHERE validation_id = @id LIMIT ${retentionStepRows})`,
    ).run({ id }).changes > 0;
  for (let found = next.get(); found; found = next.get()) {
    const { id } = found;
    while (inRepeatableTransaction(database, () => clear(id))) yield;
    inTransaction(database, () =>
      statement(database, 'UPDATE email_validation SET is_clearing = 0 WHERE id = ?').run(id),
    );
    yield;
  }
}
