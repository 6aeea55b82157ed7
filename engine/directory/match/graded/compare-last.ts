// Compares a row's surname with a person's surnames.
import type { MatchIndex } from '../../index/index-layout.ts';
import { canSoundAlike, farApart, phoneticOf } from '../../normalize/messy/weighted-distance.ts';
import { areTwoSurnames } from './known-names.ts';
import { last } from './levels.ts';
import type { HeldSurname, PersonView } from './people-view.ts';
import {
  distanceOf,
  type NameWord,
  type RowSurname,
  type RowWord,
  surnameDistanceMax,
} from './row-words.ts';

/** How far a surname agrees, and with which of a person's. */
export interface LastFit {
  level: number;
  /** Orders the levels: the larger the better, below 0 for none. */
  quality: number;
  surname: HeldSurname | null;
}

/** What a level and its distance are worth among others; measured in the units of `quality`. */
const quality = {
  exact: 10,
  core: 9.5,
  typed: 9,
  part: 7.5,
  partBoth: 6.5,
  partTyped: 5.5,
  cut: 5.2,
  sound: 5,
  /** Above gates.surname, so that a pair with the same given name is weighed. */
  twoNames: 5.05,
  initial: 3,
  none: -99,
} as const;

const typoSteps = [
  { distance: 0.8, share: 0.21 },
  { distance: 1.05, share: 0.26 },
  { distance: 1.75, share: 0.26 },
  { distance: farApart, share: 0.3 },
] as const;

/** The step of a distance, from 0 for the smallest: relative to the letters of the shorter word. */
export function typoStep(distance: number, letters: number): number {
  const share = distance / letters;
  const step = typoSteps.findIndex((one) => distance <= one.distance && share <= one.share);
  return step < 0 ? typoSteps.length : step;
}

function offer(best: LastFit, level: number, worth: number, surname: HeldSurname): void {
  if (worth <= best.quality) return;
  best.level = level;
  best.quality = worth;
  best.surname = surname;
}

const partDistanceMax = (word: { readonly text: string }): number =>
  word.text.length > 5 ? 1.7 : 1.1;

const isPartNear = (word: RowWord, name: NameWord): boolean =>
  word.text === name.text || distanceOf(word, name) <= partDistanceMax(word);

/** Whether each has a part that the other lacks: Hong-chul and Hong-sop. */
const haveOtherParts = (row: RowSurname, held: HeldSurname): boolean =>
  row.parts.some((part) => !held.parts.some((name) => isPartNear(part, name))) &&
  held.parts.some((name) => !row.parts.some((part) => isPartNear(part, name)));

/** A part of one against the whole of the other. */
function compareParts(index: MatchIndex, row: RowSurname, held: HeldSurname, best: LastFit): void {
  if (row.parts.length > 1 && held.parts.length > 1 && haveOtherParts(row, held)) {
    const isShared = row.parts.some((part) => held.parts.some((name) => isPartNear(part, name)));
    if (isShared) offer(best, last.two_names, quality.twoNames, held);
    return;
  }
  for (const part of row.parts) {
    if (part.text.length < 3) continue;
    if (part.id === held.whole.id || part.id === held.core.id)
      offer(best, last.part_given, quality.part, held);
    else if (held.parts.some(({ id }) => id === part.id))
      offer(best, last.part_both, quality.partBoth, held);
    if (part.text.length > 3 && held.core.text.length > 3) {
      const distance = distanceOf(part, held.core);
      if (distance <= partDistanceMax(part) && !areTwoSurnames(index, part, held.core))
        offer(best, last.part_typo, quality.partTyped - 0.1 - distance, held);
    }
  }
  for (const part of held.parts) {
    if (part.id === row.core.id) offer(best, last.part_held, quality.part, held);
    else if (part.text.length > 3 && row.core.text.length > 3) {
      const distance = distanceOf(row.core, part);
      if (distance <= partDistanceMax(part) && !areTwoSurnames(index, row.core, part))
        offer(best, last.part_typo, quality.partTyped - distance, held);
    }
  }
}

