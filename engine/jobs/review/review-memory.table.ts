// The tables `review_key`, `review_memory` and `review_recall`: contacts that a person decided
// about, and the rows of later jobs that these decisions answered.
import type { Decision } from '../../contract/jobs/job.ts';
import { survivorSql } from '../../ledger/merged-person.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { JobRow } from '../job.table.ts';

/** The key of the hashes, in hexadecimal. */
export function readReviewKey(database: ReadableDatabase): string {
  const found = statement<{ key: string }>(
    database,
    'SELECT hex(key) AS key FROM review_key',
  ).get();
  if (!found) throw new Error('the key of the reviews is missing');
  return found.key;
}

export interface NewMemory {
  readonly accountId: number;
  /** Hexadecimal. */
  readonly contactHash: string;
  readonly jobId: number;
  readonly rowIndex: number;
  /** How the row fits the chosen candidate; 0 for none. */
  readonly companyId: number;
  readonly employmentStatus: number;
  readonly matchedOn: number;
  /** UUIDs of the candidates. */
  readonly offered: readonly string[];
}

/** Remembers a decision. It replaces an earlier one about the same contact. */
export const putMemory = (database: WritableDatabase, memory: NewMemory): void =>
  void statement(
    database,
    `INSERT OR REPLACE INTO review_memory (account_id, contact_hash, job_id, row_index, company_id,
       employment_status, matched_on, offered)
     VALUES (@accountId, unhex(@contactHash), @jobId, @rowIndex, @companyId, @employmentStatus,
       @matchedOn, @offered)`,
  ).run({ ...memory, offered: JSON.stringify(memory.offered) });

export const hasMemory = (database: ReadableDatabase, accountId: number): boolean =>
  statement(database, 'SELECT 1 FROM review_memory WHERE account_id = ? LIMIT 1').get(accountId) !==
  undefined;

export interface Memory {
  /** Hexadecimal. */
  readonly contactHash: string;
  /** Null for none of the candidates. */
  readonly contactUuid: string | null;
  readonly openReason: number;
  readonly openConfidence: number;
  readonly keyLabel: string | null;
  readonly at: string;
  readonly employmentStatus: number;
  readonly matchedOn: number;
  /** person.id; null if the directory does not have the person, or must not return it. */
  readonly personId: number | null;
  /** company.id of the employer that the row names; 0 if it names none that exists. */
  readonly companyId: number;
  /** Whether the person has a current employment, and one at that company. */
  readonly hasJob: 0 | 1;
  readonly isThere: 0 | 1;
  /** JSON array of person.id of the candidates that were offered. */
  readonly offeredIds: string;
}

/** Decisions about contacts. @param database with the directory @param hashes hexadecimal */
export const findMemories = (
  database: ReadableDatabase,
  accountId: number,
  hashes: readonly string[],
): Memory[] =>
  statement<Memory>(
    database,
    `SELECT lower(hex(m.contact_hash)) AS contactHash, p.contact_uuid AS contactUuid,
       p.open_reason AS openReason, p.open_confidence AS openConfidence, k.label AS keyLabel, p.at,
       m.employment_status AS employmentStatus, m.matched_on AS matchedOn, d.id AS personId,
       ifnull(c.id, 0) AS companyId,
       EXISTS (SELECT 1 FROM directory.employment e
         WHERE e.person_id = d.id AND e.is_current) AS hasJob,
       EXISTS (SELECT 1 FROM directory.employment e
         WHERE e.person_id = d.id AND e.is_current AND e.company_id = c.id) AS isThere,
       (SELECT json_group_array(o.id) FROM directory.person o
         WHERE o.uuid IN (SELECT ${survivorSql('value')} FROM json_each(m.offered))) AS offeredIds
     FROM json_each(?) h
     JOIN review_memory m ON m.account_id = ? AND m.contact_hash = unhex(h.value)
     JOIN review_pick p ON p.job_id = m.job_id AND p.row_index = m.row_index
     LEFT JOIN api_key k ON k.id = p.key_id
     LEFT JOIN directory.person d ON d.uuid = ${survivorSql('p.contact_uuid')}
       AND d.suppressed = 0
     LEFT JOIN directory.company c ON c.id = m.company_id`,
  ).all(JSON.stringify(hashes), accountId);

export interface Recall extends Decision {
  readonly rowIndex: number;
  /** Whether the decision was none of the candidates. */
  readonly isNone: boolean;
}

/** Call in the transaction of the batch. A row that a provider answered is left out. */
export const insertRecalls = (
  database: WritableDatabase,
  { id, resultBase }: Pick<JobRow, 'id' | 'resultBase'>,
  recalls: readonly Recall[],
): void =>
  void (
    recalls.length > 0 &&
    statement(
      database,
      `INSERT INTO review_recall (job_id, row_index, decided_by, decided_at)
       SELECT @jobId, a.value ->> 'rowIndex', a.value ->> 'decided_by', a.value ->> 'decided_at'
       FROM json_each(@recalls) a
       JOIN result r ON r.id = @resultBase + (a.value ->> 'rowIndex')
       WHERE (r.contact_uuid IS NULL) = (a.value ->> 'isNone')`,
    ).run({ jobId: id, resultBase, recalls: JSON.stringify(recalls) })
  );

export const findRecalls = (
  database: ReadableDatabase,
  jobId: number,
  rows: readonly number[],
): (Decision & { readonly rowIndex: number })[] =>
  statement<Decision & { readonly rowIndex: number }>(
    database,
    `SELECT row_index AS rowIndex, decided_by, decided_at FROM review_recall
     WHERE job_id = ? AND row_index IN (SELECT value FROM json_each(?))`,
  ).all(jobId, JSON.stringify(rows));

export const deleteRecalls = (database: WritableDatabase, jobId: number, firstRow = 0): void =>
  void statement(database, 'DELETE FROM review_recall WHERE job_id = ? AND row_index >= ?').run(
    jobId,
    firstRow,
  );
