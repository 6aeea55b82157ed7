// Reads a file that a command names.
import { readFileSync } from 'node:fs';
import { CommandError, exitCodes } from './refusal.ts';

/** The text of a file. Throws CommandError if it cannot be read. */
export function readTextFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError('not_found', exitCodes.badUsage, `${path} cannot be read (${code}).`);
  }
}
