// The lock of a data folder. Only one engine can own a folder.
import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from '../contract/errors.ts';
import {
  closeToOthers,
  createPrivateFile,
  createPrivateFolder,
  requirePrivateFolder,
} from './private-files.ts';
import { findSystemRefusal } from './sqlite/system-refusal.ts';

/** A lock that is held until `release`, or until the process ends. */
export interface FolderLock {
  readonly wasOpenToOthers: boolean;
  release(): void;
}

export const isFolderLocked = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'folder_locked';

const locked = (dataDir: string): EngineError =>
  new EngineError(
    'folder_locked',
    `Another engine is using ${dataDir}. ` +
      'Use that engine ("desk open" prints a link to its interface), stop it, or choose another ' +
      'folder with --data-dir.',
  );

/** Why a folder, or its lock, cannot be used. */
function explainUnusable(dataDir: string, error: unknown): unknown {
  if (error instanceof EngineError) return error;
  const refusal = findSystemRefusal(error, join(dataDir, 'engine.lock'));
  if (refusal?.code === 'read_only' || refusal?.code === 'database_missing') return refusal;
  const { message } = error as Error;
  if (refusal?.code === 'database_damaged')
    return new EngineError(
      'folder_unusable',
      `engine.lock in ${dataDir} is damaged (${message}). The file has no data: remove it, ` +
        'then try again.',
      { cause: error },
    );
  return new EngineError(
    'folder_unusable',
    `${dataDir} cannot be used as a data folder (${message}). ` +
      'Choose a folder that you can write to with --data-dir.',
    { cause: error },
  );
}

/** Checks write permission first, because SQLite and mkdir do not report why it is missing. */
function requireWritable(dataDir: string): void {
  let path = dataDir;
  while (!existsSync(path)) path = dirname(path);
  accessSync(path, constants.R_OK | constants.W_OK);
}

function openLock(dataDir: string, path: string): Database.Database {
  requireWritable(dataDir);
  createPrivateFolder(dataDir);
  requirePrivateFolder(dataDir);
  createPrivateFile(path);
  return new Database(path, { timeout: 0 });
}

/**
 * Creates the folder (0700), removes other users' access, and locks it for this process. The lock
 * is SQLite's lock on engine.lock: the operating system releases it when the process is killed,
 * unlike a file with a process id. Throws `folder_locked` if another engine owns the folder, and
 * other EngineErrors if it cannot be used or other users can write to it.
 */
export function lockFolder(dataDir: string): FolderLock {
  let database: Database.Database | undefined;
  try {
    database = openLock(dataDir, join(dataDir, 'engine.lock'));
    // No file for a journal: the lock must also work on a full disk.
    database.pragma('journal_mode = MEMORY');
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
    const wasOpenToOthers = closeToOthers(dataDir);
    const lock = database;
    return { wasOpenToOthers, release: () => void lock.close() };
  } catch (error) {
    database?.close();
    throw (error as { code?: string }).code === 'SQLITE_BUSY'
      ? locked(dataDir)
      : explainUnusable(dataDir, error);
  }
}
