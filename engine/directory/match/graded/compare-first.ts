// Compares a row's given names with a person's.
import type { MatchIndex } from '../../index/index-layout.ts';
import { areOfTwoSexes } from '../../names/name-frequencies.ts';
import { canSoundAlike, farApart, phoneticOf } from '../../normalize/messy/weighted-distance.ts';
import { typoStep } from './compare-last.ts';
import {
  type CountedWord,
  isKnownGiven,
  isSameGiven,
  isSlipOfGiven,
  isSomeonesGiven,
  isUncommonGiven,
  relationOf,
} from './known-names.ts';
import { first } from './levels.ts';
import { beforeFather, type PersonView } from './people-view.ts';
import { distanceOf, type PersonWord, type RowWord } from './row-words.ts';

/** How far a given name agrees. */
export interface FirstFit {
  level: number;
  /** Orders the levels: the larger the better. */
  quality: number;
}

export interface RowGiven {
  readonly given: readonly RowWord[];
  readonly nicknames: readonly RowWord[];
}

/** What levels are worth among each other. */
const quality = {
  exact: 10,
  joined: 9.9,
  given: 9.8,
  other: 9.6,
  nickname: 8.5,
  typed: 8,
  middle: 7.5,
  spelling: 7,
  sibling: 6.8,
  initials: 6.5,
  shortInitials: 6.3,
  cut: 6,
  spelled: 5.8,
  longer: 5.5,
  initial: 5,
  heldInitial: 4.5,
  spelledPart: 4.5,
  otherInitial: 4,
  sound: 3.5,
  middleInitial: 2.5,
  similarRare: 2,
  similar: 1,
  missing: 0,
  different: -5,
} as const;

/** What a name that is not the first of its row is worth less. */
const laterPenalty = 0.6;

/** Whether one given name is a nickname or another spelling of the other. */
export const areForms = (index: MatchIndex, one: CountedWord, other: CountedWord): boolean =>
  relationOf(index, one, other) > 0 || isSameGiven(one, other);

/** Distance up to which a given name of so many letters may be the same, mistyped. */
export const givenDistanceMax = (letters: number): number =>
  letters >= 8 ? 2.6 : letters >= 6 ? 2.1 : letters >= 5 ? 1.7 : letters >= 4 ? 1.1 : 0.8;

/** The nearest of a person's given names within what a typing error may be. */
function findNearest(
  word: RowWord,
  view: PersonView,
): { name: PersonWord; distance: number } | null {
  let nearest: PersonWord | null = null;
  let best: number = farApart;
  for (const list of [view.given, view.otherGiven])
    for (const name of list) {
      const letters = Math.min(word.text.length, name.text.length);
      if (letters < 3) continue;
      const distance = distanceOf(word, name);
      if (distance <= givenDistanceMax(letters) && distance < best) {
        best = distance;
        nearest = name;
      }
    }
  return nearest === null ? null : { name: nearest, distance: best };
}

function offer(best: FirstFit, level: number, worth: number): void {
  if (worth <= best.quality) return;
  best.level = level;
  best.quality = worth;
}

const syllableLettersMax = 4;

/** Whether a name of two syllables has another second one: Min-jun is not Min-jung. */
function isOtherSyllable({ text }: RowWord, { firsts }: PersonView): boolean {
  if (firsts.length !== 2 || firsts.some((name) => name.text.length > syllableLettersMax))
    return false;
  const [one, other] = [firsts[0]!.text, firsts[1]!.text];
  return text.length > one.length + 1 && text.startsWith(one) && text.slice(one.length) !== other;
}

/** A name that is none of the person's but is written nearly as one. */
function compareTyped(
  index: MatchIndex,
  word: RowWord,
  view: PersonView,
  penalty: number,
  best: FirstFit,
): void {
  if (isOtherSyllable(word, view)) {
    offer(best, first.similar, quality.similar);
    return;
  }
  const nearest = findNearest(word, view);
  if (nearest === null) return;
  const { name, distance } = nearest;
  const letters = Math.min(word.text.length, name.text.length);
  if (!isSomeonesGiven(index, word) || isSlipOfGiven(word, name)) {
    const worth = quality.typed - (5 * distance) / Math.max(5, letters) - penalty;
    offer(best, first.typo1 + typoStep(distance, letters), worth);
  } else if (isSameGiven(word, name)) offer(best, first.spelling, quality.spelling);
  else if (isKnownGiven(index, word) && isKnownGiven(index, name))
    offer(best, first.similar, quality.similar);
  else offer(best, first.similar_rare, quality.similarRare);
}

