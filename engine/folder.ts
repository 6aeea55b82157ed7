/** The lock of a data folder, which lets one engine own it. */
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from './contract/errors.ts';

/** A lock that is held until `release`, or until the process ends however it ends. */
export interface FolderLock {
  release(): void;
}

/** Another engine owns the folder. */
export class FolderTaken extends EngineError {}

const taken = (dataDir: string): EngineError =>
  new FolderTaken(
    'validation_error',
    `Another engine is running on ${dataDir}. ` +
      'Use that one, stop it, or name another folder with --data-dir.',
  );

const unusable = (dataDir: string, cause: unknown): EngineError =>
  new EngineError(
    'validation_error',
    `${dataDir} cannot be used as a data folder (${(cause as Error).message}). ` +
      'Name a folder that you may write to with --data-dir.',
    { cause },
  );

function openLock(dataDir: string, path: string): Database.Database {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    return new Database(path, { timeout: 0 });
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

/**
 * Makes the folder (0700) and locks it for this process. The lock is SQLite's own on engine.lock:
 * the system frees it on a kill, which no lock file with a process id in it can promise.
 * Throws FolderTaken where another engine owns the folder, and EngineError where it is none.
 */
export function lockFolder(dataDir: string): FolderLock {
  const path = join(dataDir, 'engine.lock');
  const database = openLock(dataDir, path);
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw (error as { code?: string }).code === 'SQLITE_BUSY'
      ? taken(dataDir)
      : unusable(dataDir, error);
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return { release: () => database.close() };
}
