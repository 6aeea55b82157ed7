// The jobs of an environment as work for the scheduler, one at a time. A job is one step: it runs
// to its end (run-job.ts). The rows of cancelled jobs are removed while no other job waits.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { creditUnits } from '../contract/credits.ts';
import { EngineError, type ErrorCode } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import { teamFailures } from '../contract/jobs/offline.ts';
import { networkCheckMs } from '../contract/limits/waterfall.ts';
import { teamDirectoryNote } from '../contract/providers.ts';
import { resolveHold } from '../ledger/ledger.ts';
import type { NextWork, Turn, WorkSource } from '../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { Waterfalls } from '../providers/waterfall/create-waterfalls.ts';
import { listWanted } from '../providers/waterfall/layer-fields.ts';
import { deleteNote, insertNote } from '../providers/waterfall/provider-note.table.ts';
import type { SharedLoss, SharedRun } from '../shared/queue/ask-shared.ts';
import type { TeamDirectory } from '../shared/settings/team-directory.ts';
import { clearCancelledJob } from './cancel-job.ts';
import { endJob, getJobById, type JobRow, nextCancelledJob } from './job.table.ts';
import type { JobKinds } from './job-kind.ts';
import { nextRunnableJob, nextWaitingFor } from './job-states.ts';
import { rewindJob } from './offline/rewind-job.ts';
import { type RunDeps, runJob } from './run-job.ts';

const isWaiting = ({ waitingRows, processedRows, totalRows }: JobRow): boolean =>
  waitingRows > 0 && processedRows === totalRows;

/** What jobs wait for: data services alone, the server of the team's directory, or its workers. */
const reasons = [null, ...teamFailures] as const;

interface WaitingJobsDeps {
  readonly database: WritableDatabase;
  readonly kinds: JobKinds;
  readonly network: { check(job: JobRow): Promise<boolean> };
  now(): Date;
}

/**
 * Creates the order of waiting jobs. The first check is due at once. Jobs that wait for one thing
 * do not hold up those that wait for another.
 */
export function createWaitingJobs({ database, kinds, network, now }: WaitingJobsDeps) {
  const checksAt = new Map<JobRow['teamFailure'], Date>();
  let signals = 0;
  return {
    /** The job to continue or to check for, or the time of the next check; null if none waits. */
    next(at: Date): NextWork<{ readonly id: string; readonly job: JobRow }> {
      let dueAt: Date | null = null;
      for (const reason of reasons) {
        const job = nextWaitingFor(database, reason);
        if (!job) continue;
        const checkAt = checksAt.get(reason) ?? at;
        const leftMs = checkAt.getTime() - at.getTime();
        // A longer time is left only if the clock was set back.
        const isDue = job.whenOffline === 'leave_out' || leftMs <= 0 || leftMs > networkCheckMs;
        if (isDue) return { item: { id: job.uuid, job } };
        if (dueAt === null || checkAt < dueAt) dueAt = checkAt;
      }
      return dueAt && { dueAt };
    },
    /** Takes back the rows that wait if there is a network. Returns whether the job can be run. */
    async resume(job: JobRow, { isStopping }: Pick<Turn, 'isStopping'>): Promise<boolean> {
      if (job.whenOffline === 'leave_out') return true;
      const before = signals;
      if (!(await network.check(job))) {
        // A signal during the check may be newer than its result: the next check is due at once.
        if (signals === before)
          checksAt.set(job.teamFailure, new Date(now().getTime() + networkCheckMs));
        return false;
      }
      const options = { reason: 'waiting' as const, isStopping, pause: yieldThread };
      await rewindJob(database, kinds, job.id, options);
      return true;
    },
    /** Makes the next check due. */
    checkNetwork() {
      checksAt.clear();
      signals += 1;
    },
  };
}

// Ends a job that cannot continue as failed, without a charge. Its result returns the error.

