// The table `pipeline_contact`: who each contact of a pipeline is, what became of each value, and
// what it cost. Written when it is looked up; its values are paid for once, and verified once.
import type { CreditUnits } from '../contract/credits.ts';
import type { EmailStatus } from '../contract/jobs/job.ts';
import type { PipelineReason } from '../contract/pipelines/pipeline.ts';
import type { ValidationReason } from '../contract/validations.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** What became of a value: owned before, charged now, or not paid for. */
export type ValueState = 'owned' | 'charged' | 'locked';

/** Name, title and employer. */
export interface ContactFacts {
  readonly firstName: string;
  readonly lastName: string;
  readonly title: string | null;
  readonly companyName: string | null;
}

/** A contact as it was looked up. */
export interface FoundPipelineContact {
  readonly personUuid: string | null;
  readonly reason: PipelineReason;
  readonly error: string | null;
  readonly facts: ContactFacts | null;
  readonly email: string | null;
  readonly emailStatus: EmailStatus | null;
  readonly phone: string | null;
}

/** A contact of a pipeline. */
export interface PipelineContactRow extends FoundPipelineContact {
  readonly position: number;
  /** null where there is none, or it was not asked for. */
  readonly emailState: ValueState | null;
  readonly phoneState: ValueState | null;
  readonly verdict: ValidationReason | null;
  readonly chargedUnits: CreditUnits;
}

/** Writes contacts that were looked up, from a position on. Throws a SqliteError for a second. */
export function insertPipelineContacts(
  database: WritableDatabase,
  pipelineId: number,
  firstPosition: number,
  contacts: readonly FoundPipelineContact[],
): void {
  const insert = statement(
    database,
    `INSERT INTO pipeline_contact (pipeline_id, position, person_uuid, reason, error, facts, email,
       email_status, phone) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const [nth, contact] of contacts.entries())
    insert.run(
      pipelineId,
      firstPosition + nth,
      contact.personUuid,
      contact.reason,
      contact.error,
      contact.facts && JSON.stringify(contact.facts),
      contact.email,
      contact.emailStatus,
      contact.phone,
    );
}

/** Contacts from a position on, in order: a range of the key, whatever the pipeline's size. */
export const readPipelineContacts = (
  database: ReadableDatabase,
  pipelineId: number,
  page: { readonly offset: number; readonly limit: number },
): PipelineContactRow[] =>
  statement<Omit<PipelineContactRow, 'facts'> & { facts: string | null }>(
    database,
    `SELECT position, person_uuid AS personUuid, reason, error, facts, email,
       email_status AS emailStatus, phone, email_state AS emailState, phone_state AS phoneState,
       verdict, charged_units AS chargedUnits
     FROM pipeline_contact WHERE pipeline_id = ? AND position >= ? AND position < ?
     ORDER BY position`,
  )
    .all(pipelineId, page.offset, page.offset + page.limit)
    .map((row) => ({ ...row, facts: row.facts === null ? null : JSON.parse(row.facts) }));

/** Writes what became of a contact's values, and what they cost. Throws 'contact_is_paid'. */
export const payPipelineContact = (
  database: WritableDatabase,
  pipelineId: number,
  position: number,
  paid: Pick<PipelineContactRow, 'emailState' | 'phoneState' | 'reason' | 'chargedUnits'>,
): void =>
  void statement(
    database,
    `UPDATE pipeline_contact SET email_state = ?, phone_state = ?, reason = ?, charged_units = ?
     WHERE pipeline_id = ? AND position = ?`,
  ).run(paid.emailState, paid.phoneState, paid.reason, paid.chargedUnits, pipelineId, position);

/** Writes what an email came to, and adds what that cost. Throws 'contact_is_paid'. */
export const verifyPipelineContact = (
  database: WritableDatabase,
  pipelineId: number,
  position: number,
  { verdict, chargedUnits }: { verdict: ValidationReason; chargedUnits: CreditUnits },
): void =>
  void statement(
    database,
    `UPDATE pipeline_contact SET verdict = ?, charged_units = charged_units + ?
     WHERE pipeline_id = ? AND position = ?`,
  ).run(verdict, chargedUnits, pipelineId, position);

/** People whose email, and whose phone, is to be paid for. */
interface UnpaidValues {
  readonly emails: number;
  readonly phones: number;
}

/**
 * What of the contacts from a position on the account does not own: each person's email and phone
 * once, however many contacts are that person.
 */
export function countUnpaidValues(
  database: ReadableDatabase,
  { id, accountId, unlockedTo }: { id: number; accountId: number; unlockedTo: number },
): UnpaidValues {
  const counted = statement<UnpaidValues>(
    database,
    // By person first: what is owned is then looked up in the order of its key.
    `SELECT
       ifnull(sum(has_email AND NOT EXISTS (SELECT 1 FROM owned
         WHERE account_id = ? AND person_uuid = c.person_uuid AND kind = 'email')), 0) AS emails,
       ifnull(sum(has_phone AND NOT EXISTS (SELECT 1 FROM owned
         WHERE account_id = ? AND person_uuid = c.person_uuid AND kind = 'phone')), 0) AS phones
     FROM (
       SELECT person_uuid, max(email IS NOT NULL) AS has_email, max(phone IS NOT NULL) AS has_phone
       FROM pipeline_contact
       WHERE pipeline_id = ? AND position >= ? AND person_uuid IS NOT NULL GROUP BY person_uuid) c`,
  ).get(accountId, accountId, id, unlockedTo);
  return counted ?? { emails: 0, phones: 0 };
}

/** How many different addresses are known from a position on: what verifying can cost at most. */
export const countAddresses = (
  database: ReadableDatabase,
  { id, verifiedTo }: { id: number; verifiedTo: number },
): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(DISTINCT email) AS count FROM pipeline_contact
     WHERE pipeline_id = ? AND position >= ? AND email IS NOT NULL
       AND email_state IS NOT 'locked'`,
  ).get(id, verifiedTo)?.count ?? 0;

/** What these addresses came to in earlier batches of a pipeline, by address. */
export const readEarlierVerdicts = (
  database: ReadableDatabase,
  pipelineId: number,
  emails: readonly string[],
): ReadonlyMap<string, ValidationReason> =>
  new Map(
    statement<{ email: string; verdict: ValidationReason }>(
      database,
      `SELECT c.email, c.verdict FROM json_each(?) j
       CROSS JOIN pipeline_contact c INDEXED BY pipeline_contact_verdict
         ON c.pipeline_id = ? AND c.email = j.value AND c.verdict IS NOT NULL`,
    )
      .all(JSON.stringify(emails), pipelineId)
      .map(({ email, verdict }) => [email, verdict]),
  );
