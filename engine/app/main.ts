// Starts an engine: combines lock, environments and server.
import { join, resolve } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { TeamConfig, UpdateRules } from '../contract/team/team-config.ts';
import type { SecretKey } from '../contract/webhooks.ts';
import type { SearchCalls } from '../directory/search/search-directory.ts';
import { nextRunnableJob, nextWaitingJob } from '../jobs/job-states.ts';
import { createReserve, releaseReserve } from '../maintenance/read-only/reserve.ts';
import { restoreBackup } from '../maintenance/restore.ts';
import { startEmpty } from '../maintenance/start-empty.ts';
import { sweepLeftovers } from '../maintenance/sweep-leftovers.ts';
import { findNextRunAt } from '../monitors/monitor.table.ts';
import { nextOpenPipeline } from '../pipelines/pipeline.table.ts';
import { socketPathOf } from '../platform/data-dir.ts';
import { type FolderLock, lockFolder } from '../platform/data-dir-lock.ts';
import { stagingFolder } from '../platform/data-files.ts';
import {
  type EngineRole,
  type FolderWait,
  lockFolderAs,
  markRole,
  takeAgain,
} from '../platform/folder-handover.ts';
import { logFailure } from '../platform/log-failure.ts';
import { describeClosed } from '../platform/private-files.ts';
import { openStoreReadable } from '../platform/sqlite/open-store.ts';
import { readVersion } from '../platform/version.ts';
import { restartDelayMs } from '../platform/workers/restart-delay.ts';
import { readTeamRules, rulesOf, type TeamRules } from '../policy/team-rules.ts';
import { nextOpenValidation } from '../validations/validation.table.ts';
import { listWebhooksWithWork } from '../webhooks/delivery.table.ts';
import type { Environment, LazyEnvironment } from './environment.ts';
import type { ReaderCalls } from './reader-calls.ts';
import {
  createRunningRestores,
  type RunningRestoreCommand,
  type RunningRestores,
} from './restore-running.ts';
import type { ServerConfig } from './server-context.ts';
import { startEnvironment } from './start-environment.ts';
import { type RunningServer, startServer } from './start-server.ts';
import { threadWorkers } from './workers/start-workers.ts';
import type { WriterCalls } from './writer-calls.ts';

type Listener = Parameters<Environment['subscribe']>[0];

/** Calls that are looked up on each call, because the environment may not be open yet. */
const forwardCalls = <Table extends object>(find: () => Table): Table =>
  new Proxy({} as Table, {
    get: (_target, name) => (command: unknown) =>
      (find() as Record<string, (command: unknown) => unknown>)[String(name)]?.(command),
  });

/**
 * Creates an environment that `open` opens on the first `whenOpen`; after a failure, the next
 * `whenOpen` tries again. Its database, writer and reader may be used only while it is open.
 *
 *   closed ──whenOpen──> opening ──> open ──close──> ended
 *      ^─────error──────────┘
 * @param folder its data folder, absolute
 */
function createLazyEnvironment(
  name: EnvironmentName,
  folder: string,
  open: (name: EnvironmentName, folder: string) => Promise<Environment>,
): LazyEnvironment {
  let environment: Environment | null = null;
  let opening: Promise<Environment> | null = null;
  let hasEnded = false;
  const listeners = new Set<Listener>();
  const require = (): Environment => {
    if (!environment) throw new Error(`the ${name} environment was used before it was open`);
    return environment;
  };
  return {
    name,
    folder,
    get hasEnded() {
      return hasEnded;
    },
    get isOpen() {
      return environment !== null;
    },
    get database() {
      return require().database;
    },
    get directoryDatabase() {
      return require().directoryDatabase;
    },
    writer: forwardCalls<WriterCalls>(() => require().writer),
    reader: forwardCalls<ReaderCalls>(() => require().reader),
    search: forwardCalls<SearchCalls>(() => require().search),
    describeFault: () => environment?.describeFault() ?? null,
    describeReadOnly: () => environment?.describeReadOnly() ?? null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async whenOpen() {
      if (hasEnded) throw new EngineError('unavailable', 'The engine is stopping.');
      opening ??= open(name, folder);
      const mine = opening;
      try {
        const opened = await mine;
        if (environment !== null || hasEnded) return;
        environment = opened;
        opened.subscribe((event, accountId) => {
          for (const listener of listeners) listener(event, accountId);
        });
      } catch (error) {
        if (opening === mine) opening = null;
        throw error;
      }
    },
    async close() {
      hasEnded = true;
      const opened = await opening?.catch(() => null);
      environment = null;
      await opened?.close();
    },
  };
}

