/** Starts an engine: the only place where lock, world and server meet. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { WorldName } from './contract/ids.ts';
import type { SecretKey } from './contract/webhook.ts';
import { socketPathOf } from './data-dir.ts';
import { stagingFolder } from './data-files.ts';
import { startEmpty } from './domain/start-empty.ts';
import { sweepLeftovers } from './domain/sweep-leftovers.ts';
import { hasUnfinishedWork } from './domain/unfinished-work.ts';
import type { LateWorld } from './domain/world.ts';
import type { FolderLock } from './folder.ts';
import { type EngineRole, lockFolderAs } from './give-way.ts';
import { describeClosed } from './private-files.ts';
import { startServer } from './server/start-server.ts';
import { openLater } from './threads/late-world.ts';
import { logFailure } from './threads/log-failure.ts';
import { openWorld } from './threads/open-world.ts';
import { restartDelayMs } from './threads/restart-delay.ts';

/** How an engine is started. */
export interface EngineConfig {
  /** Data folder; made where it is missing. */
  readonly dataDir: string;
  /** Loopback port, 0 for a free one, null for none. */
  readonly port: number | null;
  /** Whether to listen on the folder's local socket. */
  readonly socket: boolean;
  /** Folder of the built interface, null to serve none. */
  readonly uiDir: string | null;
  /** Whether the staging world is opened at once, and not at its first use. */
  readonly openStaging?: boolean;
  /** Host: takes the folder over from a guest. Guest: is to watch for hosts. */
  readonly role?: EngineRole;
  /** Token of the interface's own session, where a host has made one. */
  readonly sessionToken?: string | null;
  /** The environment that starts empty on purpose; its files are kept aside. */
  readonly startEmpty?: WorldName;
}

/** A running engine. */
export interface Engine {
  /** Origin without a trailing slash; null without a port. */
  readonly url: string | null;
  readonly port: number | null;
  readonly socketPath: string | null;
  /** What opening the folder changed, a sentence each. */
  readonly remarks: readonly string[];
  /**
   * A one-time link that opens the interface with a session.
   * @param onOpened called when the link was used
   */
  openUrl(onOpened?: () => void): string;
  /** Where the key is that seals secrets; the keychain may take a while to answer. */
  describeSecretKey(): Promise<SecretKey>;
  /** Ends after the batch in hand; running jobs go on at the next start. */
  close(): Promise<void>;
}

declare const __DESK_VERSION__: string | undefined;

/** The product's version: put in by the build, or read from package.json in the source tree. */
export const readVersion = (): string =>
  typeof __DESK_VERSION__ === 'string'
    ? __DESK_VERSION__
    : (JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'))
        .version as string);

/**
 * Opens the staging world where its jobs are to go on, again and again where it cannot be opened;
 * a request for it meanwhile waits.
 */
function goOn(staging: LateWorld, failures = 0): void {
  if (staging.hasEnded || !hasUnfinishedWork(staging.folder)) return;
  staging.whenOpen().catch((error: unknown) => {
    // A close ends the tries.
    if (staging.hasEnded) return;
    logFailure('the staging world could not be opened', error);
    setTimeout(() => goOn(staging, failures + 1), restartDelayMs(failures + 1)).unref();
  });
}

const environmentFolder = (dataDir: string, name: WorldName): string =>
  name === 'live' ? dataDir : join(dataDir, stagingFolder);

/** Does to a locked folder what comes before its files are opened; answers what it changed. */
function prepareFolder(dataDir: string, lock: FolderLock, emptied?: WorldName): string[] {
  const remarks: string[] = [];
  if (lock.wasOpenToOthers) remarks.push(describeClosed(dataDir));
  if (emptied !== undefined) {
    const aside = startEmpty(environmentFolder(dataDir, emptied));
    if (aside) remarks.push(`Kept aside in ${aside.folder}: ${aside.names.join(', ')}.`);
  }
  // Staging may not be opened for long; what a kill left there goes now.
  sweepLeftovers(environmentFolder(dataDir, 'test'));
  return remarks;
}

/**
 * Starts an engine on a folder. Throws EngineError where another engine owns it, other users may
 * write to it, its files are lost, damaged or from a newer version, or the port is taken; nothing
 * is left running then.
 */
export async function startEngine(config: EngineConfig): Promise<Engine> {
  const dataDir = resolve(config.dataDir);
  const lock = await lockFolderAs(config.role, dataDir);
  try {
    const remarks = prepareFolder(dataDir, lock, config.startEmpty);
    const world = await openWorld('live', dataDir);
    const staging = openLater('test', environmentFolder(dataDir, 'test'), openWorld);
    try {
      if (config.openStaging) await staging.whenOpen();
      else goOn(staging);
      const socketPath = config.socket ? socketPathOf(dataDir) : null;
      const server = await startServer({
        world,
        staging,
        config: {
          port: config.port,
          socketPath,
          uiDir: config.uiDir,
          sessionToken: config.sessionToken ?? null,
          wasOpenToOthers: lock.wasOpenToOthers,
          version: readVersion(),
        },
      });
      return {
        url: server.url,
        port: server.port,
        socketPath,
        remarks,
        openUrl: (onOpened) => server.openUrl(onOpened),
        describeSecretKey: () => world.writer.describeSecretKey(null),
        async close() {
          await server.close();
          await Promise.all([world.close(), staging.close()]);
          await server.whenSettled();
          lock.release();
        },
      };
    } catch (error) {
      await Promise.all([world.close(), staging.close()]);
      throw error;
    }
  } catch (error) {
    lock.release();
    throw error;
  }
}
