/** The key by which the suppression list names a person at an employer. */
import { foldName } from '../../suppression/value-keys.ts';

/** @param employer the key of its name, or its domain */
export const nameAt = (first: string, last: string, employer: string): string =>
  `${foldName(`${first} ${last}`)}|${employer}`;