/**
 * Whether the environment in this folder has an unfinished job, email validation or pipeline, a
 * pending delivery, or an active monitor. False for an environment that was never opened, or cannot
 * be read: opening it reports why.
 */
function hasUnfinishedWork(folder: string): boolean {
  try {
    const database = openStoreReadable(folder);
    try {
      return (
        nextRunnableJob(database) !== null ||
        nextWaitingJob(database) !== null ||
        nextOpenValidation(database, 0) !== null ||
        nextOpenPipeline(database, 0) !== null ||
        findNextRunAt(database) !== null ||
        listWebhooksWithWork(database).length > 0
      );
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

export interface EngineConfig {
  /** Data folder; created if missing. */
  readonly dataDir: string;
  /** Loopback port, 0 for a free one, null for none. */
  readonly port: number | null;
  /** The address of a proxy with TLS that passes requests on; none by default. */
  readonly publicUrl?: URL | null;
  readonly socket: boolean;
  /** Folder of the built interface, null to serve none. */
  readonly uiDir: string | null;
  readonly openStaging?: boolean;
  /** Primary: takes the folder over from a secondary engine, which releases it. */
  readonly role?: EngineRole;
  /** How a primary engine waits for the folder. */
  readonly folderWait?: Omit<FolderWait, 'asks'>;
  /** The value of X-Desk-Session that the desktop shell sends. */
  readonly sessionToken?: string | null;
  /** The environment to start empty; its former files are kept aside. */
  readonly startEmpty?: EnvironmentName;
  /** The organisation's rules; by default those that engine/policy finds on the machine. */
  readonly policy?: TeamConfig;
}

export interface Engine {
  /** Origin without a trailing slash; null without a port. */
  readonly url: string | null;
  readonly port: number | null;
  readonly socketPath: string | null;
  /** What opening the folder changed, one sentence each. */
  readonly remarks: readonly string[];
  readonly updateRules: UpdateRules;
  openUrl(onOpened?: () => void): string;
  /** Where the encryption key is stored. The keychain may take a while to respond. */
  describeSecretKey(): Promise<SecretKey>;
  /** Resolves when the requests of commands are answered; calls back if one is waiting now. */
  whenAnswered(onWait: () => void): Promise<void>;
  /** Stops after the current batch. Running jobs continue at the next start. */
  close(): Promise<void>;
}

/** Opens staging if it has unfinished work, and retries. Requests for it wait meanwhile. */
function goOn(staging: LazyEnvironment, failures = 0): void {
  if (staging.hasEnded || !hasUnfinishedWork(staging.folder)) return;
  staging.whenOpen().catch((error: unknown) => {
    // Closing ends the retries.
    if (staging.hasEnded) return;
    logFailure('the staging environment could not be opened', error);
    setTimeout(() => goOn(staging, failures + 1), restartDelayMs(failures + 1)).unref();
  });
}

const environmentFolder = (dataDir: string, name: EnvironmentName): string =>
  name === 'live' ? dataDir : join(dataDir, stagingFolder);

/** Keeps a reserve of disk space for the next start, whenever there is space for it. */
function keepReserve(environment: Environment, dataDir: string): void {
  const create = () => {
    if (environment.describeReadOnly() === null) createReserve(dataDir);
  };
  create();
  environment.subscribe(({ type }) => type === 'read-only' && create());
}

/** Prepares a locked folder before its files are opened. Returns what it changed. */
function prepareFolder(dataDir: string, lock: FolderLock, emptied?: EnvironmentName): string[] {
  const remarks: string[] = [];
  if (lock.wasOpenToOthers) remarks.push(describeClosed(dataDir));
  if (emptied !== undefined) {
    const aside = startEmpty(environmentFolder(dataDir, emptied));
    if (aside) remarks.push(`Kept aside in ${aside.folder}: ${aside.names.join(', ')}.`);
  }
  releaseReserve(dataDir);
  // Staging may stay closed for a long time, so leftovers of a kill are removed now.
  sweepLeftovers(environmentFolder(dataDir, 'staging'));
  return remarks;
}

interface OpenEngine {
  readonly server: RunningServer;
  readonly environment: Environment;
  readonly remarks: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens a locked folder. Releases the lock if it cannot be opened, and when it is closed.
 * @param config its port may be one that this process has released
 */
async function openLocked(
  config: EngineConfig & Pick<ServerConfig, 'isPortReleased'>,
  { dataDir, lock, rules }: { dataDir: string; lock: FolderLock; rules: TeamRules },
  restores: RunningRestores,
): Promise<OpenEngine> {
  try {
    const remarks = prepareFolder(dataDir, lock, config.startEmpty);
    const open = (name: EnvironmentName) =>
      startEnvironment(name, environmentFolder(dataDir, name), threadWorkers, rules.config);
    const environment = await open('live');
    keepReserve(environment, dataDir);
    const staging = createLazyEnvironment('staging', environmentFolder(dataDir, 'staging'), open);
    const closeEnvironments = () => Promise.all([environment.close(), staging.close()]);
    try {
      if (config.openStaging) await staging.whenOpen();
      else goOn(staging);
      const server = await startServer({
        environment,
        staging,
        config: {
          port: config.port,
          isPortReleased: config.isPortReleased,
          publicUrl: config.publicUrl,
          socketPath: config.socket ? socketPathOf(dataDir) : null,
          uiDir: config.uiDir,
          sessionToken: config.sessionToken ?? null,
          wasOpenToOthers: lock.wasOpenToOthers,
          version: readVersion(),
          rules,
          restores,
        },
      });
      return {
        server,
        environment,
        remarks,
        async close() {
          await server.close();
          await closeEnvironments();
          await server.whenSettled();
          lock.release();
        },
      };
    } catch (error) {
      await closeEnvironments();
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}

const lockAgain = (dataDir: string) => takeAgain(() => lockFolder(dataDir), 'folder_locked');

async function restoreReleased(dataDir: string, command: RunningRestoreCommand) {
  const lock = await lockAgain(dataDir);
  try {
    const report = await restoreBackup({
      ...command,
      dataDir: environmentFolder(dataDir, command.environment),
      // Windows cannot move a folder that contains an open file.
      beforeChange() {
        if (process.platform === 'win32') lock.release();
      },
    });
    return { state: 'done', report } as const;
  } finally {
    lock.release();
  }
}

/**
 * Starts an engine on a folder. Throws EngineError if another engine owns it, other users can write
 * to it, its files are missing, damaged or from a newer version, the port is in use, or the policy
 * file of the machine cannot be enforced; nothing is left running then. An engine that cannot be
 * opened again after a restore ends the process.
 */
export async function startEngine(config: EngineConfig): Promise<Engine> {
  const dataDir = resolve(config.dataDir);
  const rules = config.policy ? rulesOf(config.policy) : readTeamRules();
  const reopen = async () => {
    try {
      const { startEmpty: _done, ...again } = config;
      const lock = await lockAgain(dataDir);
      markRole(config.role, dataDir);
      const folder = { dataDir, lock, rules };
      const { port: released } = engine.server;
      engine = await openLocked(
        { ...again, port: released, isPortReleased: true },
        folder,
        restores,
      );
    } catch (error) {
      console.error('The engine could not be opened again after a restore.', error);
      process.exit(1);
    }
  };
  const restores = createRunningRestores(async (command) => {
    try {
      await engine.close();
      return await restoreReleased(dataDir, command);
    } finally {
      await reopen();
    }
  });
  const lock = await lockFolderAs(config.role, dataDir, config.folderWait);
  let engine = await openLocked(config, { dataDir, lock, rules }, restores);
  const { url, port } = engine.server;
  return {
    url,
    port,
    socketPath: config.socket ? socketPathOf(dataDir) : null,
    remarks: engine.remarks,
    updateRules: rules.config.updates ?? {},
    openUrl: (onOpened) => engine.server.openUrl(onOpened),
    describeSecretKey: () => engine.environment.writer['webhooks.secretKey'](),
    whenAnswered: (onWait) => engine.server.whenAnswered(onWait),
    async close() {
      await restores.close();
      await engine.close();
    },
  };
}
