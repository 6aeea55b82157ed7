/**
 * Rules out plain rows that surely mean no one of the directory, by a few lookups. The exact passes
 * found no one of the row's surname at its organisation; here are those with its given name and
 * nearly its surname, people of the same name elsewhere, and the email's local part.
 */
import { localKey } from '../../index/index-facts.ts';
import { companyFirstKey, firstLastKey, scanPacked } from '../../index/index-postings.ts';
import { isKnownGiven } from './compare-first.ts';
import type { ExactOrganisation } from './compare-plainly.ts';
import type { Comparison } from './comparison.ts';
import type { RowText } from './readings/read-identifiers.ts';
import type { RowWord } from './row-words.ts';

const plainWord = /^[A-Za-z]{2,}$/;
const scannedMax = 1_000;
const namesakesMax = 64;
/** More people of one name elsewhere share what the name says: none of them is answered. */
const fewNamesakes = 3;

/** Whether someone of the groups has a given name, or a nickname of it, and nearly a surname. */
function hasColleague(
  { index, lister }: Comparison,
  groups: readonly number[],
  given: number,
  surname: RowWord,
): boolean {
  const { nicknameStarts, nicknames } = index.sections;
  let isFound = false;
  const take = (person: number): void => {
    isFound ||= lister.hasSurname(person, surname);
  };
  for (const group of groups) {
    scanPacked(index.companyFirsts, companyFirstKey(group, given), scannedMax, take);
    for (let at = nicknameStarts[given]!; at < nicknameStarts[given + 1]! && !isFound; at++) {
      const nickname = nicknames[at]! >>> 1;
      scanPacked(index.companyFirsts, companyFirstKey(group, nickname), scannedMax, take);
    }
  }
  return isFound;
}

/** Whether someone elsewhere has the very name, and may have moved or be the only one. */
function hasNamesake(
  { index }: Comparison,
  given: number,
  surname: number,
  { isRelated }: ExactOrganisation,
): boolean {
  const { mainNames, jobStarts, jobs, companyGroups } = index.sections;
  let count = 0;
  let isFound = false;
  scanPacked(index.firstLasts, firstLastKey(given, surname), namesakesMax, (person) => {
    if (isFound || mainNames[person * 2] !== given) return;
    if (mainNames[person * 2 + 1]! >>> 1 !== surname) return;
    count++;
    for (let at = jobStarts[person]!; at < jobStarts[person + 1]! && !isFound; at++) {
      const company = jobs[at]! >>> 2;
      isFound = company > 0 && isRelated(companyGroups[company - 1]!);
    }
  });
  return isFound || (count > 0 && count <= fewNamesakes);
}

/** Whether anyone's email has the same local part. */
function hasMailbox({ index }: Comparison, email: string): boolean {
  let isFound = false;
  const local = email.slice(0, email.indexOf('@'));
  scanPacked(index.locals, localKey(local), 1, () => {
    isFound = true;
  });
  return isFound;
}

/** Whether a plain row means no one surely. False says nothing. */
export function isStranger(
  comparison: Comparison,
  { first, last, emails }: RowText,
  organisation: ExactOrganisation,
): boolean {
  if (!plainWord.test(first) || !plainWord.test(last)) return false;
  const { index, sources } = comparison;
  const given = sources.vocabulary.word(first.toLowerCase());
  const surname = sources.vocabulary.word(last.toLowerCase());
  // An unknown word may be a name mistyped.
  if (surname.id < 0 || index.sections.lastCounts[surname.id]! < 2) return false;
  if (!isKnownGiven(index, given.id)) return false;
  if (emails.length > 0 && hasMailbox(comparison, emails[0]!)) return false;
  return (
    !hasColleague(comparison, organisation.groups, given.id, surname) &&
    !hasNamesake(comparison, given.id, surname.id, organisation) &&
    !hasNamesake(comparison, surname.id, given.id, organisation)
  );
}
