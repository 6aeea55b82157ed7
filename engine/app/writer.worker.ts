/**
 * The entry of the writer thread: the only writing connection to engine.db; commands run between
 * batches of a job.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import {
  changeAccount,
  createAccount,
  ensureFirstAccount,
  grantCredits,
} from '../accounts/accounts.ts';
import { admitStdioClient } from '../accounts/admit-stdio-client.ts';
import { touchKey } from '../accounts/api-key.table.ts';
import { changeKey, createKey, revokeAccountKey } from '../accounts/api-keys.ts';
import { createIdentityCommands } from '../accounts/identity-providers.ts';
import { presentAccount } from '../accounts/present-account.ts';
import { tellQuestions } from '../assistants/announce-approvals.ts';
import { createListFolderCommands } from '../assistants/list-folders.ts';
import { insertToolCall } from '../assistants/tool-call.table.ts';
import { EngineError, type ErrorCode } from '../contract/errors.ts';
import type { AppEvent } from '../contract/events.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { attachDirectory, readGeneration } from '../directory/open-directory.ts';
import { cancelJob, clearCancelled } from '../jobs/cancel-job.ts';
import { failJob } from '../jobs/fail-job.ts';
import { getJob, getJobById, hasJob, type JobRow, nextRunnableJob } from '../jobs/job.table.ts';
import { enrichmentHooks, type JobKinds } from '../jobs/job-kind.ts';
import { followJob } from '../jobs/job-progress.ts';
import { startMatchPool } from '../jobs/matching/match-pool.ts';
import { runJob } from '../jobs/run-job.ts';
import { retryJob, submitJob } from '../jobs/submit-job.ts';
import { answerApproval } from '../ledger/approve-spending.ts';
import { presentWallet } from '../ledger/present-wallet.ts';
import { setRate } from '../ledger/rate.table.ts';
import { unlock } from '../ledger/unlock.ts';
import { unlockOnce } from '../ledger/unlock-once.ts';
import {
  createMonitorCommands,
  type MonitorDeps,
  monitorWork,
} from '../monitors/create-monitor-commands.ts';
import { hasMonitor } from '../monitors/monitor.table.ts';
import { createMonitorHooks } from '../monitors/monitor-hooks.ts';
import { createOauthCommands } from '../oauth/create-oauth-commands.ts';
import { hasPipeline } from '../pipelines/pipeline.table.ts';
import { runPipelines } from '../pipelines/run-pipelines.ts';
import { startPipeline } from '../pipelines/start-pipeline.ts';
import { lowerThreadPriority } from '../platform/lower-priority.ts';
import { startMonitorClock } from '../platform/scheduler/due-clock.ts';
import { openStore } from '../platform/sqlite/open-store.ts';
import { findShortage, findSystemRefusal } from '../platform/sqlite/system-refusal.ts';
import { serveCalls } from '../platform/workers/worker-rpc.ts';
import { createProvider } from '../providers/create-provider.ts';
import { createUpstreamClient, type Upstream, type Wait } from '../providers/upstream-client.ts';
import { sweepInputs } from '../spreadsheet/input-folders.ts';
import { createEmailValidator } from '../validations/email-validator.ts';
import { openMailDns } from '../validations/mail-dns.ts';
import { runValidations } from '../validations/run-validations.ts';
import { startValidation } from '../validations/validate-emails.ts';
import { startWebhooks } from '../webhooks/start-webhooks.ts';
import type { WriterCalls } from './writer-calls.ts';

/** What the writer thread answers beside the environment's own commands. */
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

lowerThreadPriority();
const { folder, environment } = workerData as { folder: string; environment: EnvironmentName };
const database = openStore(folder);
attachDirectory(database, folder);
ensureFirstAccount(database, new Date(), environment);
sweepInputs(folder, (uuid) =>
  [hasJob, hasMonitor, hasPipeline].some((isOwner) => isOwner(database, uuid)),
);

const pool = startMatchPool();
const now = () => new Date();
const kinds: JobKinds = {
  enrichment: enrichmentHooks,
  monitor: createMonitorHooks(database),
};
const provider = createProvider(environment);
const waitFor: Wait = (ms, signal) => wait(ms, undefined, { signal });
/** The job that is being run with a provider, and how that is asked. */
let atWork: { readonly id: number; readonly upstream: Upstream } | null = null;
let isStopping = false;
const stopped = Promise.withResolvers<void>();
let wake: () => void = () => undefined;
let send: (event: WriterEvent) => void = () => undefined;

const sendWallet = (accountId: number) =>
  send({ accountId, event: { type: 'wallet', wallet: presentWallet(database, accountId) } });

const sendAssistants = (accountId: number) => send({ accountId, event: { type: 'assistants' } });

/** Tells how a job stands, in the words of its kind. */
function sendProgress(job: JobRow, event: AppEvent | null): void {
  const told = event && kinds[job.kind].presentProgress(job, event);
  if (told) send({ accountId: job.accountId, event: told });
}

