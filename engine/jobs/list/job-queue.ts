// The queue: jobs start in the order of their places, one at a time, whatever their account. An
// account moves its jobs among the places that they have, so that those of others keep their turn.
import { EngineError } from '../../contract/errors.ts';
import type { JobQueue } from '../../contract/jobs/job-list.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { changeJob, getJob, getJobById, noSuchJob } from '../job.table.ts';
import { presentJob } from '../present-job.ts';

interface QueuedJob {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  readonly kind: string;
  readonly place: number;
  readonly rows: number;
}

/** The queued jobs of all accounts, in the order in which they start. */
const listQueued = (database: ReadableDatabase): QueuedJob[] =>
  statement<QueuedJob>(
    database,
    `SELECT id, uuid, account_id AS accountId, kind, ifnull(queue_place, id) AS place,
       total_rows - processed_rows AS rows
     FROM job WHERE status = 'queued' ORDER BY ifnull(queue_place, id)`,
  ).all();

const countRunningRows = (database: ReadableDatabase): number =>
  statement<{ rows: number | null }>(
    database,
    "SELECT sum(total_rows - processed_rows) AS rows FROM job WHERE status = 'running'",
  ).get()?.rows ?? 0;

const isOf = (accountId: number) => (job: QueuedJob) =>
  job.accountId === accountId && job.kind === 'enrichment';

/** The queued jobs of an account, with the rows of all accounts before each. */
export function readQueue(database: ReadableDatabase, accountId: number): JobQueue {
  let ahead = countRunningRows(database);
  const isOwn = isOf(accountId);
  return listQueued(database).flatMap((queued) => {
    const rowsAhead = ahead;
    ahead += queued.rows;
    const job = isOwn(queued) ? getJobById(database, queued.id) : null;
    return job ? [{ job: presentJob(job), rows_ahead: rowsAhead }] : [];
  });
}

/**
 * Moves a queued job to a place among those of its account, from 1; a place past the last one is
 * the last. Throws `not_found`, and `already_finished` if it does not wait any more.
 */
export function moveJob(
  database: WritableDatabase,
  { accountId, jobId, place }: { accountId: number; jobId: string; place: number },
): void {
  inTransaction(database, () => {
    const own = listQueued(database).filter(isOf(accountId));
    const moved = own.find(({ uuid }) => uuid === jobId);
    if (!moved && !getJob(database, accountId, jobId)) throw noSuchJob();
    if (!moved)
      throw new EngineError(
        'already_finished',
        'This job has started, so it has no place to move.',
      );
    const order = own.filter((job) => job !== moved);
    order.splice(place - 1, 0, moved);
    for (const [at, { id }] of order.entries())
      changeJob(
        database,
        'job_not_queued',
        "UPDATE job SET queue_place = ? WHERE id = ? AND status = 'queued'",
        own[at]?.place,
        id,
      );
  });
}
