// Which words of two names have a counterpart, also as initials, and the weight of the others.
import type { MatchIndex } from '../../index/index-layout.ts';
import { stateMark } from '../../normalize/messy/organisation-tokens.ts';
import { stateNames } from '../../normalize/messy/organisation-words.ts';
import { likenessOf, type OrgRowWord } from '../graded/organisations/align-organisation.ts';
import type { NameWord } from '../graded/row-words.ts';

/** The counterparts of two names' words. Weights are scaled to about 0 to 1 for a word. */
export interface WordProfile {
  /** Share of the words that have a counterpart, by weight, 0 to 1. */
  readonly coverRow: number;
  readonly coverHeld: number;
  /** Weight of the heaviest word that only the row has, or only the group. */
  readonly missingInHeld: number;
  readonly missingInRow: number;
  /** Total weight of the shared words, and the heaviest. */
  readonly shared: number;
  readonly rarest: number;
  /** Weight of the shared words that are no words of the company's place. */
  readonly sharedOwn: number;
  /** Weight of shared words that are spelled differently, by the distance of their spellings. */
  readonly respelled: number;
  /** A shared word is spelled differently. */
  readonly isRespelled: boolean;
  /** That word is also a word of other names. */
  readonly isOtherWord: boolean;
  /** A word of one name is the initials of several words of the other. */
  readonly hasInitials: boolean;
  /** A word of the row that the name lacks is a word of the place. */
  readonly namesPlace: boolean;
}

const sameWordMin = 0.5;
const initialsFit = 0.85;
const initialsLetters = { min: 2, max: 6 } as const;
const wordsMax = 24;

/** Scales the weights of words to about 0 to 1 for any size of directory. */
export const weightScale = (index: MatchIndex): number =>
  1 / Math.log(2 + index.sections.groupWeights.length);

/** Letters that a word adds to initials: two for a state of two words. */
function initialsOf(text: string): string {
  if (!text.startsWith(stateMark)) return text.slice(0, 1);
  const name = stateNames.get(text.slice(stateMark.length));
  return name === undefined
    ? ''
    : name
        .split(' ')
        .map((word) => word[0])
        .join('');
}

/** Start and end of the run of words whose initials a word is; null if there is none. */
export function findInitialsRun(
  word: string,
  others: readonly string[],
): readonly [from: number, to: number] | null {
  if (word.length < initialsLetters.min || word.length > initialsLetters.max) return null;
  for (let from = 0; from < others.length; from++) {
    let letters = '';
    for (let to = from; to < others.length && letters.length < word.length; to++) {
      letters += initialsOf(others[to]!);
      if (!word.startsWith(letters)) break;
      if (letters === word && to > from) return [from, to + 1];
    }
  }
  return null;
}

/** Probability that each word of the row and of the name has a counterpart. */
function findCounterparts(row: readonly OrgRowWord[], held: readonly NameWord[]) {
  const ofRow = new Array<number>(row.length).fill(0);
  const ofHeld = new Array<number>(held.length).fill(0);
  for (let at = 0; at < row.length; at++)
    for (let other = 0; other < held.length; other++) {
      const found = likenessOf(row[at]!, held[other]!);
      if (found < sameWordMin) continue;
      if (found > ofRow[at]!) ofRow[at] = found;
      if (found > ofHeld[other]!) ofHeld[other] = found;
    }
  return { ofRow, ofHeld };
}

/** Gives a counterpart to words that are initials of others, and to those others. */
function addInitials(
  short: readonly { readonly text: string }[],
  ofShort: number[],
  long: readonly { readonly text: string }[],
  ofLong: number[],
): boolean {
  let isFound = false;
  let texts: string[] | null = null;
  for (let at = 0; at < short.length; at++) {
    const { text } = short[at]!;
    if (ofShort[at]! > 0 || text.length > initialsLetters.max || text.startsWith(stateMark))
      continue;
    texts ??= long.map((word) => word.text);
    const run = findInitialsRun(text, texts);
    if (run === null) continue;
    ofShort[at] = initialsFit;
    for (let other = run[0]; other < run[1]; other++)
      ofLong[other] = Math.max(ofLong[other]!, initialsFit);
    isFound = true;
  }
  return isFound;
}

export function profileWords(
  index: MatchIndex,
  allOfRow: readonly OrgRowWord[],
  held: readonly NameWord[],
  places: readonly number[],
): WordProfile {
  const row = allOfRow.slice(0, wordsMax);
  const { orgWordWeights } = index.sections;
  const scale = weightScale(index);
  const { ofRow, ofHeld } = findCounterparts(row, held);
  const isShort = addInitials(row, ofRow, held, ofHeld);
  const isLong = addInitials(held, ofHeld, row, ofRow);
  let [rowAll, rowShared, heldAll, heldShared] = [0, 0, 0, 0];
  let [missingInHeld, missingInRow, rarest, sharedOwn, respelled] = [0, 0, 0, 0, 0];
  let [isRespelled, namesPlace, isOtherWord] = [false, false, false];
  for (const [at, { weight, id }] of row.entries()) {
    const isPlace = ofRow[at] === 0 && id >= 0 && places.includes(id);
    if (isPlace) namesPlace = true;
    if (isPlace) continue;
    rowAll += weight;
    rowShared += weight * ofRow[at]!;
    if (ofRow[at]! > 0 && ofRow[at]! < 1) {
      isRespelled = true;
      if (id >= 0) isOtherWord = true;
    }
    if (ofRow[at] === 0) missingInHeld = Math.max(missingInHeld, weight);
  }
  for (const [at, { id }] of held.entries()) {
    const weight = orgWordWeights[id]!;
    heldAll += weight;
    heldShared += weight * ofHeld[at]!;
    if (ofHeld[at]! > 0) {
      rarest = Math.max(rarest, weight);
      respelled += weight * (1 - ofHeld[at]!);
      if (!places.includes(id)) sharedOwn += weight * ofHeld[at]!;
    } else if (!places.includes(id)) missingInRow = Math.max(missingInRow, weight);
  }
  return {
    coverRow: rowAll > 0 ? rowShared / rowAll : 0,
    coverHeld: heldAll > 0 ? heldShared / heldAll : 0,
    missingInHeld: missingInHeld * scale,
    missingInRow: missingInRow * scale,
    shared: heldShared * scale,
    rarest: rarest * scale,
    sharedOwn: sharedOwn * scale,
    respelled: respelled * scale,
    isRespelled,
    isOtherWord,
    hasInitials: isShort || isLong,
    namesPlace,
  };
}
