// The table `monitor_job`: the data of a Career Monitor job besides the working job.
//
//   insertMonitorJob ──> (job queued, running) ──endMonitorJob──> paid, its findings open
//                              │                        └───────> locked ──payMonitorJob──> paid
//                              └──(job failed, cancelled)──> nothing is due
import type { MonitorCharge } from '../accounts/account.table.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { JobStatus } from '../contract/jobs/job.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';
import type { FindingCounts } from './finding.table.ts';

export interface MonitorJobRow extends FindingCounts {
  readonly id: number;
  readonly accountId: number;
  readonly monitorId: number | null;
  readonly jobId: number;
  readonly jobUuid: string;
  readonly resultBase: number;
  readonly status: JobStatus;
  readonly title: string;
  readonly fileName: string | null;
  readonly totalRows: number;
  readonly processedRows: number;
  readonly enrichedRows: number;
  readonly errorDetail: string | null;
  readonly keyId: string | null;
  /** The most that its key could spend when it was accepted; null if no key started it. */
  readonly authorisedUnits: CreditUnits | null;
  readonly priceUnits: CreditUnits;
  /** Whether every answer is charged, or those that are new or changed. */
  readonly chargeRule: MonitorCharge;
  /** Unchanged rows with an answer in an earlier run. */
  readonly repeatedRows: number;
  /** result.id of the baseline's first row; null without a baseline. */
  readonly baselineResultBase: number | null;
  /** null until the job has completed. */
  readonly dueUnits: CreditUnits | null;
  readonly paidAt: string | null;
  readonly chargeError: string | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly completedAt: string | null;
  /** Rows of all work before its first; null once it has started. */
  readonly rowsAhead: number | null;
}

const selectMonitorJob = `
  SELECT m.id, m.account_id AS accountId, m.monitor_id AS monitorId, m.job_id AS jobId,
    j.uuid AS jobUuid, j.result_base AS resultBase, j.status, j.title, j.file_name AS fileName,
    j.total_rows AS totalRows, j.processed_rows AS processedRows,
    j.enriched_rows AS enrichedRows, j.error_detail AS errorDetail, m.key_id AS keyId,
    m.authorised_units AS authorisedUnits, m.price_units AS priceUnits,
    m.charge_rule AS chargeRule, m.repeated_rows AS repeatedRows,
    b.result_base AS baselineResultBase,
    m.changed_rows AS changed, m.left_rows AS departed, m.unchanged_rows AS unchanged,
    m.no_match_rows AS noMatch, m.failed_rows AS failed, m.due_units AS dueUnits,
    m.paid_at AS paidAt, m.charge_error AS chargeError, j.created_at AS createdAt,
    j.started_at AS startedAt, j.completed_at AS completedAt,
    CASE j.status WHEN 'queued' THEN (
      SELECT ifnull(sum(a.total_rows - a.processed_rows), 0) FROM job a WHERE a.status = 'running'
        OR a.status = 'queued' AND ifnull(a.queue_place, a.id) < ifnull(j.queue_place, j.id)
    ) END AS rowsAhead
  FROM monitor_job m JOIN job j ON j.id = m.job_id AND j.deleted_at IS NULL
    LEFT JOIN monitor_job o ON o.id = m.baseline_id LEFT JOIN job b ON b.id = o.job_id`;

const findMonitorJob = (
  database: ReadableDatabase,
  rest: string,
  ...values: unknown[]
): MonitorJobRow | null =>
  statement<MonitorJobRow>(database, `${selectMonitorJob} ${rest}`).get(...values) ?? null;

/** Adds a Career Monitor job, in the transaction that inserts its working job. Returns its id. */
export function insertMonitorJob(
  database: WritableDatabase,
  job: Pick<
    MonitorJobRow,
    'accountId' | 'monitorId' | 'jobId' | 'keyId' | 'authorisedUnits' | 'priceUnits' | 'chargeRule'
  > & { readonly baselineId: number | null },
): number {
  return insertRow(database, 'monitor_job', job);
}

