/** Checks where a file is to be written, before work on it begins. */
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError } from '../contract/errors.ts';

/**
 * Throws `validation_error` if the folder of a file does not exist, or if the path is a folder.
 * @param what the file in words, such as "backup"
 */
export function checkFileTarget(path: string, what: string): void {
  const parent = dirname(path);
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw new EngineError(
      'validation_error',
      `The folder ${parent} does not exist. Create it, or choose another path for the ${what}.`,
    );
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new EngineError(
      'validation_error',
      `${path} is a folder. Choose a file for the ${what}.`,
    );
}
