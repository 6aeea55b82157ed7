// The reserve of a data folder: a file without content of use. An engine that starts on a full disk
// deletes it, and has the space that SQLite needs to open databases for reading.
import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reserveBytes } from '../../contract/limits/maintenance.ts';
import { reserveName } from '../../platform/data-files.ts';
import { findSystemRefusal } from '../../platform/sqlite/system-refusal.ts';

/** Writes bytes that no file system can compress. Returns whether there was space for them. */
export function tryWrite(path: string, bytes: number): boolean {
  try {
    writeFileSync(path, randomBytes(bytes), { mode: 0o600 });
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    if (findSystemRefusal(error)?.code !== 'read_only') throw error;
    return false;
  }
}

/** Creates the reserve if there is none and the disk has space for it. */
export function createReserve(dataDir: string): void {
  const path = join(dataDir, reserveName);
  if (statSync(path, { throwIfNoEntry: false })?.size !== reserveBytes)
    tryWrite(path, reserveBytes);
}

/** Deletes the reserve if nothing else can be written. Call it with the folder's lock. */
export function releaseReserve(dataDir: string): void {
  const probe = join(dataDir, 'space.tmp');
  const hasSpace = tryWrite(probe, reserveBytes);
  rmSync(probe, { force: true });
  if (!hasSpace) rmSync(join(dataDir, reserveName), { force: true });
}
