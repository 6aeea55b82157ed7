// The table `job_batch`: the finished rows of a job, and their count per status.
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { insertRow } from '../../platform/sqlite/rows.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { bytesToFacts, factsToBytes } from './view/row-facts.ts';

/** Rows firstRow to firstRow + rowCount - 1 of a job, done in one transaction. */
export interface BatchRow {
  readonly jobId: number;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly enriched: number;
  readonly skipped: number;
  readonly failed: number;
  readonly at: string;
}

export interface NewBatchRow extends BatchRow {
  readonly parts: Uint8Array;
  /** What filters know of the batch's rows (view/row-facts.ts). */
  readonly facts: Uint32Array;
  /** Rows whose data services could not be asked without a network. */
  readonly waiting?: number;
  /** Rows that a data service has not answered yet. */
  readonly unanswered?: number;
}

/** Why rows of a batch are done again: without a network, or before a service has answered. */
export type RepeatReason = 'waiting' | 'unanswered';

type RepeatedBatch = BatchRow & Readonly<Record<RepeatReason, number>>;

/**
 * Records that a batch is done, in the transaction that writes its results. Throws a SqliteError if
 * it overlaps another ('batch_overlaps') or its counts do not add up.
 */
export function insertBatch(database: WritableDatabase, batch: NewBatchRow): void {
  insertRow(database, 'job_batch', { ...batch, facts: factsToBytes(batch.facts) });
}

/** The last batch of a job, if it or an earlier one has rows to be done again; null otherwise. */
export const findBatchToRepeat = (
  database: ReadableDatabase,
  jobId: number,
  reason: RepeatReason,
): RepeatedBatch | null =>
  statement<RepeatedBatch>(
    database,
    `SELECT job_id AS jobId, first_row AS firstRow, row_count AS rowCount, enriched, skipped,
       failed, at, waiting, unanswered
     FROM job_batch WHERE job_id = @jobId AND first_row >= (SELECT first_row FROM job_batch
       WHERE job_id = @jobId AND ${reason} > 0 ORDER BY first_row LIMIT 1)
     ORDER BY first_row DESC LIMIT 1`,
  ).get({ jobId }) ?? null;

export const deleteBatch = (
  database: WritableDatabase,
  { jobId, firstRow }: Pick<BatchRow, 'jobId' | 'firstRow'>,
): void =>
  void statement(database, 'DELETE FROM job_batch WHERE job_id = ? AND first_row = ?').run(
    jobId,
    firstRow,
  );

/** Replaces the counters of a batch after a review changed some of its rows. */
export function recountBatch(
  database: WritableDatabase,
  batch: Pick<NewBatchRow, 'jobId' | 'firstRow' | 'enriched' | 'skipped' | 'parts' | 'facts'>,
): void {
  statement(
    database,
    `UPDATE job_batch SET enriched = @enriched, skipped = @skipped, parts = @parts,
       facts = @facts, revision = revision + 1
     WHERE job_id = @jobId AND first_row = @firstRow`,
  ).run({ ...batch, facts: factsToBytes(batch.facts) });
}

export const replaceFacts = (
  database: WritableDatabase,
  { jobId, firstRow, facts }: Pick<NewBatchRow, 'jobId' | 'firstRow' | 'facts'>,
): void =>
  void statement(
    database,
    'UPDATE job_batch SET facts = ?, revision = revision + 1 WHERE job_id = ? AND first_row = ?',
  ).run(factsToBytes(facts), jobId, firstRow);

export function* readFacts(database: ReadableDatabase, jobId: number): Generator<Uint32Array> {
  const batches = statement<{ facts: Uint8Array }>(
    database,
    'SELECT facts FROM job_batch WHERE job_id = ? ORDER BY first_row',
  ).all(jobId);
  for (const { facts } of batches) yield bytesToFacts(facts);
}

/** A text that changes whenever a row of the job is written, changed or taken back. */
export function readResultVersion(database: ReadableDatabase, jobId: number): string {
  const state = statement<{ rows: number; revisions: number; at: string | null }>(
    database,
    `SELECT total(row_count) AS rows, total(revision) AS revisions, max(at) AS at
     FROM job_batch WHERE job_id = ?`,
  ).get(jobId);
  return `${state?.rows} ${state?.revisions} ${state?.at}`;
}

/**
 * The batches that contain the rows from `firstRow` to `lastRow`, in order. SQLite prepares a plan
 * that depends on a parameter again for each of its values, and none of `? + 0`.
 */
export const listBatchesBetween = (
  database: ReadableDatabase,
  jobId: number,
  { firstRow, lastRow }: { firstRow: number; lastRow: number },
): BatchRow[] =>
  statement<BatchRow>(
    database,
    `SELECT job_id AS jobId, first_row AS firstRow, row_count AS rowCount, enriched, skipped,
       failed, at
     FROM job_batch WHERE job_id = ? + 0 AND first_row BETWEEN ifnull((SELECT max(first_row)
       FROM job_batch WHERE job_id = ? + 0 AND first_row <= ?), 0) AND ? ORDER BY first_row`,
  ).all(jobId, jobId, firstRow, lastRow);

/** The result of countParts for the batch that starts at a row; null if there is no such batch. */
export const readParts = (
  database: ReadableDatabase,
  jobId: number,
  firstRow: number,
): Uint8Array | null =>
  statement<{ parts: Uint8Array }>(
    database,
    'SELECT parts FROM job_batch WHERE job_id = ? AND first_row = ?',
  ).get(jobId, firstRow)?.parts ?? null;

export const deleteBatches = (database: WritableDatabase, jobId: number): number =>
  statement(database, 'DELETE FROM job_batch WHERE job_id = ?').run(jobId).changes;
