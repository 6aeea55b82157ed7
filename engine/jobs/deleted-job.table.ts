// The deletion of jobs of either kind, in the tables of jobs.
//
//   ended ──markJobDeleted──> deleted, is_clearing ──clearBatch, …──endClearing──> deleted
//
// A deleted job is invisible from its mark on. Its row stays with its counts and amounts, because
// ledger entries, requests to data services and repeated people of other jobs refer to it.
import { rowStatuses } from '../contract/jobs/job.ts';
import { chargedLayers } from '../ledger/price-job.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { getJobById, type JobKind, type JobRow } from './job.table.ts';
import { deletePeople } from './repeats/job-person.table.ts';
import { insertPaidPeople } from './repeats/paid-person.table.ts';
import { deleteRepeats } from './repeats/repeat-row.table.ts';
import { deleteResults } from './results/result.table.ts';

export interface EndedJob {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly kind: JobKind;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly resultBase: number;
  /** When it ended, or was last decided about in a review. */
  readonly lastUsedAt: string;
}

const lastUsedAt = `max(j.completed_at,
  ifnull((SELECT max(p.at) FROM review_pick p WHERE p.job_id = j.id), ''))`;

/** The jobs of an account that ended before a time and were not used since, newest first. */
export const listEndedJobs = (
  database: ReadableDatabase,
  owner: { readonly accountId: number; readonly kind: JobKind; readonly before: string },
): EndedJob[] =>
  statement<EndedJob>(
    database,
    `SELECT j.id, j.uuid, j.account_id AS accountId, j.kind, j.total_rows AS totalRows,
       j.processed_rows AS processedRows, j.result_base AS resultBase, ${lastUsedAt} AS lastUsedAt
     FROM job j
     WHERE j.account_id = @accountId AND j.kind = @kind AND j.deleted_at IS NULL
       AND j.completed_at < @before AND ${lastUsedAt} < @before
     ORDER BY j.id DESC`,
  ).all(owner);

/** Whether a job ended before a time, was not used since, and is not deleted. */
export const isUnused = (database: ReadableDatabase, id: number, before: string): boolean =>
  statement(
    database,
    `SELECT 1 FROM job j WHERE j.id = @id AND j.deleted_at IS NULL AND j.completed_at < @before
       AND ${lastUsedAt} < @before`,
  ).get({ id, before }) !== undefined;

/** Jobs that retry or exclude a job and have not completed: they still need its rows. */
export const listNeedingJobs = (database: ReadableDatabase, uuid: string): number[] =>
  statement<{ id: number }>(
    database,
    `SELECT id FROM job WHERE (retry_of = @uuid OR new_since = @uuid) AND deleted_at IS NULL
       AND removed_at IS NULL AND status IN ('queued', 'running', 'failed')`,
  )
    .all({ uuid })
    .map(({ id }) => id);

/** Hides an ended job and deletes what its row says of people. Throws 'job_not_ended'. */
export function markJobDeleted(database: WritableDatabase, id: number, at: string): void {
  const { changes } = statement(
    database,
    `UPDATE job SET deleted_at = ?, is_clearing = 1, title = '', file_name = NULL, headers = '[]',
       mapping = '{}', error_detail = NULL, via = NULL
     WHERE id = ? AND completed_at IS NOT NULL AND deleted_at IS NULL`,
  ).run(at, id);
  if (changes !== 1) throw new Error('job_not_ended');
}

/** The oldest deleted job with rows that remain to be deleted, or null. */
export function nextClearingJob(database: ReadableDatabase): JobRow | null {
  const found = statement<{ id: number }>(
    database,
    'SELECT id FROM job WHERE is_clearing = 1 ORDER BY id LIMIT 1',
  ).get();
  return found ? getJobById(database, found.id) : null;
}

interface StoredPerson {
  readonly id: number;
  readonly personUuid: string;
  readonly status: number;
  readonly layerBits: number;
  readonly freeLayers: number;
}

const enriched = rowStatuses.indexOf('enriched');

