// The stored rows of a job, a monitor or a pipeline: jobs/<id>/input.csv and its offset index.
import { copyFileSync, existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as yieldThread } from 'node:timers/promises';
import { createPrivateFolder } from '../platform/private-files.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { InputDamage, openRows, type RowsFile } from './read-rows.ts';
import { leftOutDir } from './reading/wide-lines.ts';

export const jobDir = (folder: string, jobUuid: string) => join(folder, 'jobs', jobUuid);

const inputFiles = ['input.csv', 'input.idx'];

function linkTable(fromDir: string, dir: string): void {
  createPrivateFolder(dir);
  for (const name of inputFiles) {
    try {
      linkSync(join(fromDir, name), join(dir, name));
    } catch {
      copyFileSync(join(fromDir, name), join(dir, name));
    }
  }
  syncFolder(dir);
}

/**
 * Copies a decoded table for a job: as hard links if possible, so that an upload can be submitted
 * again without a second copy. Synced to disk before it returns.
 */
export function adoptInput(folder: string, jobUuid: string, preparedDir: string): void {
  const dir = jobDir(folder, jobUuid);
  linkTable(preparedDir, dir);
  if (existsSync(leftOutDir(preparedDir))) {
    linkTable(leftOutDir(preparedDir), leftOutDir(dir));
    syncFolder(dir);
  }
  syncFolder(join(folder, 'jobs'));
}

export function openLeftOut(folder: string, jobUuid: string): RowsFile | null {
  const dir = leftOutDir(jobDir(folder, jobUuid));
  return existsSync(dir) ? openRows(dir) : null;
}

/** Removes a job's input after a refused submission. */
export const dropInput = (folder: string, jobUuid: string) =>
  rmSync(jobDir(folder, jobUuid), { recursive: true, force: true });

function describeFault(error: unknown): string {
  if (error instanceof InputDamage) return error.what;
  const { code, message, path } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' && path ? `${basename(path)} is missing` : message;
}

/** Opens the rows of an input. Returns what is wrong with them if it cannot. */
function tryOpen(folder: string, uuid: string, rowCount: number): RowsFile | string {
  let rows: RowsFile;
  try {
    rows = openRows(jobDir(folder, uuid));
  } catch (error) {
    return describeFault(error);
  }
  if (rows.rowCount === rowCount) return rows;
  rows.close();
  return `there are ${rows.rowCount} rows instead of the ${rowCount} submitted`;
}

/** What is wrong with the rows of an input; null if nothing. Other work runs in between. */
export async function findInputFault(
  folder: string,
  uuid: string,
  rowCount: number,
): Promise<string | null> {
  const opened = tryOpen(folder, uuid, rowCount);
  if (typeof opened === 'string') return opened;
  try {
    for (const _block of opened.verify()) await yieldThread();
    return null;
  } catch (error) {
    return describeFault(error);
  } finally {
    opened.close();
  }
}

/**
 * Opens the rows of an input. Throws `input_damaged` if its files do not match each other or the
 * database, because rows were changed or lost.
 */
export function openInput(folder: string, uuid: string, rowCount: number): RowsFile {
  const opened = tryOpen(folder, uuid, rowCount);
  if (typeof opened !== 'string') return opened;
  throw new InputDamage(uuid, opened);
}

/** Throws what `openInput` throws, before the first row is needed. */
export const requireInput = (folder: string, uuid: string, rowCount: number): void =>
  openInput(folder, uuid, rowCount).close();

/** Removes inputs without an owner: a kill came between the file and the row. */
export function sweepInputs(folder: string, isJob: (jobUuid: string) => boolean): void {
  const dir = join(folder, 'jobs');
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir)) if (!isJob(name)) dropInput(folder, name);
}
