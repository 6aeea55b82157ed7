/** Removes what a killed engine or command has left in a data folder: it holds callers' rows. */
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { passingNames } from '../platform/data-files.ts';
import { findLoss } from './check-databases.ts';

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** Removes what is no upload that waits for its job: spooled files, and folders half decoded. */
function sweepSpools(folder: string): void {
  for (const name of list(folder))
    if (!existsSync(join(folder, name, 'upload.json'))) remove(join(folder, name));
}

/**
 * Removes temporary folders and files of an environment, and the folder of a restore that was
 * killed. The caller owns the lock of the data folder, and nothing of its own is at work there yet:
 * whatever is found belongs to nobody who lives.
 */
export function sweepLeftovers(folder: string): void {
  // Without engine.db they may be the only copy of something.
  if (findLoss(folder, 'engine.db') !== null) return;
  for (const name of readdirSync(folder)) if (passingNames.test(name)) remove(join(folder, name));
  sweepSpools(join(folder, 'uploads'));
  remove(`${realpathSync(folder)}.restoring`);
}
