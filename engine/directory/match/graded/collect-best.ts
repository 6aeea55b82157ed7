// Weighs the candidates of a row and keeps each one's best reading. Names alone rule out most of
// them first: most people of a row's surname have another given name and work elsewhere, and most
// colleagues of nearly the same surname have another given name.

import { factKinds, type MatchIndex } from '../../index/index-layout.ts';
import {
  canSoundAlike,
  letterCostMin,
  phoneticHashOf,
} from '../../normalize/messy/weighted-distance.ts';
import { lettersApart } from '../../normalize/similarity.ts';
import { givenDistanceMax } from './compare-first.ts';
import { mayBeSure } from './compare-last.ts';
import type { Comparison } from './comparison.ts';
import {
  askedDistanceMax,
  distanceOf,
  type RowSurname,
  type RowWord,
  type Vocabulary,
} from './row-words.ts';
import type { RowReading, WeighedRow } from './weigh-identifiers.ts';
import { hopelessOrgMax, pairFeatures, type Weighed, weighPair } from './weigh-pair.ts';

/** A shorter word may be initials. */
const wordLettersMin = 4;
/** A shorter name of a person is no word mistyped. */
const nameLettersMin = 3;

/** Whether a given name of a person is surely another one than a row's word. */
function isOtherGiven(
  { sections, names }: MatchIndex,
  vocabulary: Vocabulary,
  word: RowWord,
  name: number,
): boolean {
  if (word.id === name) return false;
  const { nameStarts, nameMasks, nicknameStarts, nicknames } = sections;
  const length = nameStarts[name + 1]! - nameStarts[name]!;
  const mask = nameMasks[name]!;
  const { mask: own, text } = word;
  const isSameStart = text.charCodeAt(0) === names.pool[nameStarts[name]!];
  if (text.length === 1) return !isSameStart;
  // A short one may be initials, and the longer one may begin with the other, or hold it.
  if (isSameStart && (length < nameLettersMin || text.length < wordLettersMin)) return false;
  if (length >= nameLettersMin && ((own & ~mask) === 0 || (mask & ~own) === 0)) return false;
  if (canSoundAlike(own, mask) && phoneticHashOf(word) === vocabulary.coded.phoneticHash(name))
    return false;
  if (word.id >= 0)
    for (let at = nicknameStarts[word.id]!; at < nicknameStarts[word.id + 1]!; at++)
      if (nicknames[at]! >>> 1 === name) return false;
  if (lettersApart(own, mask) * letterCostMin > askedDistanceMax(text.length, length)) return true;
  if (length < nameLettersMin) return true;
  const max = givenDistanceMax(Math.min(text.length, length));
  return distanceOf(word, vocabulary.name(name)) > max;
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

/** Whether a surname of a person may be a row's, or a part of it, with a slip at most. */
function mayBeNamed(
  { sections }: MatchIndex,
  vocabulary: Vocabulary,
  surname: RowSurname,
  person: number,
): boolean {
  const { factStarts, facts } = sections;
  for (let at = factStarts[person]!; at < factStarts[person + 1]!; at++) {
    const kind = facts[at]! & 15;
    const isSurname = kind >= factKinds.last && kind <= factKinds.lastPart;
    if (isSurname && mayBeSure(surname, vocabulary.name(facts[at]! >>> 4))) return true;
  }
  return false;
}

/**
 * Whether every given name of a person is another one than the reading's, and no employer fits
 * well, or no surname does: weighPair finds no such pair worth weighing. False says nothing.
 */
export function isOtherPerson(
  index: MatchIndex,
  vocabulary: Vocabulary,
  reading: RowReading,
  person: number,
): boolean {
  const { given, nicknames, surname, isPeer } = reading;
  if (given.length === 0 || isPeer) return false;
  const { factStarts, facts } = index.sections;
  let firsts = 0;
  for (let at = factStarts[person]!; at < factStarts[person + 1]!; at++) {
    const kind = facts[at]! & 15;
    if (kind > factKinds.spelled) continue;
    // Several first names are also compared as one word.
    if (kind === factKinds.first && ++firsts > 1) return false;
    const name = facts[at]! >>> 4;
    for (const word of given) if (!isOtherGiven(index, vocabulary, word, name)) return false;
    for (const word of nicknames) if (!isOtherGiven(index, vocabulary, word, name)) return false;
  }
  // Without a first name, the middle names are the first initials.
  if (firsts === 0 && hasShortWord(given)) return false;
  return (
    !worksThere(index, reading, person) ||
    surname === null ||
    !mayBeNamed(index, vocabulary, surname, person)
  );
}

export interface BestCandidates {
  /** @param reading null for a row without a name */
  consider(reading: RowReading | null, person: number, row?: WeighedRow): void;
  /** The best ones, the best first. */
  ranked(): Weighed[];
}

const candidatesMax = 12;

/** No candidates yet. */
export function collectBest(
  { index, model, sink, readPerson, sources }: Comparison,
  ofRow: WeighedRow,
): BestCandidates {
  const { vocabulary } = sources;
  const best = new Map<number, Weighed>();
  const idOf = ({ person }: Weighed): number => index.sections.personIds[person]!;
  return {
    consider(reading, person, row = ofRow) {
      const { people } = row.identified;
      const isIdentified = people.size > 0 && people.has(person);
      if (!isIdentified && reading !== null && isOtherPerson(index, vocabulary, reading, person))
        return;
      const weighed = weighPair(index, model.weights, row, reading, readPerson(person));
      const known = best.get(person);
      if (weighed === null || (known && known.score >= weighed.score)) return;
      best.set(person, weighed);
      sink?.candidate(person, pairFeatures);
    },
    ranked: () =>
      [...best.values()]
        .sort((a, b) => b.score - a.score || idOf(a) - idOf(b))
        .slice(0, candidatesMax),
  };
}
