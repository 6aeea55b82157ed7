// The people whose email can be unlocked, read once for each search index.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { employmentJoinSql, fieldSources } from '../read/projection-fields.ts';
import type { SearchIndex } from './search-layout.ts';
import { addMember, findMember, noMembers } from './search-members.ts';

export const withEmailSql = `SELECT p.id FROM person p ${employmentJoinSql('main')}
WHERE p.suppressed = 0 AND ${fieldSources.Email.sql} IS NOT NULL`;

/** The sets of the indexes in use: an index is replaced when the directory changes. */
const known = new WeakMap<SearchIndex, Uint32Array>();

/** People by number. The first call for an index takes a second for each 1,000,000 people. */
export function findPeopleWithEmail(directory: ReadableDatabase, index: SearchIndex): Uint32Array {
  const held = known.get(index);
  if (held) return held;
  const found = noMembers(index.personIds.length);
  for (const { id } of statement<{ id: number }>(directory, withEmailSql).iterate()) {
    const member = findMember(index.personIds, id);
    if (member !== null) addMember(found, member);
  }
  known.set(index, found);
  return found;
}
