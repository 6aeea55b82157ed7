/**
 * The entry of the writer thread: the only writing connection to engine.db; commands run between
 * batches of a job.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { AppEvent } from '../contract/app.ts';
import type { WorldName } from '../contract/ids.ts';
import { attachDirectory, readGeneration } from '../directory/open-directory.ts';
import { cancelJob, clearCancelled } from '../domain/cancel-job.ts';
import { describeAccount, describeWallet } from '../domain/describe-job.ts';
import { failJob } from '../domain/fail-job.ts';
import { sweepInputs } from '../domain/job-folder.ts';
import {
  changeAccount,
  createAccount,
  ensureFirstAccount,
  grantCredits,
} from '../domain/keep-account.ts';
import { createKey, revokeAccountKey } from '../domain/keep-key.ts';
import { runJob } from '../domain/run-job.ts';
import { retryJob, submitJob } from '../domain/submit-job.ts';
import type { WriterCalls } from '../domain/world.ts';
import { touchKey } from '../store/api-key.ts';
import { getJob, getJobById, hasJob, type JobRow, nextRunnableJob } from '../store/job.ts';
import { openStore } from '../store/open-store.ts';
import { setRate } from '../store/rate.ts';
import { answerCalls, isStorageRefusal } from './call-thread.ts';
import { followJob } from './job-progress.ts';
import { startMatchPool } from './match-pool.ts';

/** What the writer thread answers beside the world's own commands. */
export interface WriterThreadCalls extends WriterCalls {
  /** Answers once engine.db is open; refuses where it is from a newer version. */
  whenOpen(command: null): Promise<void>;
  takeIndex(command: { buffer: SharedArrayBuffer; generation: number }): Promise<void>;
  /** Ends after the batch in hand, with every file closed. */
  stop(command: null): Promise<void>;
}

/** An event of the writer thread and the account that it is about. */
export interface WriterEvent {
  readonly accountId: number;
  readonly event: AppEvent;
}

/** How long a job waits before it tries a full disk again. */
const storageRetryMs = 5_000;

const { folder, world } = workerData as { folder: string; world: WorldName };
const database = openStore(folder);
attachDirectory(database, folder);
ensureFirstAccount(database, new Date());
sweepInputs(folder, (uuid) => hasJob(database, uuid));

const pool = startMatchPool();
const now = () => new Date();
let isStopping = false;
const stopped = Promise.withResolvers<void>();
let wake: () => void = () => undefined;
let send: (event: WriterEvent) => void = () => undefined;

const sendWallet = (accountId: number) =>
  send({ accountId, event: { type: 'wallet', wallet: describeWallet(database, accountId) } });

const sendJob = (job: JobRow | null) => {
  if (!job) return;
  const event = followJob(() => performance.now())(job);
  if (event) send({ accountId: job.accountId, event });
  sendWallet(job.accountId);
};

/** Resolves when there is an index of this generation, or when the engine is to stop. */
const whenGeneration = (generation: number) =>
  Promise.race([pool.whenGeneration(generation), stopped.promise]);

/** Resolves when a command wakes the loop, or after `waitMs` where one is given. */
const sleepUntilWoken = (waitMs?: number) =>
  new Promise<void>((resolve) => {
    const timer = waitMs === undefined ? undefined : setTimeout(resolve, waitMs);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });

/** Tells that a job stands still because nothing can be written. */
function sendWaiting(id: number): void {
  const job = getJobById(database, id);
  const event = job && followJob(() => performance.now())(job);
  if (!job || !event) return;
  const waiting =
    'The disk is full or cannot be written. What is done is kept; free some space and the job ' +
    'goes on by itself.';
  send({ accountId: job.accountId, event: { ...event, seconds_left: null, waiting } });
}

async function runOne(job: JobRow): Promise<void> {
  const follow = followJob(() => performance.now());
  try {
    await runJob(
      {
        database,
        folder,
        inFlightMax: pool.inFlightMax,
        match: pool.match,
        readGeneration: () => readGeneration(database),
        whenGeneration,
        now,
        onProgress(current) {
          const event = follow(current);
          if (event) send({ accountId: current.accountId, event });
        },
        isStopping: () => isStopping,
      },
      job.id,
    );
    sendWallet(job.accountId);
  } catch (error) {
    // A full disk is no fault of the job: it waits, keeps what is committed, and goes on.
    if (isStorageRefusal(error)) {
      sendWaiting(job.id);
      return void (await sleepUntilWoken(storageRetryMs));
    }
    const id = randomUUID();
    console.error(`bug ${id} in job ${job.uuid}`, error);
    const detail = `The engine met a bug of its own (${id}). Nothing was charged; retry the job.`;
    sendJob(failJob(database, job.id, { code: 'internal_error', detail }, now()));
  }
}

async function runJobs(): Promise<void> {
  await whenGeneration(0);
  while (!isStopping) {
    const job = nextRunnableJob(database);
    if (job) await runOne(job);
    else {
      await clearCancelled(database, setImmediate);
      if (!nextRunnableJob(database) && !isStopping) await sleepUntilWoken();
    }
  }
}

const woken = <Value>(value: Value): Value => {
  wake();
  return value;
};

const calls: WriterThreadCalls = {
  whenOpen: async () => undefined,
  async submitJob(command) {
    const answer = submitJob(database, folder, command, now());
    sendJob(getJob(database, command.accountId, answer.data.job_id));
    return woken(answer);
  },
  async cancelJob(command) {
    const answer = cancelJob(database, command, now());
    sendJob(getJob(database, command.accountId, command.jobId));
    return woken(answer);
  },
  async retryJob(command) {
    const data = retryJob(database, folder, command, now());
    sendJob(getJob(database, command.accountId, data.job_id));
    return woken(data);
  },
  createAccount: async ({ name }) => describeAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }) =>
    describeAccount(changeAccount(database, accountUuid, change)),
  createKey: async (command) => createKey(database, world, command, now()),
  revokeKey: async (command) => revokeAccountKey(database, command, now()),
  touchKey: async ({ id }) => touchKey(database, id, now().toISOString()),
  async grant(command) {
    grantCredits(database, command, now());
    sendWallet(command.accountId);
  },
  async setRate({ accountId, code, ...change }) {
    setRate(database, accountId, code, {
      ...(change.priceUnits !== undefined && { priceUnits: change.priceUnits }),
      ...(change.active !== undefined && { active: change.active }),
    });
  },
  async copyStore({ path }) {
    await database.backup(path);
  },
  async takeIndex({ buffer, generation }) {
    await pool.takeIndex(buffer, generation);
    wake();
  },
  async stop() {
    isStopping = true;
    stopped.resolve();
    wake();
    await running;
    await pool.close();
    database.close();
  },
};

const running = runJobs();
if (parentPort) send = answerCalls<WriterThreadCalls>(parentPort, calls);
