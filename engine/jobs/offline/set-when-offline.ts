/** Changes what a job does without a network, also while it waits for one. */
import { EngineError } from '../../contract/errors.ts';
import { endStatuses } from '../../contract/jobs/job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { getJob } from '../job.table.ts';
import type { JobCalls } from '../jobs.commands.ts';

/** Changes it. Throws `not_found` and `already_finished`. */
export function setWhenOffline(
  database: WritableDatabase,
  { accountId, jobId, whenOffline }: Parameters<JobCalls['setWhenOffline']>[0],
): void {
  const job = getJob(database, accountId, jobId);
  if (!job)
    throw new EngineError('not_found', 'This job does not exist. List your jobs with GET /jobs/.');
  if (endStatuses.includes(job.status))
    throw new EngineError('already_finished', `This job is already ${job.status}.`);
  statement(database, 'UPDATE job SET when_offline = ? WHERE id = ?').run(whenOffline, job.id);
}
