/** Tells whether a value is suppressed, and by which entries. */
import { EngineError } from '../contract/errors.ts';
import type { GivenValue, SuppressionEntry } from '../contract/suppression/suppression.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readGiven } from './change-suppressions.ts';
import { findEntries } from './suppression.table.ts';
import { listCoveringKeys } from './value-keys.ts';

/** The entries that cover a value. Throws `validation_error` if the value cannot be read. */
export function checkValue(
  database: ReadableDatabase,
  given: GivenValue,
): { value: string; suppressed: boolean; entries: SuppressionEntry[] } {
  const read = readGiven(given);
  if (typeof read === 'string') throw new EngineError('validation_error', read);
  const entries = findEntries(database, listCoveringKeys(read.kind, read.key));
  return { value: given.value, suppressed: entries.length > 0, entries };
}
