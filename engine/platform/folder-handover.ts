/**
 * Data-folder handover: an engine started for an assistant releases the folder when the app starts.
 *
 *   a guest holds the folder ──a host removes the guest's file──> it closes ──> the host holds it
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineError } from '../contract/errors.ts';
import { folderHandoverMaxMs, folderLookIntervalMs } from '../contract/limits/platform.ts';
import { type FolderLock, isFolderLocked, lockFolder } from './data-dir-lock.ts';

/** A host takes a folder over from a guest. Any other engine fails if one is running. */
export type EngineRole = 'host' | 'guest';

/** The file exists while a guest holds the folder. Removing it requests the folder. */
const guestFile = (dataDir: string): string => join(dataDir, 'engine.guest');

/**
 * Waits for a guest to release the folder. Throws `folder_locked` if it does not, or if the owner
 * is not a guest.
 */
async function takeOver(dataDir: string, refusal: EngineError): Promise<FolderLock> {
  const giveUpAtMs = Date.now() + folderHandoverMaxMs;
  if (!existsSync(guestFile(dataDir))) throw refusal;
  for (;;) {
    // Repeated, because the guest may restart before this engine has the lock.
    rmSync(guestFile(dataDir), { force: true });
    await wait(folderLookIntervalMs);
    try {
      return lockFolder(dataDir);
    } catch (error) {
      if (!isFolderLocked(error) || Date.now() > giveUpAtMs) throw error;
    }
  }
}

/**
 * Locks a folder in a role; a host waits for a guest. Throws `folder_locked` if another engine
 * keeps it.
 */
export async function lockFolderAs(
  role: EngineRole | undefined,
  dataDir: string,
): Promise<FolderLock> {
  const lock = await (async () => {
    try {
      return lockFolder(dataDir);
    } catch (error) {
      if (role !== 'host' || !isFolderLocked(error)) throw error;
      return takeOver(dataDir, error);
    }
  })();
  // Replaces or removes the stale file of a killed process.
  if (role === 'guest') writeFileSync(guestFile(dataDir), '', { mode: 0o600 });
  else rmSync(guestFile(dataDir), { force: true });
  return lock;
}

/**
 * Calls back once when a host requests a guest's folder. Returns a function that stops watching.
 */
export function watchForHost(dataDir: string, onRequested: () => void): () => void {
  const watch = setInterval(() => {
    if (existsSync(guestFile(dataDir))) return;
    clearInterval(watch);
    onRequested();
  }, folderLookIntervalMs).unref();
  return () => clearInterval(watch);
}
