/** How alike the words of two organisations' names are. */

import type { MatchIndex, Sections } from '../../../index/index-layout.ts';
import { stateMark } from '../../../normalize/messy/organisation-tokens.ts';
import { type FormedWord, formedDistance } from '../../../normalize/messy/weighted-distance.ts';
import { lettersApart } from '../../../normalize/similarity.ts';
import type { NameWord } from '../row-words.ts';

/** A word of a row's organisation. */
export interface OrgRowWord extends FormedWord {
  /** Number in the index, -1 if no organisation has it. */
  readonly id: number;
  /** How much it tells. */
  readonly weight: number;
  /** How surely a word of the index is this one, by number: 0 to 1. */
  readonly likeness: Map<number, number>;
}

/** What a word has in common with another, by how. */
const likeness = {
  prefixOfLong: 0.85,
  cut: 0.75,
  longer: 0.7,
  initial: 0.5,
  perEdit: 0.9,
  edited: 0.03,
} as const;
const sameMin = 0.5;
/** Letters that two words which are one may differ by. */
const lettersApartMax = 2;
/** A word of the place where an organisation is tells this much of what another word does. */
const placeShare = 0.15;
const unknownWeightMax = 6;

/** Distance up to which a word of an organisation of so many letters may be the same, mistyped. */
export const orgDistanceMax = (letters: number): number =>
  letters >= 8 ? 2.2 : letters >= 5 ? 1.5 : 1;

/** How surely two different words are one, 0 to 1. */
function compareWords(word: FormedWord, held: FormedWord): number {
  const [a, b] = [word.text, held.text];
  if (a.startsWith(stateMark) || b.startsWith(stateMark)) return 0;
  const shorter = Math.min(a.length, b.length);
  if (shorter >= 4) {
    let best = 0;
    if (Math.abs(a.length - b.length) <= 3) {
      const max = orgDistanceMax(shorter);
      const distance = formedDistance(word, held, max);
      if (distance <= max) best = 1 - (likeness.perEdit * distance) / shorter - likeness.edited;
    }
    const isPrefix = a.startsWith(b) || b.startsWith(a);
    return isPrefix ? Math.max(best, likeness.prefixOfLong) : best;
  }
  if (a.length >= 2 && b.length > a.length && b.startsWith(a)) return likeness.cut;
  if (b.length >= 3 && a.startsWith(b)) return likeness.longer;
  return a.length === 1 && b.startsWith(a) ? likeness.initial : 0;
}

/** How surely a word of a row is a word of the index, 0 to 1. */
export function likenessOf(word: OrgRowWord, held: NameWord): number {
  if (word.id === held.id) return 1;
  // Neither is within the other and they are far apart by their letters: most pairs.
  const [a, b] = [word.mask, held.mask];
  if ((a & ~b) !== 0 && (b & ~a) !== 0 && lettersApart(a, b) > lettersApartMax) return 0;
  const known = word.likeness.get(held.id);
  if (known !== undefined) return known;
  const found = compareWords(word, held);
  word.likeness.set(held.id, found);
  return found;
}

/** How much of each name the other one has, by weight, 0 to 1. */
export interface Coverage {
  ofRow: number;
  ofHeld: number;
}

const usedMax = 32;
const used = new Uint8Array(usedMax);

/** Good until the next call of alignWords. */
const coverage: Coverage = { ofRow: 0, ofHeld: 0 };
/** How surely the word that findBest found is the row's. */
const bestLikeness = new Float64Array(1);

/** The place of the best unused word of a name for a row's word; -1 if there is none. */
function findBest(word: OrgRowWord, held: readonly NameWord[]): number {
  let best = 0;
  let at = -1;
  for (let other = 0; other < held.length; other++) {
    if (used[other] === 1) continue;
    const found = likenessOf(word, held[other]!);
    if (found > best) {
      best = found;
      at = other;
    }
  }
  bestLikeness[0] = best;
  return at;
}

/** Where two words of a name stand that a row writes as one; -1 if it does not. */
function findJoined(word: OrgRowWord, held: readonly NameWord[]): number {
  if (word.text.length < 6) return -1;
  for (let at = 0; at + 1 < held.length; at++)
    if (used[at] === 0 && used[at + 1] === 0)
      if (held[at]!.text + held[at + 1]!.text === word.text) return at;
  return -1;
}

function isOfPlace({ orgPlaces, orgPlaceStarts }: Sections, group: number, word: number): boolean {
  for (let at = orgPlaceStarts[group]!; at < orgPlaceStarts[group + 1]!; at++)
    if (orgPlaces[at] === word) return true;
  return false;
}

/**
 * Aligns the words of a row with those of a name of the index. It is called for every name that
 * shares a word, so it allocates nothing.
 * @param group the organisation: words of its place tell less
 * @returns good until the next call
 */
export function alignWords(
  { sections }: MatchIndex,
  row: readonly OrgRowWord[],
  held: readonly NameWord[],
  group: number,
): Coverage {
  const { orgWordWeights } = sections;
  let asked = 0;
  let askedShared = 0;
  let heldShared = 0;
  let heldAll = 0;
  for (let at = 0; at < held.length; at++) {
    used[at] = 0;
    heldAll += orgWordWeights[held[at]!.id]!;
  }
  for (let place = 0; place < row.length; place++) {
    const word = row[place]!;
    const at = findBest(word, held);
    const best = bestLikeness[0]!;
    const joinedAt = best < 0.6 ? findJoined(word, held) : -1;
    if (joinedAt >= 0) {
      const head = orgWordWeights[held[joinedAt]!.id]!;
      used[joinedAt] = 1;
      used[joinedAt + 1] = 1;
      heldShared += head + orgWordWeights[held[joinedAt + 1]!.id]!;
      askedShared += head;
      asked += head;
      continue;
    }
    if (at < 0 || best < sameMin) {
      const isPlace = word.id >= 0 && isOfPlace(sections, group, word.id);
      asked += isPlace ? word.weight * placeShare : Math.min(word.weight, unknownWeightMax);
      continue;
    }
    const own = orgWordWeights[held[at]!.id]!;
    const weight = word.id >= 0 ? Math.max(word.weight * 0.5, (word.weight + own) / 2) : own;
    used[at] = 1;
    asked += weight;
    askedShared += weight * best;
    heldShared += own * best;
  }
  coverage.ofRow = asked > 0 ? askedShared / asked : 0;
  coverage.ofHeld = heldAll > 0 ? heldShared / heldAll : 0;
  return coverage;
}
