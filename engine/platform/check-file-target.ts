// Checks where a file is to be written, before work on it begins.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError, invalid } from '../contract/errors.ts';

/**
 * Throws `validation_error` if the folder of a file does not exist, or if the path is a folder.
 * @param what the file in words, such as "backup"
 */
export function checkFileTarget(path: string, what: string): void {
  const parent = dirname(path);
  if (!statSync(parent, { throwIfNoEntry: false })?.isDirectory())
    throw invalid(
      `The folder ${parent} does not exist. Create it, or choose another path for the ${what}.`,
    );
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw invalid(`${path} is a folder. Choose a file for the ${what}.`);
}

/**
 * Why a file that the caller chose cannot be written, by its path: the disk of the data folder may
 * have space. Any other error is returned as it is.
 */
export function explainTarget(error: unknown, path: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!/^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/.test(code ?? '')) return error;
  return new EngineError(
    'validation_error',
    `${path} cannot be written (${message}). Free space on its disk and check your permissions, ` +
      'or choose another folder.',
    { cause: error },
  );
}
