/** The stored rows of a job, a monitor or a pipeline: jobs/<id>/input.csv and its offset index. */

import { copyFileSync, existsSync, linkSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { EngineError } from '../contract/errors.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import { openRows, type RowsFile } from './read-rows.ts';

/** The folder of one job's input. */
export const jobDir = (folder: string, jobUuid: string) => join(folder, 'jobs', jobUuid);

const inputFiles = ['input.csv', 'input.idx'];

/**
 * Gives a job its own copy of a prepared table: hard links where the disk can, so that an upload
 * can be submitted again with other layers and costs no second copy. Synced before it returns.
 */
export function adoptInput(folder: string, jobUuid: string, preparedDir: string): void {
  const dir = jobDir(folder, jobUuid);
  createPrivateFolder(dir);
  for (const name of inputFiles) {
    try {
      linkSync(join(preparedDir, name), join(dir, name));
    } catch {
      copyFileSync(join(preparedDir, name), join(dir, name));
    }
  }
  syncFolder(dir);
  syncFolder(join(folder, 'jobs'));
}

/** Removes a job's input: after a refused submit. */
export const dropInput = (folder: string, jobUuid: string) =>
  rmSync(jobDir(folder, jobUuid), { recursive: true, force: true });

/** Opens the rows of an input; or says what is wrong with them. */
function tryOpen(folder: string, uuid: string, rowCount: number): RowsFile | string {
  let rows: RowsFile;
  try {
    rows = openRows(jobDir(folder, uuid));
  } catch (error) {
    const { code, message, path } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' && path ? `${basename(path)} is missing` : message;
  }
  if (rows.rowCount === rowCount) return rows;
  rows.close();
  return `there are ${rows.rowCount} where ${rowCount} were submitted`;
}

/** What is wrong with the rows of an input; null where they are whole. */
export function findInputFault(folder: string, uuid: string, rowCount: number): string | null {
  const opened = tryOpen(folder, uuid, rowCount);
  if (typeof opened === 'string') return opened;
  opened.close();
  return null;
}

/**
 * Opens the rows of an input, whose files must agree with each other and with the database.
 * Throws `input_damaged` if they do not: rows were cut, added or lost.
 */
export function openInput(folder: string, uuid: string, rowCount: number): RowsFile {
  const opened = tryOpen(folder, uuid, rowCount);
  if (typeof opened !== 'string') return opened;
  throw new EngineError(
    'input_damaged',
    `The rows that were submitted for ${uuid} are damaged on disk (${opened}). Restore a backup, ` +
      'or submit them again.',
  );
}

/** Throws what `openInput` throws, before the first row is asked for. */
export const requireInput = (folder: string, uuid: string, rowCount: number): void =>
  openInput(folder, uuid, rowCount).close();

/** Removes the inputs that nothing owns: what a kill between file and row left behind. */
export function sweepInputs(folder: string, isJob: (jobUuid: string) => boolean): void {
  const dir = join(folder, 'jobs');
  if (!existsSync(dir)) return;
  for (const name of readdirSync(dir)) if (!isJob(name)) dropInput(folder, name);
}
