/**
 * The data folder: where it is by default, its local socket, and the lock that lets one engine own
 * it.
 */
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from './contract/errors.ts';

const folderName = 'enrichment-desk';

/** The data folder of this user unless told otherwise, by each system's own custom. */
export function defaultDataDir(): string {
  const { env, platform } = process;
  if (env.DESK_DATA_DIR) return resolve(env.DESK_DATA_DIR);
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData/Local'), folderName);
  if (platform === 'darwin') return join(homedir(), 'Library/Application Support', folderName);
  return join(env.XDG_DATA_HOME ?? join(homedir(), '.local/share'), folderName);
}

/** Longest path that a Unix socket can have on every system. */
const socketPathCharactersMax = 100;

/** The local socket of a data folder: a file in it, or a named pipe on Windows. */
export function socketPathOf(dataDir: string): string {
  const path = join(resolve(dataDir), 'engine.sock');
  const short = createHash('sha256').update(path).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\${folderName}-${short}`;
  // A deep folder would not fit: its socket stands in the user's runtime folder instead.
  return path.length <= socketPathCharactersMax
    ? path
    : join(process.env.XDG_RUNTIME_DIR ?? '/tmp', `${folderName}-${short}.sock`);
}

/** A lock that is held until `release`, or until the process ends however it ends. */
export interface FolderLock {
  release(): void;
}

/**
 * Makes the folder (0700) and locks it for this process. The lock is SQLite's own on engine.lock:
 * the system frees it on a kill, which no lock file with a process id in it can promise.
 * Throws EngineError where another engine owns the folder.
 */
export function lockFolder(dataDir: string): FolderLock {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'engine.lock');
  const database = new Database(path, { timeout: 0 });
  try {
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    throw new EngineError(
      'validation_error',
      `Another engine is running on ${dataDir}. ` +
        'Use that one, stop it, or name another folder with --data-dir.',
    );
  }
  if (process.platform !== 'win32') chmodSync(path, 0o600);
  return { release: () => database.close() };
}
