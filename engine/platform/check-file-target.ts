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
  const { code = '', message, path: at, syscall } = error as NodeJS.ErrnoException;
  const isOfTarget = at?.startsWith(path) === true || /^(?:write|fsync)$/.test(syscall ?? '');
  // The folder may have been removed, or its disk, since it was checked.
  const isGone = /^(?:ENOENT|ENOTDIR|EIO|EBUSY|ESTALE|ENODEV|ENXIO)$/.test(code);
  if (!/^(?:ENOSPC|EDQUOT|EROFS|EACCES|EPERM)$/.test(code) && !(isGone && isOfTarget)) return error;
  return new EngineError(
    'validation_error',
    `${path} cannot be written (${message}). Check that its folder is there, free space on its ` +
      'disk and check your permissions, or choose another folder.',
    { cause: error },
  );
}
