// Distinguishes a folder that lost a database from one that never had any. A lost database must not
// be replaced by a new installation with new credits, no keys and no ledger.
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { hasImports, openDirectoryReadable } from '../directory/open-directory.ts';
import { hasSaved } from '../directory/saved-indexes.ts';
import { automaticBackupsFolder, type DatabaseFile } from '../platform/data-files.ts';
import { sandboxSource } from '../providers/sandbox-directory.ts';

const flags: Readonly<Record<EnvironmentName, string>> = { live: '', staging: ' --staging' };

export const describeEmptyStart = (name: EnvironmentName): string =>
  `Or start empty: desk serve${flags[name]} --new keeps the old files aside.`;

export const describeRemedy = (name: EnvironmentName): string =>
  `Restore a backup: desk restore FILE${flags[name]}. ${describeEmptyStart(name)}`;

/** How a database file is lost; null if it exists and is not empty. */
export function findLoss(folder: string, file: DatabaseFile): 'missing' | 'empty' | null {
  const info = statSync(join(folder, file), { throwIfNoEntry: false });
  if (!info) return 'missing';
  return info.isFile() && info.size === 0 ? 'empty' : null;
}

const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function findKeptFolder(folder: string): string | null {
  const path = realpathSync(folder);
  const kept = list(dirname(path)).filter((name) =>
    name.startsWith(`${basename(path)}.before-restore-`),
  );
  return kept.sort().at(-1) ?? null;
}

const isFilled = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

/** Whether the directory has more than the sandbox, which a new environment contains. */
function hasPeople(folder: string): boolean {
  if (findLoss(folder, 'directory.db') !== null) return false;
  const directory = openDirectoryReadable(folder);
  try {
    return hasImports(directory, sandboxSource);
  } finally {
    directory.close();
  }
}

/** Traces of engine.db in a folder, as the start of a sentence; checked in order. */
const tracesOfStore: Readonly<Record<string, (folder: string) => boolean>> = {
  'its jobs are': (folder) => list(join(folder, 'jobs')).length > 0,
  'its uploads are': (folder) => list(join(folder, 'uploads')).length > 0,
  'its log is': (folder) => isFilled(join(folder, 'engine.db-wal')),
  'its keys are': (folder) =>
    ['engine.key', 'tool-sessions.key'].some((name) => existsSync(join(folder, name))),
  'the index of its directory is': hasSaved,
  'a backup is': (folder) =>
    [...list(folder), ...list(join(folder, automaticBackupsFolder))].some(
      (name) => name === 'backup-copies' || name.endsWith('.tar.gz'),
    ),
  'a directory with people is': hasPeople,
};

const tracesOfDirectory: typeof tracesOfStore = {
  'its index is': hasSaved,
  'its log is': (folder) => isFilled(join(folder, 'directory.db-wal')),
  'jobs are': (folder) => list(join(folder, 'jobs')).length > 0,
};

const findTrace = (folder: string, traces: typeof tracesOfStore): string | undefined =>
  Object.entries(traces).find(([, isThere]) => isThere(folder))?.[0];

function refuseLoss(name: EnvironmentName, what: string): never {
  throw new EngineError('database_missing', `${what} ${describeRemedy(name)}`);
}

/**
 * Throws `database_missing` if engine.db or directory.db of a folder is missing or empty, and other
 * files show that it existed. A new folder, or one that was never opened, is accepted.
 */
export function requireDatabases(name: EnvironmentName, folder: string): void {
  if (!existsSync(folder)) return;
  const storeLoss = findLoss(folder, 'engine.db');
  if (storeLoss === null) {
    const directoryLoss = findLoss(folder, 'directory.db');
    const trace = directoryLoss && findTrace(folder, tracesOfDirectory);
    if (trace)
      refuseLoss(name, `directory.db in ${folder} is ${directoryLoss}, while ${trace} there.`);
    return;
  }
  const trace = findTrace(folder, tracesOfStore);
  if (trace) refuseLoss(name, `engine.db in ${folder} is ${storeLoss}, while ${trace} there.`);
  const kept = findKeptFolder(folder);
  if (kept)
    refuseLoss(
      name,
      `${folder} is empty, but a restore has kept its former content as ${kept} in the folder ` +
        'above it.',
    );
}
