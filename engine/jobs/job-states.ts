// Which job runs next, which ones wait, and which have ended.
import { endStatuses } from '../contract/jobs/job.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { findJob, isShown, type JobRow } from './job.table.ts';

const isWaiting = 'waiting_rows > 0 AND processed_rows = total_rows';

/** The oldest running job that does not wait, otherwise the first queued one, otherwise null. */
export const nextRunnableJob = (database: ReadableDatabase): JobRow | null =>
  findJob(database, `WHERE status = 'running' AND NOT (${isWaiting}) ORDER BY id LIMIT 1`) ??
  findJob(database, "WHERE status = 'queued' ORDER BY ifnull(queue_place, id) LIMIT 1");

const waitingOnes = `WHERE status = 'running' AND ${isWaiting}`;
const oldest = 'ORDER BY when_offline, id LIMIT 1';

/** The oldest job that waits, or goes on without what it waits for; null if there is none. */
export const nextWaitingJob = (database: ReadableDatabase): JobRow | null =>
  findJob(database, `${waitingOnes} ${oldest}`);

/** The oldest one whose rows the team's directory failed for a reason, or not at all (null). */
export const nextWaitingFor = (
  database: ReadableDatabase,
  reason: JobRow['teamFailure'],
): JobRow | null => findJob(database, `${waitingOnes} AND teamFailure IS ? ${oldest}`, reason);

/** Number of an account's enrichment jobs that are running now, without queued ones. */
export const countRunning = (database: ReadableDatabase, accountId: number): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM job WHERE account_id = ? AND status = 'running' AND ${isShown}`,
  ).get(accountId)?.count ?? 0;

/** Whether a job of either kind has ended; false if it does not exist. */
export function hasJobEnded(database: ReadableDatabase, uuid: string): boolean {
  const job = findJob(database, 'WHERE uuid = ?', uuid);
  return job !== null && endStatuses.includes(job.status);
}
