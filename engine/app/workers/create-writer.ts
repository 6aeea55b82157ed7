// Creates the writer of an environment: the only writing connection to engine.db, its commands, and
// one scheduler each for jobs, pipelines, validations, monitors, webhook deliveries and retention.
// Commands run between two batches. The writer needs no thread; writer.worker.ts serves it on one.
import { setTimeout as wait } from 'node:timers/promises';
import { listAccounts } from '../../accounts/account.table.ts';
import { ensureFirstAccount } from '../../accounts/accounts.ts';
import { accountCommands, keyCommands } from '../../accounts/create-account-commands.ts';
import { createIdentityCommands } from '../../accounts/identity-providers.ts';
import { announceApprovals } from '../../assistants/announce-approvals.ts';
import { assistantCommands } from '../../assistants/create-assistant-commands.ts';
import { createListFolderCommands } from '../../assistants/list-folders.ts';
import { createAuditCommands } from '../../audit/create-audit-commands.ts';
import type { EngineError } from '../../contract/errors.ts';
import type { EnvironmentName } from '../../contract/ids.ts';
import { slowAnswerMs } from '../../contract/limits/waterfall.ts';
import type { TeamConfig } from '../../contract/team/team-config.ts';
import { attachDirectory, readGeneration } from '../../directory/open-directory.ts';
import { jobCommands } from '../../jobs/create-job-commands.ts';
import { getJob, hasJob } from '../../jobs/job.table.ts';
import { createEnrichmentHooks, type JobKinds } from '../../jobs/job-kind.ts';
import { hasJobEnded } from '../../jobs/job-states.ts';
import { askBehindDirectory } from '../../jobs/matching/ask-team.ts';
import type { MatchPool } from '../../jobs/matching/match-pool.ts';
import { followMerges } from '../../jobs/repeats/follow-merges.ts';
import { createJobSource } from '../../jobs/run-jobs.ts';
import type { UntilSlow } from '../../jobs/slow/unanswered-batches.ts';
import { createTemplateCommands } from '../../jobs/templates/templates.ts';
import { unlockCommands } from '../../ledger/create-unlock-commands.ts';
import { insertMissingRates } from '../../ledger/rate.table.ts';
import { createStoreCopyCalls } from '../../maintenance/backup.ts';
import { createMonitorCommands } from '../../monitors/create-monitor-commands.ts';
import { hasMonitor } from '../../monitors/monitor.table.ts';
import { createMonitorHooks } from '../../monitors/monitor-hooks.ts';
import { createMonitorSource } from '../../monitors/run-monitors.ts';
import { createOauthCommands } from '../../oauth/create-oauth-commands.ts';
import { createPersonDataCommands } from '../../person-data/change-person-data.ts';
import { hasPipeline, hasPipelineEnded } from '../../pipelines/pipeline.table.ts';
import { createPipelineSource } from '../../pipelines/run-pipelines.ts';
import { startPipeline } from '../../pipelines/start-pipeline.ts';
import type { FindRoutes } from '../../platform/net/proxy-routes.ts';
import { findOwnRoutes } from '../../platform/net/system-proxy.ts';
import { startScheduler } from '../../platform/scheduler/scheduler.ts';
import type { WorkItem, WorkSource } from '../../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { openStore } from '../../platform/sqlite/open-store.ts';
import { type SetTimer, setRealTimer } from '../../platform/timers.ts';
import { applyRules, enforceRules } from '../../policy/enforce-rules.ts';
import { createProviders, type InstalledProvider } from '../../providers/create-providers.ts';
import {
  createProviderCommands,
  type ProviderCalls,
} from '../../providers/installed/change-providers.ts';
import {
  createInstalledProviders,
  type InstalledProviders,
} from '../../providers/installed/installed-providers.ts';
import { createWaterfalls, type Waterfalls } from '../../providers/waterfall/create-waterfalls.ts';
import type { Wait } from '../../providers/waterfall/paid-writes.ts';
import { createRetentionCommands } from '../../retention/change-retention.ts';
import { createRetentionSource } from '../../retention/run-retention.ts';
import { openEncryptionKey, type Secrets } from '../../secrets/encryption-key.ts';
import { type KeychainClient, openKeychain } from '../../secrets/keychain-client.ts';
import { createSessionCommands } from '../../sessions/create-session-commands.ts';
import { createTeamDirectory, type TeamDirectory } from '../../shared/settings/team-directory.ts';
import { sweepInputs } from '../../spreadsheet/input-folders.ts';
import { createSuppressionCommands } from '../../suppression/change-suppressions.ts';
import { onRefusal } from '../../suppression/store-refusal.ts';
import { createEmailCheck } from '../../validations/check-emails.ts';
import { createEmailValidator } from '../../validations/email-validator.ts';
import { type MailDns, openMailDns } from '../../validations/mail-dns.ts';
import { createValidationSource } from '../../validations/run-validations.ts';
import { startValidation } from '../../validations/validate-emails.ts';
import { onOutbox } from '../../webhooks/outbox.table.ts';
import { openPostWorker, type PostWorker } from '../../webhooks/post-on-worker.ts';
import { createDeliverySource } from '../../webhooks/run-deliveries.ts';
import { createWebhookCommands } from '../../webhooks/webhooks.ts';
import type { WriterCalls } from '../writer-calls.ts';
import {
  createWriterEvents,
  type WriterEvent,
  type WriterEvents,
  type WriterTrouble,
} from './writer-events.ts';

