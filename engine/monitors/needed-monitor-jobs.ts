// Which Career Monitor jobs their monitors still need: the baseline of the next run, and the jobs
// that have the last answers of contacts that the baseline found nothing new about.
import type { EndedJob } from '../jobs/deleted-job.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { findBaselineId } from './monitor-job.table.ts';

function listBaselines(database: ReadableDatabase, monitorId: number): number[] {
  const open = statement<{ id: number }>(
    database,
    `SELECT m.baseline_id AS id FROM monitor_job m JOIN job j ON j.id = m.job_id
     WHERE m.monitor_id = ? AND m.baseline_id IS NOT NULL AND j.completed_at IS NULL`,
  )
    .all(monitorId)
    .map(({ id }) => id);
  const next = findBaselineId(database, monitorId);
  return next === null ? open : [...open, next];
}

/** Whether a monitor that is not deleted needs a job of its own. */
export function isNeededByMonitor(database: ReadableDatabase, job: EndedJob): boolean {
  const monitor = statement<{ id: number; jobId: number }>(
    database,
    `SELECT o.id, m.id AS jobId FROM monitor_job m
     JOIN monitor o ON o.id = m.monitor_id AND o.deleted_at IS NULL WHERE m.job_id = ?`,
  ).get(job.id);
  if (!monitor) return false;
  const firstId = job.resultBase;
  const lastId = firstId + job.totalRows - 1;
  return listBaselines(database, monitor.id).some(
    (baselineId) =>
      baselineId === monitor.jobId ||
      statement(
        database,
        `SELECT 1 FROM monitor_job m JOIN job j ON j.id = m.job_id
         JOIN monitor_finding f
           ON f.id >= j.result_base AND f.id < j.result_base + j.total_rows
         WHERE m.id = ? AND f.known_id BETWEEN ? AND ? LIMIT 1`,
      ).get(baselineId, firstId, lastId) !== undefined,
  );
}

/** Deletes the lists' names of monitors that were deleted before a time, at most `limit`. */
export const forgetDeletedMonitors = (
  database: WritableDatabase,
  { accountId, before, limit }: { accountId: number; before: string; limit: number },
): number =>
  statement(
    database,
    `UPDATE monitor SET title = 'deleted', file_name = NULL, headers = '[]', mapping = '{}',
       problem = NULL
     WHERE id IN (SELECT id FROM monitor WHERE account_id = ? AND deleted_at < ?
       AND headers <> '[]' LIMIT ?)`,
  ).run(accountId, before, limit).changes;