/** A known name is the beginning of another one that is longer by more letters than an ending. */
const endingMax = 2;

/** Whether two names, of which one begins with the other, are known and no short form of it. */
const areTwoNames = (index: MatchIndex, one: CountedWord, other: CountedWord): boolean =>
  isKnownGiven(index, one) &&
  isKnownGiven(index, other) &&
  (Math.abs(one.text.length - other.text.length) <= endingMax ||
    areOfTwoSexes(one.known, other.known)) &&
  !isSameGiven(one, other);

/** A name that is cut, sounds alike, or that only an address of the person spells. */
function compareLoosely(
  index: MatchIndex,
  word: RowWord,
  view: PersonView,
  penalty: number,
  best: FirstFit,
): void {
  const main = view.firsts[0];
  if (main === undefined) return;
  const [a, b] = [word.text, main.text];
  const isKnown = isKnownGiven(index, word);
  const isBeginning = a.length !== b.length && (a.startsWith(b) || b.startsWith(a));
  // Of two syllables, written as one name, both must agree: Min-ji is not Min-jung.
  const isOtherCompound = view.firsts.length > 1 && a.length > b.length + 1 && a.startsWith(b);
  if (isOtherCompound || (isBeginning && areTwoNames(index, word, main)))
    offer(best, first.similar, quality.similar);
  else if (a.length >= 3 && b.length > a.length && b.startsWith(a)) {
    const level = isKnown ? first.cut_known : a.length >= 4 ? first.cut4 : first.cut3;
    offer(best, level, quality.cut - penalty);
  } else if (b.length >= 3 && a.length > b.length && a.startsWith(b))
    offer(best, first.longer, quality.longer - penalty);
  if (a.length > 3 && best.quality < quality.sound && canSoundAlike(word.mask, main.mask)) {
    const key = phoneticOf(word);
    if (key.length > 1 && key === phoneticOf(main)) {
      const areKnown = isKnown && isKnownGiven(index, main);
      if (areKnown && isSameGiven(word, main)) offer(best, first.spelling, quality.spelling);
      else offer(best, areKnown ? first.sound_known : first.sound, quality.sound);
    }
  }
  for (const spelled of view.spelled)
    if (spelled.id === word.id) offer(best, first.spelled, quality.spelled - penalty);
    else if (a.length > 3 && spelled.text.length > a.length + 2 && spelled.text.includes(a))
      offer(best, first.spelled_part, quality.spelledPart - penalty);
  const second = view.firsts[1];
  const isInitials = b.length === 2 || (b.length === 1 && second?.text.length === 1);
  if ((b.length === 1 || isInitials) && a[0] === b[0])
    offer(best, first.held_initial, quality.heldInitial);
}

function compareInitial(
  letter: string,
  view: PersonView,
  penalty: number,
  isLater: boolean,
  best: FirstFit,
): void {
  const startsSo = (name: PersonWord): boolean => name.text.startsWith(letter);
  const main = view.firsts[0];
  if (main && startsSo(main))
    offer(best, isLater ? first.later_initial : first.initial, quality.initial - penalty * 2);
  else if (view.given.some(startsSo) || view.otherGiven.some(startsSo))
    offer(best, first.other_initial, quality.otherInitial - penalty * 2);
  else if (view.middles.some(startsSo))
    offer(best, first.middle_initial, quality.middleInitial - penalty * 2);
}

/**
 * One word of a row's given names.
 * @param isLater another word comes before it
 * @param isMiddle that word is a known given name, so that this one says nothing if it is only a
 * middle name of the person: Eric A. is not Josh A.
 */
