// How well a row's name fits a person's: nicknames, initials, typing errors, compound surnames,
// suffixes.
import { textAt } from '../index/index-dictionary.ts';
import { formKinds, type MatchIndex } from '../index/index-layout.ts';
import { numberOfName } from '../names/name-frequencies.ts';
import { canBeWithin, countEdits, sliceOf } from '../normalize/similarity.ts';
import {
  type CountedWord,
  findRelation,
  isKnownGiven,
  isKnownSurname,
  relationOf,
} from './graded/known-names.ts';
import { type Query, type QueryKey, type QueryName, swappedOf } from './match-query.ts';

/** Factor of each agreement. A name's score is the product of its first and last name's. */
const fit = {
  otherReading: 0.97,
  nickname: 0.97,
  sibling: 0.94,
  initial: 0.9,
  prefix: 0.94,
  spelling: 0.93,
  typo: 0.95,
  twoTypos: 0.9,
  typoOfKnownName: 0.8,
  surnamePart: 0.95,
  missingFirst: 0.75,
  peerWithoutFirst: 0.89,
  peerage: 0.99,
  swapped: 0.98,
  otherForm: 0.995,
  derivedForm: 0.97,
  middleConflict: 0.94,
  generationConflict: 0.93,
} as const;

const formFit: readonly number[] = [1, fit.otherForm, fit.derivedForm, fit.peerage];

const lengthOf = (index: MatchIndex, name: number): number =>
  index.sections.nameStarts[name + 1]! - index.sections.nameStarts[name]!;

const codeAt = (index: MatchIndex, name: number, at: number): number =>
  index.sections.namePool[index.sections.nameStarts[name]! + at]!;

function isPrefix(index: MatchIndex, key: QueryKey, name: number): boolean {
  const shorter = Math.min(key.text.length, lengthOf(index, name));
  if (shorter < 3) return false;
  for (let at = 0; at < shorter; at++)
    if (codeAt(index, name, at) !== key.text.charCodeAt(at)) return false;
  return true;
}

const vowels: ReadonlySet<number> = new Set([...'aeiouy'].map((letter) => letter.charCodeAt(0)));

/** The same consonants in the same order, and one edit apart: Mathew and Matthew. */
function isSpellingOf(index: MatchIndex, key: QueryKey, name: number): boolean {
  const { text } = key;
  const length = lengthOf(index, name);
  if (text.length < 5 || length < 5 || Math.abs(text.length - length) > 1) return false;
  if (text.charCodeAt(0) !== codeAt(index, name, 0)) return false;
  const slice = { codes: index.sections.namePool, start: index.sections.nameStarts[name]!, length };
  if (countEdits(sliceOf(key.text), slice, 1) > 1) return false;
  let [at, other, shared] = [0, 0, 0];
  for (;;) {
    while (at < text.length && isSilent(text.charCodeAt(at), at > 0 ? text.charCodeAt(at - 1) : 0))
      at++;
    while (
      other < length &&
      isSilent(codeAt(index, name, other), other > 0 ? codeAt(index, name, other - 1) : 0)
    )
      other++;
    if (at === text.length || other === length) break;
    if (text.charCodeAt(at++) !== codeAt(index, name, other++)) return false;
    shared++;
  }
  return at === text.length && other === length && shared >= spellingConsonantsMin;
}

/** Vowels and doubled consonants do not distinguish spellings. */
const isSilent = (code: number, before: number): boolean => vowels.has(code) || code === before;
const spellingConsonantsMin = 3;

/** Whether people have a name, so that it is meant as written. */
type IsKnown = (index: MatchIndex, name: CountedWord) => boolean;

const countedWordOf = ({ text, id }: QueryKey): CountedWord => ({
  text,
  id,
  known: numberOfName(text),
});

function wordOf({ names }: MatchIndex, id: number): CountedWord {
  const text = textAt(names, id);
  return { text, id, known: numberOfName(text) };
}

