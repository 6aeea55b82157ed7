/**
 * Rules out plain rows that surely mean no one of the directory, by a few lookups. The exact passes
 * found no one of the row's surname at its organisation; here are those with its given name and
 * nearly its surname, people of the same name elsewhere, and the email's local part.
 */
import { localKey } from '../../index/index-facts.ts';
import type { NamedOrganisation } from './compare-plainly.ts';
import type { Comparison } from './comparison.ts';
import { isKnownGiven } from './known-names.ts';
import type { RowText } from './readings/read-identifiers.ts';
import type { RowWord } from './row-words.ts';

const plainWord = /^[A-Za-z]{2,}$/;
/** More people of one name elsewhere share what the name says: none of them is answered. */
const fewNamesakes = 3;

/** Calls with a given name and the names that it is a nickname of, or that are nicknames of it. */
function forEachGiven({ index }: Comparison, given: number, take: (name: number) => void): void {
  const { nicknameStarts, nicknames } = index.sections;
  take(given);
  for (let at = nicknameStarts[given]!; at < nicknameStarts[given + 1]!; at++)
    take(nicknames[at]! >>> 1);
}

/** Whether someone of the groups has a given name, or a nickname of it, and nearly a surname. */
function hasColleague(
  comparison: Comparison,
  groups: readonly number[],
  given: number,
  surname: RowWord,
): boolean {
  let isFound = false;
  const take = (person: number): void => {
    isFound ||= comparison.lister.hasSurname(person, surname);
  };
  for (const group of groups)
    forEachGiven(comparison, given, (name) => {
      if (!isFound) comparison.index.people.takeCompanyFirst(group, name, take);
    });
  return isFound;
}

/** Whether someone elsewhere has the very name, and may have moved or be the only one. */
function hasNamesake(
  { index }: Comparison,
  given: number,
  surname: number,
  { exactGroup, isRelated }: NamedOrganisation,
): boolean {
  const { mainNames, jobStarts, jobs, companyGroups } = index.sections;
  let count = 0;
  let isFound = false;
  index.people.takeFirstLast(given, surname, (person) => {
    if (isFound || mainNames[person * 2] !== given) return;
    if (mainNames[person * 2 + 1]! >>> 1 !== surname) return;
    count++;
    for (let at = jobStarts[person]!; at < jobStarts[person + 1]! && !isFound; at++) {
      const company = jobs[at]! >>> 2;
      isFound = company > 0 && isRelated(companyGroups[company - 1]!);
    }
  });
  // An organisation that is written otherwise may be anyone's.
  const most = exactGroup === null ? Number.POSITIVE_INFINITY : fewNamesakes;
  return isFound || (count > 0 && count <= most);
}

/** Whether anyone's email has the same local part. */
function hasMailbox({ index }: Comparison, email: string): boolean {
  let isFound = false;
  const local = email.slice(0, email.indexOf('@'));
  index.people.takeLocal(localKey(local), () => {
    isFound = true;
  });
  return isFound;
}

/** Whether a plain row means no one surely. False says nothing. */
export function isStranger(
  comparison: Comparison,
  { first, last, emails }: RowText,
  organisation: NamedOrganisation,
): boolean {
  if (!plainWord.test(first) || !plainWord.test(last)) return false;
  const { index, sources } = comparison;
  const given = sources.vocabulary.word(first.toLowerCase());
  const surname = sources.vocabulary.word(last.toLowerCase());
  // An unknown word may be a name mistyped.
  if (surname.id < 0 || index.sections.lastCounts[surname.id]! < 2) return false;
  if (given.id < 0 || !isKnownGiven(index, given)) return false;
  if (emails.length > 0 && hasMailbox(comparison, emails[0]!)) return false;
  if (hasColleague(comparison, organisation.groups, given.id, surname)) return false;
  let isHeld = hasNamesake(comparison, surname.id, given.id, organisation);
  forEachGiven(comparison, given.id, (name) => {
    // Behind the very name of an organisation, a nickname elsewhere says too little.
    if (isHeld || (name !== given.id && organisation.exactGroup !== null)) return;
    isHeld = hasNamesake(comparison, name, surname.id, organisation);
  });
  index.people.settle();
  return !isHeld;
}