const sendJob = (job: JobRow | null) => {
  if (!job) return;
  sendProgress(job, followJob(() => performance.now())(job));
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

/** Tells that a job stands still because the machine has run short of something. */
function sendWaiting(id: number, { code, detail }: EngineError): void {
  const job = getJobById(database, id);
  const event = job && followJob(() => performance.now())(job);
  if (!job || !event || job.kind === 'monitor') return;
  const waiting =
    code === 'read_only'
      ? 'The disk is full or cannot be written. What is done is kept; free some space and the ' +
        'job goes on by itself.'
      : `${detail} What is done is kept, and the job goes on by itself.`;
  send({ accountId: job.accountId, event: { ...event, seconds_left: null, waiting } });
}

const fail = (job: JobRow, code: ErrorCode, detail: string) =>
  sendJob(failJob(database, job.id, { code, detail }, now()));

async function runOne(job: JobRow): Promise<void> {
  const follow = followJob(() => performance.now());
  const upstream = provider ? createUpstreamClient(provider, waitFor) : undefined;
  if (upstream) atWork = { id: job.id, upstream };
  try {
    await runJob(
      {
        database,
        folder,
        kinds,
        inFlightMax: pool.inFlightMax,
        upstream,
        match: pool.match,
        readGeneration: () => readGeneration(database),
        whenGeneration,
        now,
        onProgress(current) {
          sendProgress(current, follow(current));
        },
        isStopping: () => isStopping,
      },
      job.id,
    );
    sendWallet(job.accountId);
  } catch (error) {
    if (isStopping) return;
    // A full disk is no fault of the job: it waits, keeps what is committed, and goes on.
    const shortage = findShortage(error);
    if (shortage) {
      sendWaiting(job.id, shortage);
      return void (await sleepUntilWoken(storageRetryMs));
    }
    // What the provider behind the directory said of the job as a whole, or a damaged file.
    const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
    if (refusal) return fail(job, refusal.code, refusal.detail);
    const id = randomUUID();
    console.error(`bug ${id} in job ${job.uuid}`, error);
    const detail = `The engine met a bug of its own (${id}). Nothing was charged; retry the job.`;
    fail(job, 'internal_error', detail);
  } finally {
    atWork = null;
  }
}

async function runJobs(): Promise<void> {
  await whenGeneration(0);
  while (!isStopping) {
    const job = nextRunnableJob(database);
    if (job) await runOne(job);
    else {
      await clearCancelled(database, kinds, setImmediate);
      if (!nextRunnableJob(database) && !isStopping) await sleepUntilWoken();
    }
  }
}

/** Jobs have changed: the loop looks again, and nobody waits for answers to one that has ended. */
function lookAgain(): void {
  if (atWork && getJobById(database, atWork.id)?.status !== 'running') atWork.upstream.stop();
  wake();
}

const woken = <Value>(value: Value): Value => {
  lookAgain();
  return value;
};

const monitorDeps: MonitorDeps = {
  database,
  folder,
  now,
  send(event, accountId) {
    send({ accountId, event });
    sendWallet(accountId);
  },
  wake: lookAgain,
  wakeClock: () => monitorClock.look(),
};

const webhooks = startWebhooks({ database, folder, environment, now, storageRetryMs });

const calls: WriterThreadCalls = {
  ...webhooks.calls,
  ...createMonitorCommands(monitorDeps),
  ...createOauthCommands(database, environment, now),
  ...createIdentityCommands({ database, secrets: webhooks.secrets, now }),
  ...createListFolderCommands(database, now, sendAssistants),
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
  createAccount: async ({ name }) => presentAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }) =>
    presentAccount(changeAccount(database, accountUuid, change)),
  createKey: async (command) => createKey(database, environment, command, now()),
  async changeKey(command) {
    const changed = changeKey(database, command, now());
    sendAssistants(command.accountId);
    return changed;
  },
  revokeKey: async (command) => revokeAccountKey(database, command, now()),
  admitStdioClient: async (command) => admitStdioClient(database, environment, command, now()),
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
  async unlock(command) {
    const report = unlock(database, command, now());
    if (report.chargedUnits > 0) sendWallet(command.accountId);
    return report;
  },
  async answerApproval(command) {
    const isAnswered = answerApproval(database, command, now());
    sendAssistants(command.accountId);
    return isAnswered;
  },
  async noteToolCall(call) {
    insertToolCall(database, call);
    sendAssistants(call.accountId);
  },
  async unlockOnce(command) {
    const done = unlockOnce(database, command, now());
    if (!done.replayed && done.report.chargedUnits > 0) sendWallet(command.accountId);
    return done;
  },
  async validateEmails(command) {
    const answer = startValidation(database, command, now());
    if (!answer.replayed) sendWallet(command.accountId);
    validations.wake();
    return answer;
  },
  async startPipeline(command) {
    const answer = startPipeline(database, folder, command, now());
    pipelines.wake();
    return answer;
  },
  cancelPipeline: async (command) => pipelines.cancel(command),
  async copyStore({ path }) {
    await database.backup(path);
  },
  async takeIndex({ buffer, generation }) {
    await pool.takeIndex(buffer, generation);
    wake();
  },
  async stop() {
    isStopping = true;
    atWork?.upstream.stop();
    monitorClock.stop();
    stopped.resolve();
    wake();
    // With them: a batch may wait for a match thread that is being started again.
    await Promise.all([validations.stop(), pipelines.stop(), webhooks.stop(), pool.close()]);
    await running;
    database.close();
  },
};

const running = runJobs();
const judge = createEmailValidator({
  database,
  directoryDatabase: database,
  dns: openMailDns({ servers: process.env.DESK_DNS_SERVERS ?? '' }),
  now,
  isStaging: environment === 'staging',
});
const beside = { database, judge, now, isStopping: () => isStopping, storageRetryMs };
const validations = runValidations({ ...beside, onEnd: sendWallet });
const pipelines = runPipelines({
  ...beside,
  folder,
  provider,
  wait: waitFor,
  match: pool.match,
  readGeneration: () => readGeneration(database),
  whenGeneration,
  send(event, accountId) {
    send({ accountId, event });
    // The hold moves it long before the end.
    sendWallet(accountId);
  },
});
if (parentPort)
  send = serveCalls<WriterThreadCalls>(parentPort, tellQuestions(calls, sendAssistants));
const monitorClock = startMonitorClock(monitorWork(monitorDeps), now, (error) =>
  console.error('the clock of monitors failed', error),
);
