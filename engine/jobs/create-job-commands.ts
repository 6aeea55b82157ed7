// The commands that submit, cancel and retry jobs, on the writing connection.
import type { CommandsOf } from '../contract/endpoints.ts';
import { EngineError } from '../contract/errors.ts';
import { endStatuses, type jobs } from '../contract/jobs/job.ts';
import type { jobList } from '../contract/jobs/job-list.ts';
import type { WhenOffline } from '../contract/jobs/offline.ts';
import type { Spending } from '../ledger/approve-spending.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { cancelJob } from './cancel-job.ts';
import { getJob, type JobRow, noSuchJob } from './job.table.ts';
import { setTitle } from './list/job-list.table.ts';
import { moveJob, readQueue } from './list/job-queue.ts';
import { presentJob } from './present-job.ts';
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

function findOwnJob(database: ReadableDatabase, accountId: number, jobId: string): JobRow {
  const job = getJob(database, accountId, jobId);
  if (!job) throw noSuchJob();
  return job;
}

/** Changes it. Throws `not_found` and `already_finished`. */
export function setWhenOffline(
  database: WritableDatabase,
  { accountId, jobId, whenOffline }: { accountId: number; jobId: string; whenOffline: WhenOffline },
): void {
  const job = findOwnJob(database, accountId, jobId);
  if (endStatuses.includes(job.status))
    throw new EngineError('already_finished', `This job is already ${job.status}.`);
  statement(database, 'UPDATE job SET when_offline = ? WHERE id = ?').run(whenOffline, job.id);
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

/** The calls of the tables that change jobs, with the errors of the rules that they call. */
const namedCommands = ({
  database,
  folder,
  now,
  onChange,
  onList,
  onNetwork,
}: Omit<JobCommandDeps, 'teamDirectory'>) =>
  ({
    async 'jobs.cancel'({ accountId, job_id: jobId }) {
      const answer = cancelJob(database, { accountId, jobId }, now());
      onChange(accountId, jobId);
      return answer;
    },
    async 'jobs.setWhenOffline'({ accountId, job_id: jobId, when_offline: whenOffline }) {
      setWhenOffline(database, { accountId, jobId, whenOffline });
      onChange(accountId, jobId);
      return presentJob(findOwnJob(database, accountId, jobId));
    },
    async 'jobs.checkNetwork'() {
      onNetwork();
      return { checking: true };
    },
    async 'jobList.rename'({ accountId, job_id: jobId, title }) {
      setTitle(database, findOwnJob(database, accountId, jobId).id, title);
      onList(accountId);
      return presentJob(findOwnJob(database, accountId, jobId));
    },
    async 'jobList.remove'({ accountId, job_ids: jobIds, cancel }) {
      const deleted = removeJobs(database, { accountId, jobIds, cancel }, now());
      onList(accountId);
      return deleted;
    },
    async 'jobList.restore'({ accountId, job_ids: jobIds }) {
      const restored = restoreJobs(database, { accountId, jobIds }, now());
      onList(accountId);
      return { restored };
    },
    async 'jobList.move'({ accountId, job_id: jobId, place }) {
      moveJob(database, { accountId, jobId, place });
      onList(accountId);
      return readQueue(database, accountId);
    },
    async 'jobList.rerun'({ accountId, job_id: jobId, rows }) {
      const data = rerunJob(database, folder, { accountId, jobId, rows, keyId: null }, now());
      onChange(accountId, data.job_id);
      return data;
    },
  }) satisfies CommandsOf<typeof jobs> & CommandsOf<typeof jobList>;

/** Creates the handlers. Each rejects with the EngineError of the rule that it calls. */
export const jobCommands = (deps: JobCommandDeps) => {
  const { database, folder, teamDirectory, now, onChange } = deps;
  return {
    ...namedCommands(deps),
    ...createHadValues(database),
    /** Throws `validation_error` first, if a layer is switched off for the account. */
    async submitJob(command: SubmitCommand) {
      const answer = submitJob(database, folder, command, now());
      onChange(command.accountId, answer.data.job_id);
      return answer;
    },
    async retryJob(command: Spending & { jobId: string }) {
      const data = retryJob(database, folder, command, now());
      onChange(command.accountId, data.job_id);
      return data;
    },
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
  };
};

export type JobCalls = ReturnType<typeof jobCommands>;
