// The commands that submit, cancel and retry jobs, on the writing connection.
import { EngineError } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import type { RerunRows } from '../contract/jobs/job-list.ts';
import type { WhenOffline } from '../contract/jobs/offline.ts';
import type { Spending } from '../ledger/approve-spending.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { cancelJob } from './cancel-job.ts';
import { getJob, noSuchJob } from './job.table.ts';
import { setTitle } from './list/job-list.table.ts';
import { moveJob } from './list/job-queue.ts';
import { removeJobs, restoreJobs } from './removal/remove-jobs.ts';
import { createHadValues } from './repeats/had-values.ts';
import { indexBeforePicks } from './repeats/price-picks.ts';
import { rerunJob } from './rerun/rerun-job.ts';
import { applyPicks, type PicksCommand } from './review/apply-picks.ts';
import {
  projectTeamPicks,
  readTeamEvidence,
  type TeamPair,
  type TeamPeople,
} from './review/team-candidates.ts';
import { retryJob, type SubmitCommand, submitJob } from './submit-job.ts';

interface WhenOfflineChange {
  readonly accountId: number;
  readonly jobId: string;
  readonly whenOffline: WhenOffline;
}

interface JobTitle {
  readonly accountId: number;
  readonly jobId: string;
  readonly title: string;
}

/** Jobs of an account, by UUID. */
interface OwnJobs {
  readonly accountId: number;
  readonly jobIds: readonly string[];
}

/** Changes it. Throws `not_found` and `already_finished`. */
export function setWhenOffline(
  database: WritableDatabase,
  { accountId, jobId, whenOffline }: WhenOfflineChange,
): void {
  const job = getJob(database, accountId, jobId);
  if (!job) throw noSuchJob();
  if (endStatuses.includes(job.status))
    throw new EngineError('already_finished', `This job is already ${job.status}.`);
  statement(database, 'UPDATE job SET when_offline = ? WHERE id = ?').run(whenOffline, job.id);
}

function renameJob(database: WritableDatabase, { accountId, jobId, title }: JobTitle): void {
  inTransaction(database, () => {
    const job = getJob(database, accountId, jobId);
    if (!job) throw noSuchJob();
    setTitle(database, job.id, title);
  });
}

interface JobCommandDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly teamDirectory: TeamPeople;
  now(): Date;
  /** Called after a job was queued or cancelled. `jobId` is its UUID. */
  onChange(accountId: number, jobId: string): void;
  onList(accountId: number): void;
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
}: JobCommandDeps) => ({
  ...createHadValues(database),
  /** Throws `validation_error` first, if a layer is switched off for the account. */
  async submitJob(command: SubmitCommand) {
    const answer = submitJob(database, folder, command, now());
    onChange(command.accountId, answer.data.job_id);
    return answer;
  },
  async cancelJob(command: Parameters<typeof cancelJob>[1]) {
    const answer = cancelJob(database, command, now());
    onChange(command.accountId, command.jobId);
    return answer;
  },
  /** Throws `not_found` and `already_finished`. */
  async setWhenOffline(command: WhenOfflineChange) {
    setWhenOffline(database, command);
    onChange(command.accountId, command.jobId);
  },
  checkNetwork: async (_command: null) => onNetwork(),
  async retryJob(command: Spending & { jobId: string }) {
    const data = retryJob(database, folder, command, now());
    onChange(command.accountId, data.job_id);
    return data;
  },
  async rerunJob(command: Spending & { jobId: string; rows: RerunRows }) {
    const data = rerunJob(database, folder, command, now());
    onChange(command.accountId, data.job_id);
    return data;
  },
  /** Throws `not_found`. */
  async renameJob(command: JobTitle) {
    renameJob(database, command);
    onList(command.accountId);
  },
  /** Hides jobs, and deletes their rows once an undo is no longer possible. */
  async removeJobs(command: OwnJobs & { readonly cancel: boolean }) {
    const deleted = removeJobs(database, command, now());
    onList(command.accountId);
    return deleted;
  },
  /** Undoes deletions. Returns the number of jobs. */
  async restoreJobs(command: OwnJobs) {
    const restored = restoreJobs(database, command, now());
    onList(command.accountId);
    return restored;
  },
  /** Moves a queued job to a place among those of its account, from 1. */
  async moveJob(command: Parameters<typeof moveJob>[1]) {
    moveJob(database, command);
    onList(command.accountId);
  },
  /** Applies decisions of a review, all of them or none. */
  async applyPicks(command: PicksCommand) {
    const job = getJob(database, command.accountId, command.jobId);
    if (job) await indexBeforePicks(database, job);
    const team = job
      ? await projectTeamPicks(database, teamDirectory, job, command.picks)
      : new Map();
    const answer = applyPicks(database, folder, command, now(), team);
    if (answer.applied > 0) onChange(command.accountId, command.jobId);
    return answer;
  },
  /** Reads candidates of the team's directory. Rejects with `unavailable`. */
  readTeamEvidence: ({ pairs }: { pairs: readonly TeamPair[] }) =>
    readTeamEvidence(teamDirectory, pairs),
});

export type JobCalls = ReturnType<typeof jobCommands>;
