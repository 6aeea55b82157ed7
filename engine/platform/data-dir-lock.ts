/** The lock of a data folder, which lets one engine own it. */
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

/** A lock that is held until `release`, or until the process ends however it ends. */
export interface FolderLock {
  /** Whether other users could read the folder until it was locked. */
  readonly wasOpenToOthers: boolean;
  release(): void;
}

/** Whether an error says that another engine owns the folder. */
export const isFolderLocked = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.code === 'folder_locked';

const locked = (dataDir: string): EngineError =>
  new EngineError(
    'folder_locked',
    `Another engine is running on ${dataDir}. ` +
      'Use that one, stop it, or name another folder with --data-dir.',
  );

/** Why a folder, or the lock in it, cannot be used. */
function explainUnusable(dataDir: string, error: unknown): unknown {
  if (error instanceof EngineError) return error;
  const refusal = findSystemRefusal(error, join(dataDir, 'engine.lock'));
  if (refusal?.code === 'read_only' || refusal?.code === 'database_missing') return refusal;
  const { message } = error as Error;
  if (refusal?.code === 'database_damaged')
    return new EngineError(
      'folder_unusable',
      `engine.lock in ${dataDir} is damaged (${message}). It holds nothing: remove that file, ` +
        'then try again.',
      { cause: error },
    );
  return new EngineError(
    'folder_unusable',
    `${dataDir} cannot be used as a data folder (${message}). ` +
      'Name a folder that you may write to with --data-dir.',
    { cause: error },
  );
}

/** Asks for the right to write before anything is tried: SQLite and mkdir hide why it lacks. */
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
 * Makes the folder (0700), takes it from others who may read it, and locks it for this process. The
 * lock is SQLite's own on engine.lock: the system frees it on a kill, which no lock file with a
 * process id in it can promise.
 * Throws `folder_locked` if another engine owns the folder, and other EngineErrors if it cannot be
 * used or other users may write to it.
 */
export function lockFolder(dataDir: string): FolderLock {
  let database: Database.Database | undefined;
  try {
    database = openLock(dataDir, join(dataDir, 'engine.lock'));
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
