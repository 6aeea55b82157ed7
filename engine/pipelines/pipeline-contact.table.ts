// The table `pipeline_contact`: the person, the state of each value and the cost of each contact of
// a pipeline. Written at look-up; its values are paid for once and verified once.
import type { CreditUnits } from '../contract/credits.ts';
import type { EmailStatus } from '../contract/jobs/job.ts';
import type { PipelineReason } from '../contract/pipelines/pipeline.ts';
import type { ValidationReason } from '../contract/validations.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export type ValueState = 'owned' | 'charged' | 'locked';

export interface ContactFacts {
  readonly firstName: string;
  readonly lastName: string;
  readonly title: string | null;
  readonly companyName: string | null;
}

export interface FoundPipelineContact {
  readonly personUuid: string | null;
  readonly reason: PipelineReason;
  readonly error: string | null;
  readonly facts: ContactFacts | null;
  readonly email: string | null;
  readonly emailStatus: EmailStatus | null;
  readonly phone: string | null;
}

export interface PipelineContactRow extends FoundPipelineContact {
  readonly position: number;
  /** null if there is no such value, or it was not requested. */
  readonly emailState: ValueState | null;
  readonly phoneState: ValueState | null;
  readonly verdict: ValidationReason | null;
  readonly chargedUnits: CreditUnits;
}

/** Writes looked-up contacts from a position on. Throws a SqliteError if one already exists. */
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

/** Contacts from a position on, in order. A range scan of the key, whatever the pipeline's size. */
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

/** Writes the states of a contact's values and their cost. Throws 'contact_is_paid'. */
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

/** Writes the verdict of an email and adds its cost. Throws 'contact_is_paid'. */
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

/** SQL of the values that were paid for before a merge with the person. */
const ownedBeforeSql = (kind: 'email' | 'phone') =>
  `SELECT 1 FROM merged_person m CROSS JOIN owned o ON o.account_id = @accountId
     AND o.person_uuid = m.uuid AND o.kind = '${kind}' WHERE m.survivor_uuid = c.person_uuid`;

interface UnpaidValues {
  readonly emails: number;
  readonly phones: number;
}

/**
 * Counts the values of contacts from a position on that the account does not own: each person's
 * email and phone once, even if several contacts are that person.
 */
export function countUnpaidValues(
  database: ReadableDatabase,
  { id, accountId, unlockedTo }: { id: number; accountId: number; unlockedTo: number },
): UnpaidValues {
  const counted = statement<UnpaidValues>(
    database,
    // By person first, so that ownership is looked up in key order.
    `SELECT
       ifnull(sum(has_email AND NOT EXISTS (SELECT 1 FROM owned
         WHERE account_id = @accountId AND person_uuid = c.person_uuid AND kind = 'email')
         AND NOT EXISTS (${ownedBeforeSql('email')})), 0) AS emails,
       ifnull(sum(has_phone AND NOT EXISTS (SELECT 1 FROM owned
         WHERE account_id = @accountId AND person_uuid = c.person_uuid AND kind = 'phone')
         AND NOT EXISTS (${ownedBeforeSql('phone')})), 0) AS phones
     FROM (
       SELECT person_uuid, max(email IS NOT NULL) AS has_email, max(phone IS NOT NULL) AS has_phone
       FROM pipeline_contact
       WHERE pipeline_id = @id AND position >= @unlockedTo AND person_uuid IS NOT NULL
       GROUP BY person_uuid) c`,
  ).get({ accountId, id, unlockedTo });
  return counted ?? { emails: 0, phones: 0 };
}

/** Number of distinct known addresses from a position on: the most that verification can cost. */
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
