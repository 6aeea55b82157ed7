/**
 * The people of the index that a row may mean: by URL, by email, by employer and name, by whole
 * name.
 */
import { hashText } from '../index/index-dictionary.ts';
import type { MatchIndex } from '../index/index-layout.ts';
import { tagOf } from '../index/index-people.ts';
import {
  companyFirstKey,
  companyLastKey,
  firstLastKey,
  type Postings,
  scanPacked,
  scanTagged,
} from '../index/index-postings.ts';
import { isKnownName } from './match-name.ts';
import { type Query, type QueryName, swappedOf } from './match-query.ts';

/** Takes one candidate; people come more than once. */
export type TakeCandidate = (person: number) => void;

const peoplePerBlockMax = 1_000;
// More people of one name than this are told apart by their employer alone, which was tried before.
const namesakesMax = 64;
const holdersMax = 50;
const nobody: readonly number[] = [];

const scanBlock = (postings: Postings, key: number, take: TakeCandidate): void =>
  scanPacked(postings, key, peoplePerBlockMax, take);

const scanNamesakes = (index: MatchIndex, first: number, last: number, take: TakeCandidate): void =>
  scanPacked(index.firstLasts, firstLastKey(first, last), namesakesMax, take);

/** Everybody who holds a URL or an email, once each. */
export function listHolders(postings: Postings, text: string): readonly number[] {
  if (text === '') return nobody;
  const holders: number[] = [];
  scanTagged(postings, hashText(text), tagOf(text), (person) => {
    if (holders.length < holdersMax && !holders.includes(person)) holders.push(person);
  });
  return holders;
}

/** People of the employers that the row may mean who bear one of its last names. */
export function takeByEmployerAndLast(
  index: MatchIndex,
  query: Query,
  groups: readonly number[],
  take: TakeCandidate,
): void {
  for (const group of groups)
    for (const key of query.name.lasts)
      if (key.id >= 0) scanBlock(index.companyLasts, companyLastKey(group, key.id), take);
}

/** First-name numbers of a row with the names that stand for them. */
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
 * The same employers' people with the row's first name or a nickname of it, where its last name may
 * be
 * a typing error, and those with the names exchanged.
 */
export function takeByEmployerAndFirst(
  index: MatchIndex,
  query: Query,
  groups: readonly number[],
  take: TakeCandidate,
): void {
  const lastId = query.name.lasts[0]?.id ?? -1;
  const isTypo = !isKnownName(index, index.sections.lastCounts, lastId);
  const firsts = isTypo ? listFirsts(index, query.name) : [];
  const swappedLast = swappedOf(query)?.lasts[0]?.id ?? -1;
  for (const group of groups) {
    for (const id of firsts) scanBlock(index.companyFirsts, companyFirstKey(group, id), take);
    if (swappedLast >= 0) scanBlock(index.companyLasts, companyLastKey(group, swappedLast), take);
  }
}

/**
 * Everybody of the row's whole name, of its nicknames, and of the names exchanged, wherever they
 * work.
 */
export function takeByWholeName(index: MatchIndex, query: Query, take: TakeCandidate): void {
  const firsts = listFirsts(index, query.name);
  for (const last of query.name.lasts)
    if (last.id >= 0) for (const first of firsts) scanNamesakes(index, first, last.id, take);
  const swapped = swappedOf(query);
  const swappedLast = swapped?.lasts[0]?.id ?? -1;
  if (swapped && swappedLast >= 0)
    for (const first of listFirsts(index, swapped)) scanNamesakes(index, first, swappedLast, take);
}
