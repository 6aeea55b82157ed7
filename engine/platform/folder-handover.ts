// Handover of a data folder: the engine of a command releases it to the app or `desk serve`.
//
//   secondary owns the folder ──primary writes in its file──> secondary closes ──> primary owns it
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError, type ErrorCode } from '../contract/errors.ts';
import {
  folderHandoverMaxMs,
  folderPollIntervalMs,
  quietWaitMs,
} from '../contract/limits/platform.ts';
import { answersAt, socketPathOf } from './data-dir.ts';
import { type FolderLock, isFolderLocked, lockFolder } from './data-dir-lock.ts';

/** A primary engine takes a folder over from a secondary one. Others fail if one is running. */
export type EngineRole = 'primary' | 'secondary';

export interface FolderWait {
  /** Whether to request the folder from a secondary engine. */
  readonly asks: boolean;
  /** Called once with the reason if the wait is long. */
  readonly onWait?: ((reason: string) => void) | undefined;
  /** Default: a minute. */
  readonly maxMs?: number | undefined;
  /** Ends the wait with an AbortError. */
  readonly signal?: AbortSignal | undefined;
}

/** The file exists while a secondary engine owns the folder. Text in it requests the folder. */
const secondaryFile = (dataDir: string): string => join(dataDir, 'engine.secondary');

/** Whether an engine is running that does not release a locked folder. */
const isKept = async (dataDir: string, asks: boolean): Promise<boolean> =>
  !(asks && existsSync(secondaryFile(dataDir))) && (await answersAt(socketPathOf(dataDir)));

/** Repeated while it waits, because the secondary engine may restart before the folder is free. */
function requestFolder(dataDir: string): void {
  try {
    writeFileSync(secondaryFile(dataDir), 'requested', { flag: 'r+' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/**
 * Locks a folder when what has it ends: a command, or an engine that starts or stops. Throws
 * `folder_locked` if an engine runs on it that does not release it, or if it is kept too long.
 */
export async function lockWhenFree(
  dataDir: string,
  { asks, onWait, maxMs = folderHandoverMaxMs, signal }: FolderWait,
): Promise<FolderLock> {
  const startedAtMs = Date.now();
  let isTold = false;
  for (;;)
    try {
      return lockFolder(dataDir);
    } catch (error) {
      const waitedMs = Date.now() - startedAtMs;
      if (!isFolderLocked(error) || waitedMs > maxMs || (await isKept(dataDir, asks))) throw error;
      if (asks) requestFolder(dataDir);
      if (!isTold && waitedMs > quietWaitMs) {
        isTold = true;
        onWait?.(`Waiting for another command to release ${dataDir}.`);
      }
      await wait(folderPollIntervalMs, undefined, signal && { signal });
    }
}

/** A primary engine waits for the folder. Throws `folder_locked` if it is kept. */
export async function lockFolderAs(
  role: EngineRole | undefined,
  dataDir: string,
  waiting: Omit<FolderWait, 'asks'> = {},
): Promise<FolderLock> {
  const lock =
    role === 'primary'
      ? await lockWhenFree(dataDir, { asks: true, ...waiting })
      : lockFolder(dataDir);
  markRole(role, dataDir);
  return lock;
}

/** Replaces or removes the file that a killed process left, or a restored folder lacks. */
export function markRole(role: EngineRole | undefined, dataDir: string): void {
  if (role === 'secondary') writeFileSync(secondaryFile(dataDir), '', { mode: 0o600 });
  else rmSync(secondaryFile(dataDir), { force: true });
}

/**
 * Takes what this process has released, such as its lock or its port. What has it meanwhile, such
 * as a command or a connection of another program, usually ends by itself. Else throws its error.
 */
export async function takeAgain<Taken>(
  take: () => Taken,
  refusal: ErrorCode,
): Promise<Awaited<Taken>> {
  const giveUpAtMs = Date.now() + folderHandoverMaxMs;
  for (;;)
    try {
      return await take();
    } catch (error) {
      const isTaken = error instanceof EngineError && error.code === refusal;
      if (!isTaken || Date.now() > giveUpAtMs) throw error;
      await wait(folderPollIntervalMs);
    }
}

const isRequested = (dataDir: string): boolean => {
  try {
    return readFileSync(secondaryFile(dataDir)).length > 0;
  } catch {
    return false;
  }
};

/** Calls back once when a primary engine wants the folder. Returns a function that stops. */
export function watchForPrimary(dataDir: string, onRequested: () => void): () => void {
  const watch = setInterval(() => {
    if (!isRequested(dataDir)) return;
    clearInterval(watch);
    onRequested();
  }, folderPollIntervalMs).unref();
  return () => clearInterval(watch);
}
