// The table `paid_person`: which rows of deleted jobs paid for layers of a person, so that a later
// job does not charge them again. It has a keyed hash of the person's UUID and no value.
import { hash } from 'node:crypto';
import { findMerged } from '../../ledger/merged-person.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { readReviewKey } from '../review/review-memory.table.ts';
import { isSource, type SourceJobs, valuesOf } from './job-person.table.ts';

const hashBytes = 16;

const hashPeople = (database: ReadableDatabase, people: readonly string[]): string[] => {
  const key = readReviewKey(database);
  return people.map((uuid) => hash('sha256', `${key}paid ${uuid}`).slice(0, 2 * hashBytes));
};

export interface PaidPerson {
  readonly personUuid: string;
  readonly rowIndex: number;
  readonly layers: number;
}

/** Remembers rows of a job, in the transaction that deletes them. */
export function insertPaidPeople(
  database: WritableDatabase,
  job: { readonly id: number; readonly accountId: number },
  people: readonly PaidPerson[],
): void {
  if (people.length === 0) return;
  const hashes = hashPeople(
    database,
    people.map(({ personUuid }) => personUuid),
  );
  const rows = people.map(({ rowIndex, layers }, at) => [hashes[at], rowIndex, layers]);
  statement(
    database,
    `INSERT OR IGNORE INTO paid_person (account_id, person_hash, job_id, row_index, layers)
     SELECT ?, unhex(value ->> 0), ?, value ->> 1, value ->> 2 FROM json_each(?)`,
  ).run(job.accountId, job.id, JSON.stringify(rows));
}

export interface RememberedRow {
  readonly personUuid: string;
  /** result.id of the deleted row. */
  readonly id: number;
  readonly jobId: number;
  readonly layers: number;
}

/** The remembered rows of people among the sources, newest job first. */
export function findRememberedRows(
  database: ReadableDatabase,
  sources: SourceJobs,
  people: readonly string[],
): RememberedRow[] {
  const { accountId } = sources;
  const isAny = statement(database, 'SELECT 1 FROM paid_person WHERE account_id = ? LIMIT 1');
  if (people.length === 0 || isAny.get(accountId) === undefined) return [];
  // What was paid for people who were merged since is paid for their survivors.
  const merged = findMerged(database, people);
  const all = [...people, ...merged.keys()];
  const hashes = hashPeople(database, all);
  const pairs = all.map((uuid, at) => [merged.get(uuid) ?? uuid, hashes[at]]);
  return statement<RememberedRow>(
    database,
    `SELECT k.value ->> 0 AS personUuid, j.result_base + p.row_index AS id, p.job_id AS jobId,
       p.layers
     FROM json_each(@pairs) k
     CROSS JOIN paid_person p ON p.account_id = @accountId
       AND p.person_hash = unhex(k.value ->> 1)
     CROSS JOIN job j ON j.id = p.job_id
     WHERE ${isSource}
     ORDER BY p.job_id DESC, p.row_index`,
  ).all({ ...valuesOf(sources), pairs: JSON.stringify(pairs) });
}

export const findPaidHashes = (database: ReadableDatabase, people: readonly string[]) =>
  statement<{ accountId: number; personHash: string; rows: number }>(
    database,
    `SELECT account_id AS accountId, lower(hex(person_hash)) AS personHash, count(*) AS rows
     FROM paid_person WHERE person_hash IN (SELECT unhex(value) FROM json_each(?))
     GROUP BY account_id, person_hash`,
  ).all(JSON.stringify(hashPeople(database, people)));

/**
 * Whether a job `b` of the same account may still ask what the job `j` paid for: it retries or
 * excludes that job, or its own days reach back to it.
 */
const isAskedBy = `b.account_id = j.account_id AND b.deleted_at IS NULL AND (b.retry_of = j.uuid
  OR b.new_since = j.uuid OR (b.free_repeat_days > 0 AND j.completed_at >= strftime(
    '%Y-%m-%dT%H:%M:%fZ', b.created_at, '-' || b.free_repeat_days || ' days')))`;
const isInWindow = `EXISTS (SELECT 1 FROM account a WHERE a.id = j.account_id
  AND a.free_repeat_days > 0 AND j.completed_at >= strftime(
    '%Y-%m-%dT%H:%M:%fZ', @at, '-' || a.free_repeat_days || ' days'))`;
const isRemembered = `(${isInWindow} OR EXISTS (SELECT 1 FROM job b WHERE ${isAskedBy}))`;

/** Whether what a completed job paid for may still make rows of other jobs free. */
export const mustRemember = (database: ReadableDatabase, jobId: number, at: string): boolean =>
  statement(
    database,
    `SELECT 1 FROM job j WHERE j.id = @jobId AND j.status = 'completed' AND j.kind = 'enrichment'
       AND ${isRemembered}`,
  ).get({ jobId, at }) !== undefined;

/** Forgets at most `limit` rows that can make no row free any more. Returns their number. */
export const forgetPaidPeople = (database: WritableDatabase, at: string, limit: number): number =>
  statement(
    database,
    `DELETE FROM paid_person WHERE (account_id, person_hash, job_id, row_index) IN (
       SELECT p.account_id, p.person_hash, p.job_id, p.row_index FROM paid_person p
       WHERE p.job_id = (
         SELECT j.id FROM job j WHERE j.id IN (SELECT job_id FROM paid_person)
           AND NOT ${isRemembered} LIMIT 1)
       LIMIT @limit)`,
  ).run({ at, limit }).changes;
