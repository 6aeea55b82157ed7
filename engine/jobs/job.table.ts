// The table `job`: the order, the progress and the credits of a job.
//
//   insertJob ──> queued ──startJob──> running ──endJob──> completed
//                   │ ^                   │ ──endJob──────> failed ──requeueJob──> queued
//                   │ └── requeueJob      └──endJob──────> cancelled
//                   └──endJob──> failed, cancelled
//
// Each change states the required status in its WHERE clause and fails on any other status.

import { z } from 'zod';
import type { ChargePolicy } from '../accounts/account.table.ts';
import { type CreditUnits, creditUnits } from '../contract/credits.ts';
import { type EngineError, notFound } from '../contract/errors.ts';
import { type JobOptions, JobOptionsSchema } from '../contract/jobs/app-jobs.ts';
import type { JobStatus } from '../contract/jobs/job.ts';
import { type LayerCode, LayerCodeSchema } from '../contract/jobs/layers.ts';
import type { TeamFailure } from '../contract/jobs/offline.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { teamDirectoryNote } from '../contract/providers.ts';
import { ColumnMappingSchema } from '../contract/uploads.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { type JsonColumns, readJsonColumns } from '../platform/sqlite/read-json.ts';
import { insertRow, selectColumns } from '../platform/sqlite/rows.ts';
import { rememberUntilCommit, statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';

/** An enrichment, or the work of a Career Monitor job (monitors/monitor-job.table.ts). */
export type JobKind = 'enrichment' | 'monitor';

interface JobOrder {
  readonly uuid: string;
  readonly accountId: number;
  readonly title: string;
  readonly codes: LayerCode[];
  readonly prices: Partial<Record<LayerCode, CreditUnits>>;
  readonly pricePerRowUnits: CreditUnits;
  readonly chargePolicy: ChargePolicy;
  readonly matchThreshold: number;
  readonly totalRows: number;
  readonly holdId: number | null;
  /** The amount of the hold. Unchanged when the hold is resolved. */
  readonly heldUnits: CreditUnits;
  /** Headers of the caller's table, unchanged. */
  readonly headers: string[];
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
  readonly inferEmails: 0 | 1;
  readonly retryOf: string | null;
  /** Ids of the requests by which other engines passed the rows on; null if none did. */
  readonly via?: readonly string[] | null;
}

export const storeOptions = (options: JobOptions) => ({
  newSince: options.new_since ?? null,
  usesProviders: options.use_providers ? 1 : 0,
  whenOffline: options.when_offline,
});

export type StoredOptions = Readonly<ReturnType<typeof storeOptions>>;

const optionColumns = Object.keys(storeOptions(JobOptionsSchema.parse({})));

export const optionsOf = (job: StoredOptions): StoredOptions =>
  Object.fromEntries(Object.entries(job).filter(([name]) => optionColumns.includes(name))) as never;

interface JobRules extends StoredOptions {
  /** Days before the submission within which the layers of a person are not charged again. */
  readonly freeRepeatDays: number;
  /** The most that it may spend at each data service, in its credits; null for no limit. */
  readonly providerCap: number | null;
}

export interface JobRow extends JobOrder, JobRules {
  readonly id: number;
  readonly kind: JobKind;
  readonly status: JobStatus;
  /** enrichedRows + skippedRows + failedRows, at most totalRows. */
  readonly processedRows: number;
  readonly enrichedRows: number;
  readonly skippedRows: number;
  readonly failedRows: number;
  readonly duplicateRows: number;
  readonly paidBeforeRows: number;
  /** Skipped rows about people of the job `newSince`. */
  readonly knownRows: number;
  /** Processed rows whose data services could not be asked without a network, and since when. */
  readonly waitingRows: number;
  readonly waitingSince: string | null;
  /** Why rows were not looked up in the team's directory; null if they were. */
  readonly teamFailure: TeamFailure | null;
  /** Processed rows that a data service has not answered yet. They are done again. */
  readonly unansweredRows: number;
  /** The amount to settle if the job were completed with the rows done so far. */
  readonly pendingChargeUnits: CreditUnits;
  /** 0 until the job has ended; then chargedUnits + releasedUnits = heldUnits. */
  readonly chargedUnits: CreditUnits;
  readonly releasedUnits: CreditUnits;
  /** Price of the picks of a review, in addition to that; 0 unless the job is completed. */
  readonly reviewedUnits: CreditUnits;
  /** result.id of row 0. The job's results have the ids up to resultBase + totalRows - 1. */
  readonly resultBase: number;
  /** 1 after the provider behind the directory accepted rows of this job since its last start. */
  readonly upstreamAccepted: 0 | 1;
  /** The columns of the stored order that cannot be read, and are empty here; null if none. */
  readonly damage: string | null;
  readonly error: string | null;
  readonly errorDetail: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
}

/** `at` is the time of submission; an enrichment without rules, with data services, by default. */
export interface NewJob extends Omit<JobOrder, 'inferEmails'>, Partial<JobRules> {
  readonly inferEmails?: 0 | 1;
  readonly kind?: JobKind;
  readonly at: string;
}

const selectJob = `
  SELECT ${selectColumns(`
    id kind uuid accountId title status codes prices pricePerRowUnits chargePolicy matchThreshold
    totalRows processedRows enrichedRows skippedRows failedRows pendingChargeUnits holdId heldUnits
    chargedUnits releasedUnits reviewedUnits resultBase upstreamAccepted headers mapping fileName
    error errorDetail retryOf freeRepeatDays via waitingRows waitingSince unansweredRows providerCap
    inferEmails duplicateRows paidBeforeRows knownRows createdAt startedAt completedAt
    ${optionColumns.join(' ')}`)},
    (SELECT failure FROM provider_note
     WHERE job_id = job.id AND provider = '${teamDirectoryNote}') AS teamFailure
  FROM job`;

/** An enrichment job that is not deleted. */
export const isShown = "kind = 'enrichment' AND deleted_at IS NULL AND removed_at IS NULL";

type JsonColumn = 'codes' | 'prices' | 'headers' | 'mapping' | 'via';
type JobRecord = Omit<JobRow, JsonColumn | 'damage'> & Record<JsonColumn, string | null>;

const jsonColumns: JsonColumns<Required<Pick<JobRow, JsonColumn>>> = {
  codes: [z.array(LayerCodeSchema), []],
  prices: [z.partialRecord(LayerCodeSchema, z.int().transform(creditUnits)), {}],
  headers: [z.array(z.string()), []],
  mapping: [ColumnMappingSchema, {}],
  via: [z.array(z.string()).nullable(), null],
};

const readJob = (record: JobRecord): JobRow => ({
  ...record,
  ...readJsonColumns(record, jsonColumns),
});

/** The first job that the rest of a statement selects, or null. */
export function findJob(
  database: ReadableDatabase,
  rest: string,
  ...values: unknown[]
): JobRow | null {
  const record = statement<JobRecord>(database, `${selectJob} ${rest}`).get(...values);
  return record ? readJob(record) : null;
}

/** Runs a change that must affect exactly one job in the right state; else throws `refusal`. */
export function changeJob(
  database: WritableDatabase,
  refusal: string,
  sql: string,
  ...values: unknown[]
): void {
  if (statement(database, sql).run(...values).changes !== 1) throw new Error(refusal);
}

/** Adds a queued job and reserves the next range of result ids for it. */
export function insertJob(database: WritableDatabase, job: NewJob): JobRow {
  return inTransaction(database, () => {
    const range = statement<{ nextBase: number }>(
      database,
      'UPDATE result_range SET next_base = next_base + ? RETURNING next_base AS nextBase',
    ).get(job.totalRows);
    if (!range) throw new Error('result_range_missing');
    const { codes, prices, headers, mapping, via, at, ...columns } = job;
    const id = insertRow(database, 'job', {
      ...columns,
      status: 'queued',
      codes: JSON.stringify(codes),
      prices: JSON.stringify(prices),
      headers: JSON.stringify(headers),
      mapping: JSON.stringify(mapping),
      via: via ? JSON.stringify(via) : null,
      resultBase: range.nextBase - job.totalRows,
      createdAt: at,
    });
    const inserted = getJobById(database, id);
    if (!inserted) throw new Error('job_not_inserted');
    return inserted;
  });
}

/** An account's enrichment job by UUID; null if it does not exist or belongs to another account. */
export const getJob = (
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): JobRow | null =>
  rememberUntilCommit(database, `job ${accountId} ${uuid}`, () =>
    findJob(database, `WHERE uuid = ? AND account_id = ? AND ${isShown}`, uuid, accountId),
  );

export const noSuchJob = (): EngineError =>
  notFound('This job does not exist. List your jobs to find its id.');

/** A job of either kind by its row id, also if it is deleted, or null. */
export const getJobById = (database: ReadableDatabase, id: number): JobRow | null =>
  findJob(database, 'WHERE id = ?', id);

/** A page of enrichment jobs, newest first, and the number of all (of `status`, if given). */
export function listJobs(
  database: ReadableDatabase,
  accountId: number,
  page: { limit: number; offset: number; status?: JobStatus | undefined },
): { count: number; jobs: JobRow[] } {
  const own = `WHERE account_id = ? AND ${isShown}`;
  const where = page.status ? `${own} AND status = ?` : own;
  const values = page.status ? [accountId, page.status] : [accountId];
  const counted = statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM job ${where}`,
  ).get(...values);
  const records = statement<JobRecord>(
    database,
    `${selectJob} ${where} ORDER BY id DESC LIMIT ? OFFSET ?`,
  ).all(...values, page.limit, page.offset);
  return { count: counted?.count ?? 0, jobs: records.map(readJob) };
}

/** queued → running. Throws 'job_not_queued'. */
export function startJob(database: WritableDatabase, id: number, at: string): void {
  changeJob(
    database,
    'job_not_queued',
    `UPDATE job SET status = 'running', started_at = ? WHERE id = ? AND status = 'queued'`,
    at,
    id,
  );
}

/**
 * Adds a batch's counts to a running job. Corrections may be negative. Throws 'job_not_running',
 * and a SqliteError if the counts do not add up.
 */
export function advanceJob(
  database: WritableDatabase,
  id: number,
  deltas: {
    processed: number;
    enriched: number;
    skipped: number;
    failed: number;
    pendingChargeUnits: number;
    duplicates?: number;
    paidBefore?: number;
    known?: number;
    waiting?: number;
    /** The time since when rows wait, if none did. */
    waitingSince?: string;
    unanswered?: number;
  },
): void {
  changeJob(
    database,
    'job_not_running',
    `UPDATE job SET processed_rows = processed_rows + ?, enriched_rows = enriched_rows + ?,
       skipped_rows = skipped_rows + ?, failed_rows = failed_rows + ?,
       pending_charge_units = pending_charge_units + ?, duplicate_rows = duplicate_rows + ?,
       paid_before_rows = paid_before_rows + ?, known_rows = known_rows + ?,
       waiting_rows = waiting_rows + ?,
       waiting_since = iif(waiting_rows + ? = 0, NULL, ifnull(waiting_since, ?)),
       unanswered_rows = unanswered_rows + ?
     WHERE id = ? AND status = 'running'`,
    deltas.processed,
    deltas.enriched,
    deltas.skipped,
    deltas.failed,
    deltas.pendingChargeUnits,
    deltas.duplicates ?? 0,
    deltas.paidBefore ?? 0,
    deltas.known ?? 0,
    deltas.waiting ?? 0,
    deltas.waiting ?? 0,
    deltas.waitingSince ?? null,
    deltas.unanswered ?? 0,
    id,
  );
}

/** Records that the provider behind the directory accepted rows. Throws 'job_not_running'. */
export function noteUpstreamAccepted(database: WritableDatabase, id: number): void {
  changeJob(
    database,
    'job_not_running',
    "UPDATE job SET upstream_accepted = 1 WHERE id = ? AND status = 'running'",
    id,
  );
}

const endUpdate = `
  UPDATE job SET status = ?, charged_units = ?, released_units = ?, error = ?, error_detail = ?,
    completed_at = ?
  WHERE id = ?`;

/**
 * Ends a job in the transaction that resolves its hold: a running job with any final status, a
 * queued job as failed or cancelled. Throws 'job_already_ended' ('job_not_running' if it is to be
 * completed), and a SqliteError if units or rows do not add up.
 */
export function endJob(
  database: WritableDatabase,
  id: number,
  end: {
    status: 'completed' | 'failed' | 'cancelled';
    chargedUnits: CreditUnits;
    releasedUnits: CreditUnits;
    error?: string | null | undefined;
    errorDetail?: string | null | undefined;
    at: string;
  },
): void {
  const isCompleted = end.status === 'completed';
  changeJob(
    database,
    isCompleted ? 'job_not_running' : 'job_already_ended',
    isCompleted
      ? `${endUpdate} AND status = 'running'`
      : `${endUpdate} AND status IN ('queued', 'running')`,
    end.status,
    end.chargedUnits,
    end.releasedUnits,
    end.error ?? null,
    end.errorDetail ?? null,
    end.at,
    id,
  );
}

/**
 * failed → queued, with a new hold. Finished rows are kept. The job keeps its time of submission,
 * and gets a new start. Throws 'job_not_failed'.
 */
export function requeueJob(
  database: WritableDatabase,
  id: number,
  renewed: Pick<JobOrder, 'holdId' | 'heldUnits'> & Pick<JobRules, 'providerCap'>,
): void {
  changeJob(
    database,
    'job_not_failed',
    `UPDATE job SET status = 'queued', hold_id = ?, held_units = ?, provider_cap = ?,
       charged_units = 0, released_units = 0, upstream_accepted = 0, error = NULL,
       error_detail = NULL, started_at = NULL, completed_at = NULL
     WHERE id = ? AND status = 'failed'`,
    renewed.holdId,
    renewed.heldUnits,
    renewed.providerCap,
    id,
  );
}

/** The oldest cancelled job with batches, whose results must be deleted; null without one. */
export const nextCancelledJob = (database: ReadableDatabase): JobRow | null =>
  findJob(
    database,
    `WHERE status = 'cancelled' AND id IN (SELECT job_id FROM job_batch) ORDER BY id LIMIT 1`,
  );

/** Whether any account has a job of this UUID that is not deleted. */
export const hasJob = (database: ReadableDatabase, uuid: string): boolean =>
  statement(database, 'SELECT 1 FROM job WHERE uuid = ? AND deleted_at IS NULL').get(uuid) !==
  undefined;

/** Inputs of all jobs in the order of row id, above `afterId`, at most `limit`. */
export const listJobInputs = (
  database: ReadableDatabase,
  afterId: number,
  limit: number,
): { id: number; uuid: string; rowCount: number }[] =>
  statement<{ id: number; uuid: string; rowCount: number }>(
    database,
    `SELECT id, uuid, total_rows AS rowCount FROM job WHERE id > ? AND deleted_at IS NULL
     ORDER BY id LIMIT ?`,
  ).all(afterId, limit);
