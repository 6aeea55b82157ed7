// The key by which the suppression list names a person at an employer.
import { readNameKey } from '../../directory/normalize/field-keys.ts';

/** @param employer the key of its name, or its domain */
export const nameAt = (first: string, last: string, employer: string): string =>
  `${readNameKey(`${first} ${last}`)}|${employer}`;
