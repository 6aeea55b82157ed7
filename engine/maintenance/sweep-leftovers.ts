// Removes files with callers' rows that a killed engine or command has left in a data folder.
import { existsSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { passingNames } from '../platform/data-files.ts';
import { findLoss } from './check-databases.ts';

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

const list = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function sweepSpools(folder: string): void {
  for (const name of list(folder))
    if (!existsSync(join(folder, name, 'upload.json'))) remove(join(folder, name));
}

/**
 * Removes temporary folders and files of an environment, and the folder of a killed restore. The
 * caller must own the lock of the data folder, and must not have started any work in it: all
 * temporary files are leftovers then.
 */
export function sweepLeftovers(folder: string): void {
  // Without engine.db, they could be the only copy.
  if (findLoss(folder, 'engine.db') !== null) return;
  for (const name of readdirSync(folder)) if (passingNames.test(name)) remove(join(folder, name));
  sweepSpools(join(folder, 'uploads'));
  remove(`${realpathSync(folder)}.restoring`);
}