const sounds = (word: RowWord, name: NameWord): boolean => {
  if (!canSoundAlike(word.mask, name.mask)) return false;
  const key = phoneticOf(word);
  return key.length > 1 && key === phoneticOf(name);
};

/** Endings of so many surnames that only the letters before them tell two apart. */
const longEnding = /(?:dottir|opoulos|shvili|zadeh|ullah|uddin|ovich|evich|[oe]w?ski)$/;

/** The letters of the shorter of two names, without a long ending that both have. */
function countTelling(one: string, other: string): number {
  const letters = Math.min(one.length, other.length);
  const [ending] = longEnding.exec(one) ?? [];
  return ending !== undefined && other.endsWith(ending) ? letters - ending.length : letters;
}

/** What a distance of so many letters makes of a surname. */
const worthOfTyped = (distance: number, letters: number): number =>
  quality.typed - (12 * distance) / Math.max(6, letters);

/** The quality of a surname that is a row's, or a part of it, with a slip at most. */
export const sureSurname = 7;

/** Whether compareLast may give sureSurname for a name. False is certain, true says nothing. */
export function mayBeSure({ whole, core, parts }: RowSurname, name: NameWord): boolean {
  if (whole.id === name.id || core.id === name.id) return true;
  if (parts.some(({ id }) => id === name.id)) return true;
  const isSlip = (word: RowWord): boolean =>
    worthOfTyped(distanceOf(word, name), Math.min(word.text.length, name.text.length)) >=
    sureSurname;
  return isSlip(whole) || (core !== whole && isSlip(core));
}

/** Both as a whole. */
function compareWhole(
  index: MatchIndex,
  { whole, core }: RowSurname,
  held: HeldSurname,
  best: LastFit,
): void {
  let distance = distanceOf(whole, held.whole);
  if (core !== whole || held.core !== held.whole)
    distance = Math.min(distance, distanceOf(core, held.core) + 0.2);
  const letters = countTelling(whole.text, held.whole.text);
  // A name is cut off, but nobody adds an ending: Köhlerson is not Köhler.
  const isLengthened =
    whole.text.startsWith(held.whole.text) && whole.text.length - held.whole.text.length > 2;
  const isTyped = letters >= 3 && !isLengthened && distance <= surnameDistanceMax(letters) + 0.4;
  const isBeginning =
    letters >= 4 &&
    !isLengthened &&
    (held.whole.text.startsWith(whole.text) || whole.text.startsWith(held.whole.text));
  const isSound = letters >= 4 && best.quality < quality.sound && sounds(whole, held.whole);
  if ((isTyped || isBeginning || isSound) && areTwoSurnames(index, whole, held.whole)) {
    offer(best, last.two_names, quality.twoNames, held);
    return;
  }
  if (isTyped) {
    offer(best, last.typo1 + typoStep(distance, letters), worthOfTyped(distance, letters), held);
  }
  if (isBeginning) offer(best, last.cut, quality.cut, held);
  if (isSound) offer(best, last.sound, quality.sound, held);
}

/** The best agreement of a row's surname with any of a person's. `row` is null if it has none. */
export function compareLast(index: MatchIndex, row: RowSurname | null, view: PersonView): LastFit {
  const main = view.surnames[0] ?? null;
  if (row === null) return { level: last.missing, quality: 0, surname: main };
  const best: LastFit = { level: last.none, quality: quality.none, surname: main };
  const { whole, core } = row;
  for (const held of view.surnames) {
    if (whole.id === held.whole.id && whole.id >= 0) {
      const worth = quality.exact - (held.rank === 0 ? 0 : held.rank === 1 ? 0.1 : 0.4);
      offer(best, held.rank === 0 ? last.exact : last.other, worth, held);
    } else if (core.id >= 0 && core.id === held.core.id && core.text.length > 2)
      offer(best, last.core, quality.core, held);
    else if (whole.text.length === 1) {
      if (held.whole.text.startsWith(whole.text)) offer(best, last.initial, quality.initial, held);
    } else {
      compareWhole(index, row, held, best);
      if (row.parts.length > 0 || held.parts.length > 0) compareParts(index, row, held, best);
    }
  }
  return best;
}