/** Releases the whole hold and ends the job as failed. Finished rows are kept for a retry. */
export function failJob(
  database: WritableDatabase,
  id: number,
  failure: { code: ErrorCode; detail: string },
  now: Date,
): JobRow | null {
  const at = now.toISOString();
  return inTransaction(database, () => {
    const job = getJobById(database, id);
    if (!job || endStatuses.includes(job.status)) return job;
    // The job of a monitor has no hold: it is charged at its end.
    const { releasedUnits } =
      job.holdId === null
        ? { releasedUnits: creditUnits(0) }
        : resolveHold(database, job.holdId, creditUnits(0), at);
    endJob(database, id, {
      status: 'failed',
      chargedUnits: creditUnits(0),
      releasedUnits,
      error: failure.code,
      errorDetail: failure.detail,
      at,
    });
    return getJobById(database, id);
  });
}

export interface JobEvents {
  wallet(accountId: number): void;
  job(job: JobRow): void;
  /** Returns a function to call after each batch of a job; it sends a few events a second. */
  followJob(): (job: JobRow) => void;
  /** A job waits: for resources of the machine, or for the index of a changed directory. */
  waitingJob(job: JobRow, shortage: EngineError): void;
}

export interface JobSourceDeps
  extends Omit<RunDeps, 'waterfall' | 'shared' | 'onProgress' | 'onStale' | 'isStopping'> {
  readonly waterfalls: Waterfalls;
  /** The shared directory; without it, jobs ask none. */
  readonly teamDirectory?:
    | Pick<TeamDirectory, 'openRun' | 'check' | 'checkWorkers' | 'clearEnded'>
    | undefined;
  readonly events: JobEvents;
}

interface JobItem {
  readonly id: string;
  readonly job: JobRow;
}

export interface JobSource extends WorkSource<JobItem> {
  /** Makes the next check for the network due. Wake the scheduler afterwards. */
  checkNetwork(): void;
}

function noteLoss({ database, now }: JobSourceDeps, jobId: number, loss: SharedLoss): void {
  insertNote(database, {
    jobId,
    provider: teamDirectoryNote,
    failure: loss.reason,
    at: now().toISOString(),
    detail: `Rows that your own directory does not know were not looked up. ${loss.detail}`,
  });
}

/** The run, which records a loss before the first rows that wait because of it are written. */
function noteLosses(deps: JobSourceDeps, jobId: number, shared: SharedRun): SharedRun {
  let isNoted = false;
  return {
    ...shared,
    async ask(rows) {
      const answer = await shared.ask(rows);
      const loss = shared.loss();
      if (loss && !isNoted) noteLoss(deps, jobId, loss);
      isNoted ||= loss !== null;
      return answer;
    },
  };
}

/** Closes a run over the shared directory, and records whether rows were not looked up in it. */
function endShared(deps: JobSourceDeps, jobId: number, shared: SharedRun): void {
  const { database } = deps;
  const job = getJobById(database, jobId);
  const loss = shared.loss();
  const isDone = job?.status === 'completed' && job.waitingRows === 0;
  if (job && loss) noteLoss(deps, jobId, loss);
  else if (isDone || shared.hasAnswered()) deleteNote(database, jobId, teamDirectoryNote);
  // In the background: a worker may still hold a batch.
  void shared.close(job?.status !== 'running');
}

const staleIndex = new EngineError(
  'unavailable',
  'People were removed from the directory, which is being indexed.',
);