/** Dependencies of the writer. It owns the clients and stops them. */
export interface WriterDeps {
  readonly folder: string;
  readonly environment: EnvironmentName;
  readonly policy: TeamConfig;
  readonly send: (event: WriterEvent | WriterTrouble) => void;
  readonly pool: MatchPool;
  readonly providers: readonly InstalledProvider[];
  /** Name servers of email validations, and of services whose host has no address. */
  readonly dns: MailDns;
  readonly keychain: KeychainClient;
  readonly findRoutes: FindRoutes;
  readonly postWorker: PostWorker;
  readonly now: () => Date;
  /** Monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly setTimer: SetTimer;
  readonly wait: Wait;
  /** From 0 to 1; spreads the retries of deliveries. */
  readonly random: () => number;
}

/** What a writer uses of the system: clocks, data services, name servers, keychain, receivers. */
export const openSystem = (environment: EnvironmentName) => ({
  providers: createProviders(environment),
  dns: openMailDns({ servers: process.env.DESK_DNS_SERVERS ?? '' }),
  keychain: openKeychain(),
  findRoutes: findOwnRoutes,
  postWorker: openPostWorker(),
  now: () => new Date(),
  nowMs: () => performance.now(),
  setTimer: setRealTimer,
  wait: ((ms, signal) => wait(ms, undefined, { signal })) satisfies Wait,
  random: Math.random,
});

export interface Writer {
  readonly calls: WriterCalls;
  /** Receives a newer index of the directory. Jobs start with the first one. */
  takeIndex(index: { buffer: SharedArrayBuffer; generation: number }): Promise<void>;
  stop(): Promise<void>;
}

interface WriterContext extends WriterDeps {
  readonly database: WritableDatabase;
  readonly kinds: JobKinds;
  readonly events: WriterEvents;
  readonly installed: InstalledProviders;
  readonly waterfalls: Waterfalls;
  readonly secrets: Secrets;
  readonly wait: Wait;
  readonly teamDirectory: TeamDirectory;
  readGeneration(): number;
  /** Resolves when there is an index of this generation, or when the writer stops. */
  whenGeneration(generation: number): Promise<void>;
}

/** Opens engine.db with the directory attached, and removes inputs without an owner. */
function openDatabase({ folder, environment, now }: WriterDeps) {
  const database = openStore(folder);
  attachDirectory(database, folder);
  followMerges(database);
  const isNew = listAccounts(database).length === 0;
  ensureFirstAccount(database, now(), environment);
  insertMissingRates(database);
  sweepInputs(folder, (uuid) =>
    [hasJob, hasMonitor, hasPipeline].some((isOwner) => isOwner(database, uuid)),
  );
  return { database, isNew };
}

function startSchedulers(context: WriterContext) {
  const { database, environment, events, now, pool, secrets } = context;
  const onTrouble = ({ code, detail }: EngineError) => context.send({ trouble: { code, detail } });
  const start = <Item extends WorkItem>(source: WorkSource<Item>) =>
    startScheduler(source, { ...context, onTrouble });
  const validator = createEmailValidator({
    database,
    directoryDatabase: database,
    dns: context.dns,
    now,
    isStaging: environment === 'staging',
  });
  const { match, inFlightMax } = pool;
  const shared = { ...context, validator, match };
  const { post } = context.postWorker;
  const deliveries = start(createDeliverySource({ ...context, secrets, post }));
  onOutbox(database, deliveries.wake);
  onRefusal(database, events.suppression);
  const checkEmails = createEmailCheck(validator, database);
  const untilSlow: UntilSlow = (signal) => context.wait(slowAnswerMs, signal);
  const jobSource = createJobSource({ ...shared, inFlightMax, checkEmails, untilSlow });
  const jobs = start(jobSource);
  const validations = start(createValidationSource({ ...shared, onEnd: events.wallet }));
  // A hold changes the balance long before a pipeline ends.
  const send = events.withWallet;
  const { readTeamPeople } = context.teamDirectory.calls;
  const pipelineSource = createPipelineSource({ ...shared, send, readTeamPeople });
  const pipelines = start(pipelineSource);
  const monitors = start(createMonitorSource({ ...context, send, wakeJobs: jobs.wake }));
  const retention = start(
    createRetentionSource({
      ...context,
      policy: context.policy.retention ?? {},
      onProgress: events.retention,
    }),
  );
  return {
    jobs,
    validations,
    pipelines,
    monitors,
    deliveries,
    retention,
    cancelPipeline: pipelineSource.cancel,
    checkNetwork: jobSource.checkNetwork,
  };
}

type Schedulers = ReturnType<typeof startSchedulers>;

function createProviderCalls(context: WriterContext): ProviderCalls {
  const calls = createProviderCommands({ ...context, builtIn: context.providers });
  return {
    ...calls,
    askProviders: (request) => askBehindDirectory(context, calls.askProviders, request),
  };
}

