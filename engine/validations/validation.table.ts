// The tables `email_validation` and `email_verdict`: the addresses of a validation, their verdicts
// and their credits.
//
//   insert ──> queued ──advance──> running ──end──> completed   (decided × price is settled)
//                └──────────────────┴─────────end──> failed      (nothing is settled)
//                                   └──kill──> running           (continues after its last verdict)
import { z } from 'zod';
import type { CreditUnits } from '../contract/credits.ts';
import { type EmailStatus, emailStatuses } from '../contract/jobs/job.ts';
import type { EmailVerdict, ValidationReason, ValidationStatus } from '../contract/validations.ts';
import { isDecided, statusOfReason } from '../contract/validations.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';

export interface ValidationRow {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly status: ValidationStatus;
  readonly priceUnits: CreditUnits;
  /** Number of distinct addresses; their positions are 0 to totalEmails - 1. */
  readonly totalEmails: number;
  readonly duplicateEmails: number;
  /** Number of validated addresses, in position order. */
  readonly doneEmails: number;
  readonly decidedEmails: number;
  readonly counts: Readonly<Partial<Record<EmailStatus, number>>>;
  readonly holdId: number;
  readonly heldUnits: CreditUnits;
  readonly chargedUnits: CreditUnits;
  readonly releasedUnits: CreditUnits;
  readonly errorDetail: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

const selectValidation = `SELECT id, uuid, account_id AS accountId, status,
    price_units AS priceUnits, total_emails AS totalEmails, duplicate_emails AS duplicateEmails,
    done_emails AS doneEmails, decided_emails AS decidedEmails, counts, hold_id AS holdId,
    held_units AS heldUnits, charged_units AS chargedUnits, released_units AS releasedUnits,
    error_detail AS errorDetail, created_at AS createdAt, started_at AS startedAt,
    completed_at AS completedAt
  FROM email_validation`;

type ValidationRecord = Omit<ValidationRow, 'counts'> & { counts: string };
const CountsSchema = z.partialRecord(z.enum(emailStatuses), z.int()).nullable();

/** Counts the verdicts of a validation. Reads all of them: only for damaged counters. */
function countAgain(database: ReadableDatabase, id: number): ValidationRow['counts'] {
  const counts: Partial<Record<EmailStatus, number>> = {};
  const reasons = statement<{ reason: ValidationReason; count: number }>(
    database,
    `SELECT reason, count(*) AS count FROM email_verdict
     WHERE validation_id = ? AND reason IS NOT NULL GROUP BY reason`,
  ).all(id);
  for (const { reason, count } of reasons) {
    const status = statusOfReason(reason);
    counts[status] = (counts[status] ?? 0) + count;
  }
  return counts;
}

const readRecord = (database: ReadableDatabase, record: ValidationRecord): ValidationRow => ({
  ...record,
  counts: readJson(CountsSchema, record.counts, null) ?? countAgain(database, record.id),
});

function findOne(database: ReadableDatabase, rest: string, ...values: unknown[]) {
  const sql = `${selectValidation} ${rest}`;
  const record = statement<ValidationRecord>(database, sql).get(...values);
  return record ? readRecord(database, record) : null;
}

/** The account's validation with a UUID, or null. */
export const getValidation = (
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): ValidationRow | null =>
  findOne(database, 'WHERE uuid = ? AND account_id = ? AND deleted_at IS NULL', uuid, accountId);

export const getValidationById = (database: ReadableDatabase, id: number): ValidationRow | null =>
  findOne(database, 'WHERE id = ?', id);

/** The first open one after an id, else the first of all, so that they take turns. */
export const nextOpenValidation = (
  database: ReadableDatabase,
  afterId: number,
): ValidationRow | null =>
  findOne(database, 'WHERE completed_at IS NULL AND id > ? ORDER BY id LIMIT 1', afterId) ??
  findOne(database, 'WHERE completed_at IS NULL AND id > ? ORDER BY id LIMIT 1', 0);

export function listValidations(
  database: ReadableDatabase,
  accountId: number,
  page: { limit: number; offset: number },
): { count: number; validations: ValidationRow[] } {
  const counted = statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM email_validation
     WHERE account_id = ? AND deleted_at IS NULL`,
  ).get(accountId);
  const records = statement<ValidationRecord>(
    database,
    `${selectValidation} WHERE account_id = ? AND deleted_at IS NULL
     ORDER BY id DESC LIMIT ? OFFSET ?`,
  ).all(accountId, page.limit, page.offset);
  return {
    count: counted?.count ?? 0,
    validations: records.map((one) => readRecord(database, one)),
  };
}

/** Adds a queued validation with its addresses, in the transaction of the hold. Returns its id. */
export function insertValidation(
  database: WritableDatabase,
  order: Pick<
    ValidationRow,
    'uuid' | 'accountId' | 'priceUnits' | 'duplicateEmails' | 'holdId' | 'heldUnits' | 'createdAt'
  > & { readonly emails: readonly string[] },
): number {
  return inTransaction(database, () => {
    const { lastInsertRowid } = statement(
      database,
      `INSERT INTO email_validation (uuid, account_id, status, price_units, total_emails,
         duplicate_emails, hold_id, held_units, created_at)
       VALUES (?, ?, 'queued', ?, ?, ?, ?, ?, ?)`,
    ).run(
      order.uuid,
      order.accountId,
      order.priceUnits,
      order.emails.length,
      order.duplicateEmails,
      order.holdId,
      order.heldUnits,
      order.createdAt,
    );
    const id = Number(lastInsertRowid);
    const insert = statement(
      database,
      'INSERT INTO email_verdict (validation_id, position, email) VALUES (?, ?, ?)',
    );
    for (const [position, email] of order.emails.entries()) insert.run(id, position, email);
    return id;
  });
}

export const readOpenEmails = (
  database: ReadableDatabase,
  { id, doneEmails }: Pick<ValidationRow, 'id' | 'doneEmails'>,
  emailsMax: number,
): string[] =>
  statement<{ email: string }>(
    database,
    `SELECT email FROM email_verdict WHERE validation_id = ? AND position >= ?
     ORDER BY position LIMIT ?`,
  )
    .all(id, doneEmails, emailsMax)
    .map(({ email }) => email);

/** Existing verdicts from a position on, in order. */
export const readVerdicts = (
  database: ReadableDatabase,
  validationId: number,
  page: { readonly limit: number; readonly offset: number },
): EmailVerdict[] =>
  statement<{ email: string; reason: ValidationReason }>(
    database,
    `SELECT email, reason FROM email_verdict
     WHERE validation_id = ? AND position >= ? AND position < ? AND reason IS NOT NULL
     ORDER BY position`,
  )
    .all(validationId, page.offset, page.offset + page.limit)
    .map(({ email, reason }) => ({ email, status: statusOfReason(reason), reason }));

/**
 * Writes and counts the next verdicts, all or none. Throws a SqliteError if one already exists, and
 * 'validation_moved' if the validation is not at the expected position.
 */
export function advanceValidation(
  database: WritableDatabase,
  validation: ValidationRow,
  verdicts: readonly EmailVerdict[],
  at: string,
): void {
  const counts: Partial<Record<EmailStatus, number>> = { ...validation.counts };
  for (const { status } of verdicts) counts[status] = (counts[status] ?? 0) + 1;
  inTransaction(database, () => {
    const give = statement(
      database,
      'UPDATE email_verdict SET reason = ? WHERE validation_id = ? AND position = ?',
    );
    for (const [nth, { reason }] of verdicts.entries())
      give.run(reason, validation.id, validation.doneEmails + nth);
    const { changes } = statement(
      database,
      `UPDATE email_validation SET status = 'running', started_at = ifnull(started_at, ?),
         done_emails = done_emails + ?, decided_emails = decided_emails + ?, counts = ?
       WHERE id = ? AND completed_at IS NULL AND done_emails = ?`,
    ).run(
      at,
      verdicts.length,
      verdicts.filter(({ status }) => isDecided(status)).length,
      JSON.stringify(counts),
      validation.id,
      validation.doneEmails,
    );
    if (changes !== 1) throw new Error('validation_moved');
  });
}

/** Ends a validation, in the transaction that resolves its hold. Throws 'validation_ended'. */
export function endValidation(
  database: WritableDatabase,
  id: number,
  end: {
    readonly errorDetail: string | null;
    readonly chargedUnits: CreditUnits;
    readonly releasedUnits: CreditUnits;
    readonly at: string;
  },
): void {
  const status: ValidationStatus = end.errorDetail === null ? 'completed' : 'failed';
  const { changes } = statement(
    database,
    `UPDATE email_validation SET status = ?, error_detail = ?, charged_units = ?,
       released_units = ?, completed_at = ?
     WHERE id = ? AND completed_at IS NULL`,
  ).run(status, end.errorDetail, end.chargedUnits, end.releasedUnits, end.at, id);
  if (changes !== 1) throw new Error('validation_ended');
}
