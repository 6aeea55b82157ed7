// Data-folder handover: an engine started for an assistant releases the folder when the app starts.
//
//   secondary owns the folder ──primary removes its file──> secondary closes ──> primary owns it
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EngineError, type ErrorCode } from '../contract/errors.ts';
import { folderHandoverMaxMs, folderPollIntervalMs } from '../contract/limits/platform.ts';
import { type FolderLock, isFolderLocked, lockFolder } from './data-dir-lock.ts';

/** A primary engine takes a folder over from a secondary one. Others fail if one is running. */
export type EngineRole = 'primary' | 'secondary';

/** The file exists while a secondary engine owns the folder. Removing it requests the folder. */
const secondaryFile = (dataDir: string): string => join(dataDir, 'engine.secondary');

/** Throws `folder_locked` if a secondary engine keeps the folder, or another kind owns it. */
async function takeOver(dataDir: string, refusal: EngineError): Promise<FolderLock> {
  const giveUpAtMs = Date.now() + folderHandoverMaxMs;
  if (!existsSync(secondaryFile(dataDir))) throw refusal;
  for (;;) {
    // Repeated, because the secondary engine may restart before this engine has the lock.
    rmSync(secondaryFile(dataDir), { force: true });
    await wait(folderPollIntervalMs);
    try {
      return lockFolder(dataDir);
    } catch (error) {
      if (!isFolderLocked(error) || Date.now() > giveUpAtMs) throw error;
    }
  }
}

/** A primary engine waits for a secondary one. Throws `folder_locked` if the folder is kept. */
export async function lockFolderAs(
  role: EngineRole | undefined,
  dataDir: string,
): Promise<FolderLock> {
  const lock = await (async () => {
    try {
      return lockFolder(dataDir);
    } catch (error) {
      if (role !== 'primary' || !isFolderLocked(error)) throw error;
      return takeOver(dataDir, error);
    }
  })();
  // Replaces or removes the stale file of a killed process.
  if (role === 'secondary') writeFileSync(secondaryFile(dataDir), '', { mode: 0o600 });
  else rmSync(secondaryFile(dataDir), { force: true });
  return lock;
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

/** Calls back once when a primary engine wants the folder. Returns a function that stops. */
export function watchForPrimary(dataDir: string, onRequested: () => void): () => void {
  const watch = setInterval(() => {
    if (existsSync(secondaryFile(dataDir))) return;
    clearInterval(watch);
    onRequested();
  }, folderPollIntervalMs).unref();
  return () => clearInterval(watch);
}
