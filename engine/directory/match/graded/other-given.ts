/**
 * Rules out candidates by their given names before anything else of them is read: most people of a
 * row's surname have another given name and work elsewhere.
 */
import { factKinds, type MatchIndex } from '../../index/index-layout.ts';
import { canSoundAlike, letterCostMin } from '../../normalize/messy/weighted-distance.ts';
import { lettersApart } from '../../normalize/similarity.ts';
import { askedDistanceMax, type RowWord } from './row-words.ts';
import type { RowReading } from './weigh-identifiers.ts';
import { hopelessOrgMax } from './weigh-pair.ts';

/** A shorter word may be initials. */
const wordLettersMin = 4;

/** Whether a given name of a person is surely another one than a row's word. */
function isOther({ sections }: MatchIndex, word: RowWord, name: number): boolean {
  if (word.id === name) return false;
  const { nameStarts, nameMasks, nicknameStarts, nicknames } = sections;
  const length = nameStarts[name + 1]! - nameStarts[name]!;
  // A shorter name may be initials.
  if (length < 3) return false;
  const mask = nameMasks[name]!;
  const own = word.mask;
  // One may begin with the other, or hold it.
  if ((own & ~mask) === 0 || (mask & ~own) === 0 || canSoundAlike(own, mask)) return false;
  const max = askedDistanceMax(word.text.length, length);
  if (lettersApart(own, mask) * letterCostMin <= max) return false;
  if (word.id >= 0)
    for (let at = nicknameStarts[word.id]!; at < nicknameStarts[word.id + 1]!; at++)
      if (nicknames[at]! >>> 1 === name) return false;
  return true;
}

const hasShortWord = (words: readonly RowWord[]): boolean =>
  words.some(({ text }) => text.length < wordLettersMin);

/** Whether a person works or worked for an organisation that fits well. */
function worksThere({ sections }: MatchIndex, { org }: RowReading, person: number): boolean {
  const { jobStarts, jobs, companyGroups } = sections;
  for (let at = jobStarts[person]!; at < jobStarts[person + 1]!; at++) {
    const company = jobs[at]! >>> 2;
    if (company > 0 && (org.scores.get(companyGroups[company - 1]!) ?? 0) >= hopelessOrgMax)
      return true;
  }
  return false;
}

/**
 * Whether every given name of a person is another one than the reading's, and no employer fits
 * well: weighPair finds no such pair worth weighing. False says nothing.
 */
export function isOtherPerson(index: MatchIndex, reading: RowReading, person: number): boolean {
  const { given, nicknames } = reading;
  if (given.length === 0 || hasShortWord(given) || hasShortWord(nicknames)) return false;
  const { factStarts, facts } = index.sections;
  let firsts = 0;
  for (let at = factStarts[person]!; at < factStarts[person + 1]!; at++) {
    const kind = facts[at]! & 15;
    if (kind > factKinds.spelled) continue;
    // Several first names are also compared as one word.
    if (kind === factKinds.first && ++firsts > 1) return false;
    const name = facts[at]! >>> 4;
    for (const word of given) if (!isOther(index, word, name)) return false;
    for (const word of nicknames) if (!isOther(index, word, name)) return false;
  }
  return !worksThere(index, reading, person);
}
