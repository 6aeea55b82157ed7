// Jobs that their account has deleted, in the table of jobs.
//
//   ended ──markRemoved──> removed ──after jobUndoMs, deleteJob──> deleted (deleted-job.table.ts)
//     ^ └─────unmarkRemoved──┘
import { jobUndoMs } from '../../contract/limits/jobs.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { changeJob, isShown } from '../job.table.ts';

export interface RemovedJob {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly totalRows: number;
  readonly removedAt: string;
}

const select = `SELECT id, uuid, account_id AS accountId, total_rows AS totalRows,
  removed_at AS removedAt FROM job WHERE removed_at IS NOT NULL AND deleted_at IS NULL`;

/** Hides an ended job. Throws 'job_not_ended' if it has not ended or is hidden already. */
export const markRemoved = (database: WritableDatabase, id: number, at: string): void =>
  changeJob(
    database,
    'job_not_ended',
    `UPDATE job SET removed_at = ? WHERE id = ? AND completed_at IS NOT NULL AND ${isShown}`,
    at,
    id,
  );

/** Shows a hidden job again. Throws 'job_not_removed'. */
export const unmarkRemoved = (database: WritableDatabase, id: number): void =>
  changeJob(
    database,
    'job_not_removed',
    `UPDATE job SET removed_at = NULL
     WHERE id = ? AND removed_at IS NOT NULL AND deleted_at IS NULL`,
    id,
  );

/** The hidden job of an account that can be restored; null if there is none with this UUID. */
export const getRemoved = (
  database: ReadableDatabase,
  accountId: number,
  uuid: string,
): RemovedJob | null =>
  statement<RemovedJob>(database, `${select} AND uuid = ? AND account_id = ?`).get(
    uuid,
    accountId,
  ) ?? null;

/** The hidden job that is deleted first, and when; null if there is none. */
export function nextRemoved(
  database: ReadableDatabase,
): { readonly job: RemovedJob; readonly dueAt: Date } | null {
  const job = statement<RemovedJob>(database, `${select} ORDER BY removed_at LIMIT 1`).get();
  return job ? { job, dueAt: new Date(Date.parse(job.removedAt) + jobUndoMs) } : null;
}

/** Brings times that were set while the clock was ahead back to now. */
export const realignRemoved = (database: WritableDatabase, at: string): void =>
  void statement(
    database,
    `UPDATE job SET removed_at = @at
     WHERE removed_at > @at AND removed_at IS NOT NULL AND deleted_at IS NULL`,
  ).run({ at });