/** Whether people have a row's surname, so that it is hardly another one mistyped. */
export const isSurnameMeant = (index: MatchIndex, key: QueryKey): boolean =>
  isKnownSurname(index, countedWordOf(key));

/** Fit of two names that differ by typing errors; 0 if they differ by more. */
function fitOfEdits(index: MatchIndex, key: QueryKey, name: number, isKnown: IsKnown): number {
  // Comparing the letters first rejects nearly all.
  if (!canBeWithin(key.mask, index.sections.nameMasks[name]!, 2)) return 0;
  const length = lengthOf(index, name);
  const shorter = Math.min(length, key.text.length);
  const editsMax = shorter < 3 ? 0 : shorter < 8 ? 1 : 2;
  if (editsMax === 0 || Math.abs(length - key.text.length) > editsMax) return 0;
  if (!canBeWithin(key.mask, index.sections.nameMasks[name]!, editsMax)) return 0;
  const slice = { codes: index.sections.namePool, start: index.sections.nameStarts[name]!, length };
  const edits = countEdits(sliceOf(key.text), slice, editsMax);
  if (edits > editsMax) return 0;
  const isMeant = isKnown(index, countedWordOf(key));
  if (edits === 2) return isMeant ? 0 : fit.twoTypos;
  if (shorter < 5 && key.text.charCodeAt(0) !== codeAt(index, name, 0)) return 0;
  return isMeant ? fit.typoOfKnownName : fit.typo;
}

/** Fit of two first names with different spellings. */
function fitOfSpelling(index: MatchIndex, key: QueryKey, name: number): number {
  if (key.text.length === 1 || lengthOf(index, name) === 1)
    return key.text.charCodeAt(0) === codeAt(index, name, 0) ? fit.initial : 0;
  if (isPrefix(index, key, name)) return fit.prefix;
  if (isSpellingOf(index, key, name)) return fit.spelling;
  return fitOfEdits(index, key, name, isKnownGiven);
}

/** Fit of a row's first name and one of a person's. */
function fitOfFirst(index: MatchIndex, query: QueryName, name: number): number {
  const { firsts } = query;
  if (firsts.length === 0) return query.isPeer ? fit.peerWithoutFirst : fit.missingFirst;
  const mask = index.sections.nameMasks[name]!;
  if (mask === 0) return fit.missingFirst;
  let best = 0;
  for (let at = 0; at < firsts.length; at++) {
    const key = firsts[at]!;
    if (key.id === name) return at === 0 ? 1 : fit.otherReading;
    if (findRelation(index, key.id, name) > 0) {
      const relation = relationOf(index, countedWordOf(key), wordOf(index, name));
      if (relation > 0) best = Math.max(best, relation === 2 ? fit.nickname : fit.sibling);
    }
    // Comparing the letters first rejects nearly all.
    const isWithin = (key.mask & ~mask) === 0 || (mask & ~key.mask) === 0;
    if (best < fit.prefix && (isWithin || canBeWithin(key.mask, mask, 2)))
      best = Math.max(best, fitOfSpelling(index, key, name));
  }
  return best;
}

/** Fit of a row's last name and one of a person's. */
function fitOfLast(index: MatchIndex, query: QueryName, name: number): number {
  const { lasts } = query;
  for (let at = 0; at < lasts.length; at++)
    if (lasts[at]!.id === name) return at === 0 ? 1 : fit.surnamePart;
  const whole = lasts[0];
  return whole ? fitOfEdits(index, whole, name, isKnownSurname) : 0;
}

/** Deductions for a middle initial or a generation that contradicts. */
function conflictFactor(index: MatchIndex, query: QueryName, person: number): number {
  let factor = 1;
  const middle = index.sections.personMiddles[person]!;
  if (query.middleInitial !== '' && middle > 0)
    if (codeAt(index, middle - 1, 0) !== query.middleInitial.charCodeAt(0))
      factor *= fit.middleConflict;
  const generation = index.sections.personGenerations[person]!;
  if (query.generation > 0 && generation > 0 && generation !== query.generation)
    factor *= fit.generationConflict;
  return factor;
}

