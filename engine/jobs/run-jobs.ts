/**
 * Runs the queued jobs of an environment, one after the other.
 *
 *   idle ──wake──> a job ──ended──> the next job, or idle
 *                    │ ──disk full──> waiting ──its delay──> the same job
 *                    └──stop──> stopped (the job goes on at the next start)
 */
import { randomUUID } from 'node:crypto';
import { setImmediate as yieldThread } from 'node:timers/promises';
import { EngineError, type ErrorMessage } from '../contract/errors.ts';
import type { Provider } from '../contract/provider.ts';
import type { SetTimer } from '../platform/scheduler/due-clock.ts';
import { findShortage, findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { createUpstreamClient, type Upstream, type Wait } from '../providers/upstream-client.ts';
import { clearCancelled } from './cancel-job.ts';
import { failJob } from './fail-job.ts';
import { getJobById, type JobRow, nextRunnableJob } from './job.table.ts';
import { type RunDeps, runJob } from './run-job.ts';

/** What the loop tells the app. */
export interface JobEvents {
  /** The balance of an account, as it is now. */
  wallet(accountId: number): void;
  /** A job as it is now, with the balance of its account. */
  job(job: JobRow): void;
  /** Returns what to call after each batch of one run of a job; it sends a few events a second. */
  followJob(): (job: JobRow) => void;
  /** A job waits because the machine lacks something, named by `shortage`. */
  waitingJob(job: JobRow, shortage: EngineError): void;
}

/** What the loop needs of the writer. */
export interface JobLoopDeps extends Omit<RunDeps, 'upstream' | 'onProgress'> {
  /** The provider behind the directory; null if the environment has none. */
  readonly provider: Provider | null;
  /** Waits between two tries of the provider. */
  readonly wait: Wait;
  readonly setTimer: SetTimer;
  readonly events: JobEvents;
  /** How long a job waits before it tries a full disk again, in milliseconds. */
  readonly storageRetryMs: number;
}

/** Jobs that are being run. */
export interface RunningJobs {
  /** Call it after a job was queued or has ended: the loop reads the queue again. */
  wake(): void;
  /** Resolves when the loop has ended. `isStopping` must answer true by then. */
  stop(): Promise<void>;
}

/** Why a job cannot go on: what a provider or the disk refused, or a bug, which is logged. */
function explainFailure(job: JobRow, error: unknown): ErrorMessage {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  if (refusal) return { code: refusal.code, detail: refusal.detail };
  const id = randomUUID();
  console.error(`bug ${id} in job ${job.uuid}`, error);
  const detail = `The engine met a bug of its own (${id}). Nothing was charged; retry the job.`;
  return { code: 'internal_error', detail };
}

/** A sleep that ends when `wake` is called, or after its time. */
function createSleep(setTimer: SetTimer) {
  let wake: () => void = () => undefined;
  return {
    wake: () => wake(),
    sleep: (waitMs?: number) =>
      new Promise<void>((resolve) => {
        const cancel = waitMs === undefined ? () => undefined : setTimer(resolve, waitMs);
        wake = () => {
          cancel();
          resolve();
        };
      }),
  };
}

/** Starts the loop. It begins with the jobs that an earlier run of the engine left. */
export function runJobs(deps: JobLoopDeps): RunningJobs {
  const { database, events, provider, isStopping } = deps;
  const { wake, sleep } = createSleep(deps.setTimer);
  /** The job that runs with a provider, and its requests. */
  let current: { readonly id: number; readonly upstream: Upstream } | null = null;

  const handleError = async (job: JobRow, error: unknown): Promise<void> => {
    if (isStopping()) return;
    // A full disk is no fault of the job: it waits, keeps what is committed, and goes on.
    const shortage = findShortage(error);
    if (shortage) {
      events.waitingJob(getJobById(database, job.id) ?? job, shortage);
      return sleep(deps.storageRetryMs);
    }
    const failed = failJob(database, job.id, explainFailure(job, error), deps.now());
    if (failed) events.job(failed);
  };
  const runOne = async (job: JobRow): Promise<void> => {
    const upstream = provider ? createUpstreamClient(provider, deps.wait) : undefined;
    if (upstream) current = { id: job.id, upstream };
    try {
      await runJob({ ...deps, upstream, onProgress: events.followJob() }, job.id);
      events.wallet(job.accountId);
    } catch (error) {
      await handleError(job, error);
    } finally {
      current = null;
    }
  };
  const run = async (): Promise<void> => {
    for (;;) {
      // Nothing can be matched before the first index.
      await deps.whenGeneration(0);
      if (isStopping()) return;
      const job = nextRunnableJob(database);
      if (job) await runOne(job);
      else {
        await clearCancelled(database, deps.kinds, yieldThread);
        if (!nextRunnableJob(database) && !isStopping()) await sleep();
      }
    }
  };
  const running = run();
  return {
    wake() {
      const isRunning = current && getJobById(database, current.id)?.status === 'running';
      // Nobody waits for the answers to a job that has ended.
      if (!isRunning) current?.upstream.stop();
      wake();
    },
    async stop() {
      current?.upstream.stop();
      wake();
      await running;
    },
  };
}
