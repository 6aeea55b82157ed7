/**
 * The jobs of an environment as work for the scheduler, one at a time. A job is one step: it runs
 * to
 * its end (run-job.ts). The rows of cancelled jobs are removed while no other job waits.
 */
import { setImmediate as yieldThread } from 'node:timers/promises';
import type { EngineError } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import type { Turn, WorkSource } from '../platform/scheduler/work-source.ts';
import type { Waterfalls } from '../providers/waterfall/create-waterfalls.ts';
import { listWanted } from '../providers/waterfall/layer-fields.ts';
import type { Waterfall } from '../providers/waterfall/waterfall-run.ts';
import { clearCancelledJob } from './cancel-job.ts';
import { failJob } from './fail-job.ts';
import { getJobById, type JobRow, nextCancelledJob, nextRunnableJob } from './job.table.ts';
import { createWaitingJobs, isWaiting } from './offline/waiting-jobs.ts';
import { type RunDeps, runJob } from './run-job.ts';

/** The events of jobs for the app. */
export interface JobEvents {
  /** The current balance of an account. */
  wallet(accountId: number): void;
  /** The current state of a job, with the balance of its account. */
  job(job: JobRow): void;
  /** Returns a function to call after each batch of a job; it sends a few events a second. */
  followJob(): (job: JobRow) => void;
  /** A job waits because of a shortage of the machine. */
  waitingJob(job: JobRow, shortage: EngineError): void;
}

/** Dependencies of running jobs, from the writer. */
export interface JobSourceDeps extends Omit<RunDeps, 'waterfall' | 'onProgress' | 'isStopping'> {
  /** The user's providers. */
  readonly waterfalls: Waterfalls;
  readonly events: JobEvents;
}

/** A job by its UUID, in its state at the poll. */
interface JobItem {
  readonly id: string;
  readonly job: JobRow;
}

/** The source of jobs. */
export interface JobSource extends WorkSource<JobItem> {
  /** Makes the next check for the network due. Wake the scheduler afterwards. */
  checkNetwork(): void;
}

/** Creates the source. Wake its scheduler when a job was queued, was cancelled or can continue. */
export function createJobSource(deps: JobSourceDeps): JobSource {
  const { database, events, now, waterfalls } = deps;
  /** The job that runs with providers, and its requests. */
  let current: { readonly id: number; readonly waterfall: Waterfall } | null = null;

  const runOne = async (id: number, { isStopping }: Turn): Promise<void> => {
    // Nothing can be matched before the first index.
    await deps.whenGeneration(0);
    const job = getJobById(database, id);
    if (!job || endStatuses.includes(job.status) || isStopping()) return;
    // Another job may have been moved before it meanwhile.
    if (job.status === 'queued' && nextRunnableJob(database)?.id !== id) return;
    const { codes, providerCap, via } = job;
    const scope = {
      ...{ jobId: id, wanted: listWanted(codes), asks: job.usesProviders === 1 },
      ...{ providerCap, via: via ?? undefined, defersOffline: true },
    };
    const waterfall = waterfalls.open(scope) ?? undefined;
    if (waterfall) current = { id, waterfall };
    try {
      await runJob({ ...deps, waterfall, isStopping, onProgress: events.followJob() }, id);
      const after = getJobById(database, id);
      if (after && isWaiting(after)) events.job(after);
      else events.wallet(job.accountId);
    } finally {
      current = null;
    }
  };
  const waitingJobs = createWaitingJobs({ ...deps, network: waterfalls.network });
  const runWaiting = async (job: JobRow, turn: Turn): Promise<void> => {
    if (await waitingJobs.resume(job, turn)) await runOne(job.id, turn);
  };
  const clear = (job: JobRow, { isStopping }: Turn) =>
    clearCancelledJob(database, deps.kinds, job, { pause: yieldThread, isStopping });
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
      const rest = code === 'internal_error' ? ' Nothing was charged; retry the job.' : '';
      const failed = failJob(database, id, { code, detail: `${detail}${rest}` }, now());
      if (failed) events.job(failed);
    },
    onWake() {
      const isRunning = current && getJobById(database, current.id)?.status === 'running';
      // A job that has ended needs no more answers.
      if (!isRunning) current?.waterfall.stop();
    },
    abandon: () => current?.waterfall.stop(),
  };
}