/** @param onOpen receives what ends the requests of the shared directory and the providers */
async function runAsked(
  deps: JobSourceDeps,
  job: JobRow,
  isStopping: Turn['isStopping'],
  onOpen: (stop: () => void) => void,
): Promise<void> {
  const { database, events, teamDirectory, waterfalls } = deps;
  const { id, codes, providerCap, via } = job;
  const scope = {
    jobId: id,
    wanted: listWanted(codes),
    asks: job.usesProviders === 1,
    providerCap,
    via: via ?? undefined,
    defersOffline: true,
  };
  const waterfall = waterfalls.open(scope) ?? undefined;
  const opened = await teamDirectory?.openRun(job.uuid, codes, { leavesSilence: true });
  const shared = opened && noteLosses(deps, id, opened);
  onOpen(() => {
    waterfall?.stop();
    shared?.stop();
  });
  try {
    const run = {
      ...deps,
      waterfall,
      shared,
      isStopping,
      onProgress: events.followJob(),
      onStale: (stale: JobRow) => events.waitingJob(stale, staleIndex),
    };
    await runJob(run, id);
    const after = getJobById(database, id);
    if (after && isWaiting(after)) events.job(after);
    else events.wallet(job.accountId);
  } finally {
    if (shared) endShared(deps, id, shared);
  }
}

/** Creates the source. Wake its scheduler when a job was queued, was cancelled or can continue. */
export function createJobSource(deps: JobSourceDeps): JobSource {
  const { database, events, now, waterfalls } = deps;
  let current: { readonly id: number; stop(): void } | null = null;

  const runOne = async (id: number, { isStopping }: Turn): Promise<void> => {
    // Nothing can be matched before the first index.
    await deps.whenGeneration(0);
    const job = getJobById(database, id);
    if (!job || endStatuses.includes(job.status) || isStopping()) return;
    // Another job may have been moved before it meanwhile.
    if (job.status === 'queued' && nextRunnableJob(database)?.id !== id) return;
    try {
      await runAsked(deps, job, isStopping, (stop) => {
        current = { id, stop };
      });
    } finally {
      current = null;
    }
  };
  const check = async ({ uuid, teamFailure }: JobRow) => {
    const { teamDirectory } = deps;
    if (teamFailure === 'no_worker') return (await teamDirectory?.checkWorkers(uuid)) !== false;
    const isOnline = await waterfalls.network.check();
    return isOnline && (teamFailure === null || (await teamDirectory?.check()) !== false);
  };
  const waitingJobs = createWaitingJobs({ ...deps, network: { check } });
  const runWaiting = async (job: JobRow, turn: Turn): Promise<void> => {
    if (await waitingJobs.resume(job, turn)) await runOne(job.id, turn);
  };
  const clear = (job: JobRow, { isStopping }: Turn) => {
    // It may have waited, so that no run could do it.
    void deps.teamDirectory?.clearEnded();
    return clearCancelledJob(database, deps.kinds, job, { pause: yieldThread, isStopping });
  };
  return {
    name: 'job',
    inFlightMax: 1,
    next({ at }) {
      const runnable = nextRunnableJob(database);
      const waiting = runnable ? null : waitingJobs.next(at);
      if (waiting && 'item' in waiting) return waiting;
      const job = runnable ?? nextCancelledJob(database);
      return job ? { item: { id: job.uuid, job } } : waiting;
    },
    run({ job }, turn) {
      if (job.status === 'cancelled') return clear(job, turn);
      return isWaiting(job) ? runWaiting(job, turn) : runOne(job.id, turn);
    },
    checkNetwork: waitingJobs.checkNetwork,
    waiting({ job: { id } }, shortage) {
      // A full disk does not fail the job: its committed rows are kept, and it continues later.
      const job = getJobById(database, id);
      if (job && job.status !== 'cancelled') events.waitingJob(job, shortage);
    },
    fail({ job: { id, status } }, { code, detail }) {
      if (status === 'cancelled') return;
      const rest = code === 'internal_error' ? ' Retry the job: finished rows are kept.' : '';
      const failed = failJob(database, id, { code, detail: `${detail}${rest}` }, now());
      if (failed) events.job(failed);
    },
    onWake() {
      const job = current && getJobById(database, current.id);
      // A job that has ended needs no more answers.
      if (!job || endStatuses.includes(job.status)) current?.stop();
    },
    abandon: () => current?.stop(),
  };
}
