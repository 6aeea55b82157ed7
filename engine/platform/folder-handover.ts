/**
 * Engines that give way: one that was opened for an assistant lets go of its folder for the app.
 *
 *   a guest holds the folder ──its file is removed by a host──> it closes ──> the host holds it
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineError } from '../contract/errors.ts';
import { folderHandoverMaxMs, folderLookIntervalMs } from '../contract/limits/platform.ts';
import { type FolderLock, isFolderLocked, lockFolder } from './data-dir-lock.ts';

/** A host takes a folder over from a guest; any other engine is refused where one runs. */
export type EngineRole = 'host' | 'guest';

/** Stands while a guest holds the folder; who removes it asks for the folder. */
const guestFile = (dataDir: string): string => join(dataDir, 'engine.guest');

/** Waits for a guest to go. Throws `folder_locked` if it does not, or if the owner is none. */
async function takeOver(dataDir: string, refusal: EngineError): Promise<FolderLock> {
  const giveUpAtMs = Date.now() + folderHandoverMaxMs;
  if (!existsSync(guestFile(dataDir))) throw refusal;
  for (;;) {
    // Again and again: the guest may have come back before we were there.
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
 * Locks a folder in a role; a host waits for a guest to go. Throws `folder_locked` if another
 * engine keeps it.
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
  // What a kill has left says nothing of this engine.
  if (role === 'guest') writeFileSync(guestFile(dataDir), '', { mode: 0o600 });
  else rmSync(guestFile(dataDir), { force: true });
  return lock;
}

/** Calls back once when a host asks a guest for its folder; returns how to look no more. */
export function watchForHost(dataDir: string, onRequested: () => void): () => void {
  const looks = setInterval(() => {
    if (existsSync(guestFile(dataDir))) return;
    clearInterval(looks);
    onRequested();
  }, folderLookIntervalMs).unref();
  return () => clearInterval(looks);
}
