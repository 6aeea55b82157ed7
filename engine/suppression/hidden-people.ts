/** The suppressed people of the directory, in memory, for pages of stored results. */
import { readGeneration } from '../directory/open-directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

interface HiddenPeople {
  readonly generation: number;
  readonly uuids: ReadonlySet<string>;
}

const known = new WeakMap<ReadableDatabase, HiddenPeople>();

/**
 * The UUIDs of the people whom a source or the list suppresses, read again only if the directory has
 * changed.
 * @param directory directory.db as the main file of a connection
 */
export function readHiddenPeople(directory: ReadableDatabase): ReadonlySet<string> {
  const generation = readGeneration(directory);
  const before = known.get(directory);
  if (before?.generation === generation) return before.uuids;
  // The condition of the index person_hidden.
  const rows = statement<{ uuid: string }>(
    directory,
    'SELECT uuid FROM person WHERE opted_out | listed',
  ).all();
  const uuids = new Set(rows.map(({ uuid }) => uuid));
  known.set(directory, { generation, uuids });
  return uuids;
}