function createCalls(
  context: WriterContext,
  { jobs, validations, pipelines, monitors, deliveries, retention, ...sources }: Schedulers,
): WriterCalls {
  const { database, folder, environment, events, now, secrets } = context;
  const deps = {
    database,
    folder,
    environment,
    now,
    onWallet: events.wallet,
    onKey: events.assistants,
    onAssistants: events.assistants,
  };
  return {
    ...createWebhookCommands({ ...context, wake: deliveries.wake }),
    ...createMonitorCommands({
      database,
      folder,
      now,
      send: events.withWallet,
      wakeJobs: jobs.wake,
      wakeMonitors: monitors.wake,
    }),
    ...createOauthCommands(database, environment, now),
    ...createIdentityCommands({ database, secrets, now }),
    ...createListFolderCommands(database, now, events.assistants),
    ...jobCommands({
      ...deps,
      teamDirectory: context.teamDirectory,
      onChange(accountId, jobId) {
        const job = getJob(database, accountId, jobId);
        if (job) events.job(job);
        jobs.wake();
      },
      onList(accountId) {
        events.jobs(accountId);
        jobs.wake();
        retention.wake();
      },
      onNetwork() {
        sources.checkNetwork();
        jobs.wake();
      },
    }),
    ...accountCommands(deps),
    ...keyCommands(deps),
    ...unlockCommands(deps),
    ...assistantCommands(deps),
    async validateEmails(command) {
      const answer = startValidation(database, command, now());
      if (!answer.replayed) events.wallet(command.accountId);
      validations.wake();
      return answer;
    },
    async startPipeline(command) {
      const answer = startPipeline(database, folder, command, now());
      pipelines.wake();
      return answer;
    },
    'pipelines.cancel': async ({ accountId, id: pipelineId }) =>
      sources.cancelPipeline({ accountId, pipelineId }),
    ...createProviderCalls(context),
    ...context.teamDirectory.calls,
    ...createTemplateCommands(database, now),
    ...createSessionCommands(database),
    ...createAuditCommands(database, now),
    ...createSuppressionCommands({ database, now, onChange: events.suppression }),
    ...createRetentionCommands({
      database,
      now,
      policy: context.policy.retention ?? {},
      onChange: events.retention,
      wake: retention.wake,
    }),
    ...createPersonDataCommands({ database, folder, now, onSuppression: events.suppression }),
    matchNow: context.pool.matchNow,
    followMerges: async () => followMerges(database),
    ...createStoreCopyCalls(database),
  };
}

/** Throws EngineError if engine.db is damaged, from a newer version, or cannot be written. */
export function createWriter(deps: WriterDeps): Writer {
  const { keychain, pool, postWorker } = deps;
  const { database, isNew } = openDatabase(deps);
  const kinds: JobKinds = {
    enrichment: createEnrichmentHooks(database),
    monitor: createMonitorHooks(database),
  };
  const events = createWriterEvents(database, kinds, deps.send, deps.nowMs);
  const stopped = Promise.withResolvers<void>();
  const secrets = openEncryptionKey({ ...deps, database });
  const installed = createInstalledProviders({
    ...deps,
    database,
    secrets,
    builtIn: deps.providers,
  });
  const teamDirectory = createTeamDirectory({
    database,
    secrets,
    keychain,
    now: deps.now,
    nowMs: deps.nowMs,
    onChange: () => schedulers.checkNetwork(),
    hasEnded: (uuid) => hasJobEnded(database, uuid) || hasPipelineEnded(database, uuid),
  });
  const context: WriterContext = {
    ...deps,
    database,
    kinds,
    events,
    installed,
    secrets,
    teamDirectory,
    waterfalls: createWaterfalls({
      database,
      wait: deps.wait,
      now: deps.now,
      providers: installed.providers,
      onTrouble: ({ code, detail }) => deps.send({ trouble: { code, detail } }),
    }),
    readGeneration: () => readGeneration(database),
    whenGeneration: (generation) =>
      Promise.race([pool.whenGeneration(generation), stopped.promise]),
  };
  const ruled = { ...context, builtIn: context.providers };
  applyRules(ruled, context.policy, isNew);
  const schedulers = startSchedulers(context);
  const calls = enforceRules(createCalls(context, schedulers), ruled, context.policy);
  const { jobs, validations, pipelines, monitors, deliveries, retention } = schedulers;
  return {
    calls: announceApprovals(calls, events.assistants),
    async takeIndex({ buffer, generation }) {
      await pool.takeIndex(buffer, generation);
      jobs.wake();
    },
    async stop() {
      const all = [jobs, validations, pipelines, monitors, deliveries, retention];
      const ended = all.map((scheduler) => scheduler.stop());
      stopped.resolve();
      keychain.stop();
      // In parallel, because a batch may wait for a worker of the pool that is being restarted.
      const { waterfalls } = context;
      await Promise.all([...ended, waterfalls.stop(), postWorker.stop(), pool.close()]);
      await installed.stop();
      await teamDirectory.stop();
      database.close();
    },
  };
}