/** Fit of a name and the other forms of a person's name; at least the fit of the main form. */
function fitOfForms(index: MatchIndex, query: QueryName, person: number, ofMain: number): number {
  const { formStarts, formNames } = index.sections;
  const to = formStarts[person + 1]! * 2;
  let best = ofMain;
  for (let at = formStarts[person]! * 2; at < to; at += 2) {
    const packed = formNames[at + 1]!;
    if ((packed & 3) === formKinds.peerage) {
      if (query.peerage === null) continue;
      // Two titles with the same surname are two people: Lord Young of Cookham, Lord Young of
      // Graffham.
      if (query.peerage.id !== packed >>> 2) return 0;
      best = fit.peerage;
      continue;
    }
    const ofForm = formFit[packed & 3]!;
    if (ofForm <= best) continue;
    const ofLast = fitOfLast(index, query, packed >>> 2);
    if (ofLast * ofForm <= best) continue;
    const ofWhole = ofForm * ofLast * fitOfFirst(index, query, formNames[at]!);
    if (ofWhole > best) best = ofWhole;
  }
  return best;
}

/** Fit of a name and a person, 0 to 1; 0 if the first or the last name contradicts. */
function fitOfName(index: MatchIndex, query: QueryName, person: number): number {
  const { mainNames } = index.sections;
  const packed = mainNames[person * 2 + 1]!;
  let best = fitOfLast(index, query, packed >>> 1);
  if (best > 0) best *= fitOfFirst(index, query, mainNames[person * 2]!);
  if ((packed & 1) === 1 && best < 1) best = fitOfForms(index, query, person, best);
  return best === 0 ? 0 : best * conflictFactor(index, query, person);
}

/** Fit with first and last name exchanged, which requires an exact last name. */
function fitOfSwapped(index: MatchIndex, swapped: QueryName, person: number): number {
  const { mainNames, formStarts, formNames } = index.sections;
  const last = swapped.lasts[0]!.id;
  if (last < 0) return 0;
  const main = mainNames[person * 2 + 1]!;
  if (main >>> 1 === last) return fit.swapped * fitOfFirst(index, swapped, mainNames[person * 2]!);
  if ((main & 1) === 0) return 0;
  const to = formStarts[person + 1]! * 2;
  let best = 0;
  for (let at = formStarts[person]! * 2; at < to; at += 2) {
    const packed = formNames[at + 1]!;
    if (packed >>> 2 !== last || (packed & 3) !== formKinds.other) continue;
    const ofFirst = fitOfFirst(index, swapped, formNames[at]!);
    best = Math.max(best, ofFirst * fit.swapped * fit.otherForm);
  }
  return best;
}

/** Fit of a row's name and a person, as written or with first and last name exchanged. */
export function fitOfEither(index: MatchIndex, query: Query, person: number): number {
  const straight = fitOfName(index, query.name, person);
  if (straight >= fit.swapped) return straight;
  const swapped = swappedOf(query);
  return swapped === null ? straight : Math.max(straight, fitOfSwapped(index, swapped, person));
}

/** Whether a person has exactly one half of the row's name: its first or its last name. */
export function sharesHalf(index: MatchIndex, query: QueryName, person: number): boolean {
  const { mainNames, formStarts, formNames } = index.sections;
  const shares = (first: number, last: number): boolean =>
    query.lasts.some((key) => key.id === last) ||
    query.firsts.some((key) => key.text.length > 1 && key.id === first);
  if (shares(mainNames[person * 2]!, mainNames[person * 2 + 1]! >>> 1)) return true;
  const to = formStarts[person + 1]! * 2;
  for (let at = formStarts[person]! * 2; at < to; at += 2)
    if (shares(formNames[at]!, formNames[at + 1]! >>> 2)) return true;
  return false;
}