/** An account's Career Monitor job; null if it does not exist or belongs to another account. */
export const getMonitorJob = (
  database: ReadableDatabase,
  accountId: number,
  id: number,
): MonitorJobRow | null =>
  findMonitorJob(database, 'WHERE m.id = ? AND m.account_id = ?', id, accountId);

/** The Career Monitor job of a working job, or null. */
export const getMonitorJobByJob = (
  database: ReadableDatabase,
  jobId: number,
): MonitorJobRow | null => findMonitorJob(database, 'WHERE m.job_id = ?', jobId);

/** An account's Career Monitor job by the UUID of its working job, or null. */
export const getMonitorJobByUuid = (
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): MonitorJobRow | null =>
  findMonitorJob(database, 'WHERE j.uuid = ? AND m.account_id = ?', uuid, accountId);

export const getLastMonitorJob = (
  database: ReadableDatabase,
  monitorId: number,
): MonitorJobRow | null =>
  findMonitorJob(database, 'WHERE m.monitor_id = ? ORDER BY m.id DESC LIMIT 1', monitorId);

/** The newest job of a monitor whose findings are open: the baseline of the next one. */
export const findBaselineId = (database: ReadableDatabase, monitorId: number): number | null =>
  statement<{ id: number }>(
    database,
    `SELECT id FROM monitor_job WHERE monitor_id = ? AND paid_at IS NOT NULL
     ORDER BY id DESC LIMIT 1`,
  ).get(monitorId)?.id ?? null;

/** A page of the jobs of an account or a monitor, newest first, and the number of all. */
export function listMonitorJobs(
  database: ReadableDatabase,
  owner: { accountId: number } | { monitorId: number },
  page: { limit: number; offset: number },
): { count: number; jobs: MonitorJobRow[] } {
  const [column, value] =
    'monitorId' in owner ? ['monitor_id', owner.monitorId] : ['account_id', owner.accountId];
  const counted = statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM monitor_job m
       JOIN job j ON j.id = m.job_id AND j.deleted_at IS NULL WHERE m.${column} = ?`,
  ).get(value);
  const jobs = statement<MonitorJobRow>(
    database,
    `${selectMonitorJob} WHERE m.${column} = ? ORDER BY m.id DESC LIMIT ? OFFSET ?`,
  ).all(value, page.limit, page.offset);
  return { count: counted?.count ?? 0, jobs };
}

/** Adds a batch's counts, in the transaction that writes its findings. */
export function advanceMonitorJob(
  database: WritableDatabase,
  id: number,
  counts: FindingCounts,
  repeated: number,
): void {
  statement(
    database,
    `UPDATE monitor_job SET repeated_rows = repeated_rows + ?,
       changed_rows = changed_rows + ?, left_rows = left_rows + ?,
       unchanged_rows = unchanged_rows + ?, no_match_rows = no_match_rows + ?,
       failed_rows = failed_rows + ?
     WHERE id = ?`,
  ).run(
    repeated,
    counts.changed,
    counts.departed,
    counts.unchanged,
    counts.noMatch,
    counts.failed,
    id,
  );
}

/** Records what a completed job costs, and whether it was paid. Throws 'monitor_job_has_ended'. */
export function endMonitorJob(
  database: WritableDatabase,
  id: number,
  end: { dueUnits: CreditUnits; paidAt: string | null; chargeError: string | null },
): void {
  const { changes } = statement(
    database,
    `UPDATE monitor_job SET due_units = ?, paid_at = ?, charge_error = ?
     WHERE id = ? AND due_units IS NULL`,
  ).run(end.dueUnits, end.paidAt, end.chargeError, id);
  if (changes !== 1) throw new Error('monitor_job_has_ended');
}

/** locked → paid, in the transaction that charges. Throws 'monitor_job_not_locked'. */
export function payMonitorJob(database: WritableDatabase, id: number, at: string): void {
  const { changes } = statement(
    database,
    `UPDATE monitor_job SET paid_at = ?, charge_error = NULL
     WHERE id = ? AND charge_error IS NOT NULL`,
  ).run(at, id);
  if (changes !== 1) throw new Error('monitor_job_not_locked');
}
