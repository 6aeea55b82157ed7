/** The commands that submit, cancel and retry jobs, on the writing connection. */

import { EngineError } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { cancelJob } from './cancel-job.ts';
import { getJob } from './job.table.ts';
import type { JobCalls } from './jobs.commands.ts';
import { setTitle } from './list/job-list.table.ts';
import { moveJob } from './list/job-queue.ts';
import { removeJobs, restoreJobs } from './removal/remove-jobs.ts';
import { indexBeforePicks } from './repeats/price-picks.ts';
import { rerunJob } from './rerun/rerun-job.ts';
import { applyPicks } from './review/apply-picks.ts';
import { projectTeamPicks, readTeamEvidence, type TeamPeople } from './review/team-candidates.ts';
import { retryJob, submitJob } from './submit-job.ts';

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

/** Renames a job of an account. Throws `not_found`. */
function renameJob(
  database: WritableDatabase,
  { accountId, jobId, title }: { accountId: number; jobId: string; title: string },
): void {
  inTransaction(database, () => {
    const job = getJob(database, accountId, jobId);
    if (!job) throw new EngineError('not_found', 'This job does not exist.');
    setTitle(database, job.id, title);
  });
}

interface JobCommandDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly teamDirectory: TeamPeople;
  /** Wall clock. */
  now(): Date;
  /** Called after a job was queued or cancelled. `jobId` is its UUID. */
  onChange(accountId: number, jobId: string): void;
  /** Called after jobs were renamed, deleted, restored or moved in the queue. */
  onList(accountId: number): void;
  /** Called when the network may have returned. */
  onNetwork(): void;
}

/** Creates the handlers. Each rejects with the EngineError of the rule that it calls. */
export const jobCommands = ({
  database,
  folder,
  teamDirectory,
  now,
  onChange,
  onList,
  onNetwork,
}: JobCommandDeps): JobCalls => ({
  async submitJob(command) {
    const answer = submitJob(database, folder, command, now());
    onChange(command.accountId, answer.data.job_id);
    return answer;
  },
  async cancelJob(command) {
    const answer = cancelJob(database, command, now());
    onChange(command.accountId, command.jobId);
    return answer;
  },
  async setWhenOffline(command) {
    setWhenOffline(database, command);
    onChange(command.accountId, command.jobId);
  },
  checkNetwork: async () => onNetwork(),
  async retryJob(command) {
    const data = retryJob(database, folder, command, now());
    onChange(command.accountId, data.job_id);
    return data;
  },
  async rerunJob(command) {
    const data = rerunJob(database, folder, command, now());
    onChange(command.accountId, data.job_id);
    return data;
  },
  async renameJob(command) {
    renameJob(database, command);
    onList(command.accountId);
  },
  async removeJobs(command) {
    const deleted = removeJobs(database, command, now());
    onList(command.accountId);
    return deleted;
  },
  async restoreJobs(command) {
    const restored = restoreJobs(database, command, now());
    onList(command.accountId);
    return restored;
  },
  async moveJob(command) {
    moveJob(database, command);
    onList(command.accountId);
  },
  async applyPicks(command) {
    const job = getJob(database, command.accountId, command.jobId);
    if (job) await indexBeforePicks(database, job);
    const team = job
      ? await projectTeamPicks(database, teamDirectory, job, command.picks)
      : new Map();
    const answer = applyPicks(database, folder, command, now(), team);
    if (answer.applied > 0) onChange(command.accountId, command.jobId);
    return answer;
  },
  readTeamEvidence: ({ pairs }) => readTeamEvidence(teamDirectory, pairs),
});