/** Deletes the people of rows. Those whose layers were paid for are remembered, if asked. */
function clearPeople(
  database: WritableDatabase,
  job: JobRow,
  range: { readonly firstId: number; readonly lastId: number },
  remembers: boolean,
): void {
  const stored = statement<StoredPerson>(
    database,
    `SELECT id, contact_uuid AS personUuid, status, layer_bits AS layerBits,
       ifnull((SELECT sum(free_layers) FROM repeat_row f WHERE f.id = r.id), 0) AS freeLayers
     FROM result r WHERE id BETWEEN @firstId AND @lastId AND contact_uuid <> ''`,
  ).all(range);
  const people = stored.map(({ id, personUuid, status, layerBits, freeLayers }) => ({
    rowIndex: id - job.resultBase,
    personUuid,
    layers: status === enriched ? chargedLayers(job, layerBits) & ~freeLayers : 0,
  }));
  const paid = people.filter(({ layers }) => layers !== 0);
  if (remembers) insertPaidPeople(database, job, paid);
  deletePeople(database, job, people);
}

/**
 * Deletes the first batch of a deleted job: its results, repeats and decisions. Decisions that are
 * remembered stay. Call in a transaction.
 * @param remembers whether later jobs must know which people were paid for
 * @param clear deletes what the kind of the job has in addition; `end` is exclusive
 * @returns false if no batch was left
 */
export function clearBatch(
  database: WritableDatabase,
  job: JobRow,
  remembers: boolean,
  clear: (job: JobRow, first: number, end: number) => void,
): boolean {
  const batch = statement<{ firstRow: number; rowCount: number }>(
    database,
    `SELECT first_row AS firstRow, row_count AS rowCount FROM job_batch WHERE job_id = ?
     ORDER BY first_row LIMIT 1`,
  ).get(job.id);
  if (!batch) return false;
  const { firstRow, rowCount } = batch;
  const lastRow = firstRow + rowCount - 1;
  const range = { firstId: job.resultBase + firstRow, lastId: job.resultBase + lastRow };
  clear(job, firstRow, lastRow + 1);
  clearPeople(database, job, range, remembers);
  deleteRepeats(database, range);
  deleteResults(database, job.resultBase, firstRow, lastRow + 1);
  const rows = { jobId: job.id, firstRow, lastRow };
  const ranged = (sql: string) => statement(database, sql).run(rows);
  ranged(
    `DELETE FROM review_pick WHERE job_id = @jobId AND row_index BETWEEN @firstRow AND @lastRow
       AND NOT EXISTS (SELECT 1 FROM review_memory m
         WHERE (m.job_id, m.row_index) = (review_pick.job_id, review_pick.row_index))`,
  );
  ranged(
    `DELETE FROM review_recall
     WHERE job_id = @jobId AND row_index BETWEEN @firstRow AND @lastRow`,
  );
  ranged('DELETE FROM job_batch WHERE job_id = @jobId AND first_row = @firstRow');
  return true;
}

/** Ends the deletion of a job without batches, in a transaction. */
export function endClearing(database: WritableDatabase, id: number): void {
  statement(database, 'DELETE FROM provider_note WHERE job_id = ?').run(id);
  statement(database, 'UPDATE job SET is_clearing = 0 WHERE id = ?').run(id);
}

/** Deletes decisions of deleted jobs that a later one replaced, at most `limit`. */
export const forgetReplacedPicks = (database: WritableDatabase, limit: number): number =>
  statement(
    database,
    `DELETE FROM review_pick WHERE (job_id, row_index) IN (
       SELECT p.job_id, p.row_index FROM review_pick p
       JOIN job j ON j.id = p.job_id AND j.deleted_at IS NOT NULL AND j.is_clearing = 0
       WHERE NOT EXISTS (SELECT 1 FROM review_memory m
         WHERE (m.job_id, m.row_index) = (p.job_id, p.row_index)) LIMIT ?)`,
  ).run(limit).changes;