function compareWord(
  index: MatchIndex,
  word: RowWord,
  view: PersonView,
  isLater: boolean,
  isMiddle: boolean,
  best: FirstFit,
): void {
  const penalty = isLater ? laterPenalty : 0;
  if (word.text.length === 1) {
    if (!isMiddle) compareInitial(word.text, view, penalty, isLater, best);
    return;
  }
  const isWord = (name: PersonWord): boolean => name.id === word.id || name.text === word.text;
  const main = view.firsts[0];
  if (main && isWord(main)) offer(best, isLater ? first.second : first.exact, 10 - penalty);
  else if (view.given.some(isWord)) offer(best, first.given, quality.given - penalty);
  else if (view.otherGiven.some(isWord)) offer(best, first.other, quality.other - penalty);
  else if (!isMiddle && view.calledMiddles.some(isWord))
    offer(best, first.middle, quality.middle - penalty);
  else {
    // Joe is short for Josephine too, but Joseph, called Joe, is not Josephine.
    const isOther = (): boolean =>
      main !== undefined &&
      relationOf(index, word, main) === 0 &&
      areOfTwoSexes(word.known, main.known);
    const isNickname = (name: PersonWord): boolean =>
      relationOf(index, word, name) === 2 && (name === main || !isOther());
    if (view.given.some(isNickname) || view.otherGiven.some(isNickname)) {
      offer(best, first.nickname, quality.nickname - penalty);
      return;
    }
    if (!isMiddle && view.calledMiddles.some(isNickname))
      offer(best, first.middle_nickname, quality.cut - penalty);
    if (main && relationOf(index, word, main) === 1)
      offer(best, first.sibling, quality.sibling - penalty);
    compareTyped(index, word, view, penalty, best);
    compareLoosely(index, word, view, penalty, best);
  }
}

const isInitial = ({ text }: { readonly text: string }): boolean => text.length === 1;

/** The first letters of a person's names in order. */
const initialsOf = ({ firsts, middles }: PersonView): string[] => {
  const names = firsts.length > 0 ? [...firsts, ...middles] : [undefined, ...middles];
  return names.map((name) => name?.text.slice(0, 1) ?? '');
};

/** "JC" is in registers of names, but it is said letter by letter. */
const noVowel = /^[^aeiouy]+$/;

/** Several initials, as words or as one: "J. R.", "jr". */
function compareInitials(index: MatchIndex, given: readonly RowWord[], view: PersonView): number {
  if (given.length > 1) {
    if (!given.every(isInitial)) return quality.different;
    const held = initialsOf(view);
    return given.every(({ text }, at) => held[at] === text || (at > 0 && held.includes(text)))
      ? quality.initials
      : quality.different;
  }
  const lone = given[0]!;
  const { length } = lone.text;
  const isWord = isKnownGiven(index, lone) && !noVowel.test(lone.text);
  if (length < 2 || length > 3 || isWord) return quality.different;
  const initials = initialsOf(view).join('');
  return initials.length >= length && initials.startsWith(lone.text)
    ? quality.shortInitials
    : quality.different;
}

/** The best agreement of a reading's given names with any of a person's. */
export function compareFirst(index: MatchIndex, row: RowGiven, view: PersonView): FirstFit {
  const { given, nicknames } = row;
  if (given.length === 0 && nicknames.length === 0)
    return { level: first.missing, quality: quality.missing };
  const best: FirstFit = { level: first.different, quality: quality.different };
  const own = given.length > 2 ? beforeFather(given) : given;
  const isNamed = given.length > 1 && given[0]!.text.length > 1 && isKnownGiven(index, given[0]!);
  for (let at = 0; at < own.length; at++)
    compareWord(index, own[at]!, view, at > 0, at > 0 && isNamed, best);
  for (const nickname of nicknames) {
    // "Bob King (Robert)"
    const isWhole = given.some((word) => areForms(index, word, nickname));
    compareWord(index, nickname, view, !isWhole, false, best);
  }
  if (given.length > 1 && best.quality < quality.joined) {
    const joined = given.map(({ text }) => text).join('');
    const isJoined = (name: PersonWord): boolean => name.text === joined;
    if (view.given.some(isJoined) || view.otherGiven.some(isJoined))
      offer(best, first.given, quality.joined);
  }
  if (given.length > 0) offer(best, first.initials, compareInitials(index, given, view));
  if (best.level === first.different && given.every((word) => isUncommonGiven(index, word)))
    best.level = first.uncommon;
  return best;
}
