/**
 * Lists the people of the index that a row may mean: by URL, by email, by employer and name, by
 * full name.
 */
import type { MatchIndex } from '../index/index-layout.ts';
import type { TakePerson } from '../index/people-lists.ts';
import { isSurnameMeant } from './match-name.ts';
import { type Query, type QueryName, swappedOf } from './match-query.ts';

/**
 * People who have one of the row's last names and work or worked for an employer that the row may
 * mean.
 */
export function takeByEmployerAndLast(
  index: MatchIndex,
  query: Query,
  groups: readonly number[],
  take: TakePerson,
): void {
  for (const group of groups)
    for (const key of query.name.lasts)
      if (key.id >= 0) index.people.takeCompanyLast(group, key.id, take);
}

/** The numbers of a row's first names and of the names that stand for them. */
function listFirsts(index: MatchIndex, name: QueryName): number[] {
  const { nicknameStarts, nicknames } = index.sections;
  const ids: number[] = [];
  for (const { id } of name.firsts) {
    if (id < 0) continue;
    ids.push(id);
    for (let at = nicknameStarts[id]!; at < nicknameStarts[id + 1]!; at++)
      ids.push(nicknames[at]! >>> 1);
  }
  return ids;
}

/**
 * People of the same employers who have the row's first name or a nickname of it, because its last
 * name may have a typing error, and people who match with first and last name exchanged.
 */
export function takeByEmployerAndFirst(
  index: MatchIndex,
  query: Query,
  groups: readonly number[],
  take: TakePerson,
): void {
  const surname = query.name.lasts[0];
  const isTypo = surname === undefined || !isSurnameMeant(index, surname);
  const firsts = isTypo ? listFirsts(index, query.name) : [];
  const swappedLast = swappedOf(query)?.lasts[0]?.id ?? -1;
  for (const group of groups) {
    for (const id of firsts) index.people.takeCompanyFirst(group, id, take);
    if (swappedLast >= 0) index.people.takeCompanyLast(group, swappedLast, take);
  }
}

/** Everyone with the row's full name, a nickname of it, or the names exchanged, at any employer. */
export function takeByWholeName(index: MatchIndex, query: Query, take: TakePerson): void {
  const firsts = listFirsts(index, query.name);
  for (const last of query.name.lasts)
    if (last.id >= 0) for (const first of firsts) index.people.takeFirstLast(first, last.id, take);
  const swapped = swappedOf(query);
  const swappedLast = swapped?.lasts[0]?.id ?? -1;
  if (swapped && swappedLast >= 0)
    for (const first of listFirsts(index, swapped))
      index.people.takeFirstLast(first, swappedLast, take);
}
