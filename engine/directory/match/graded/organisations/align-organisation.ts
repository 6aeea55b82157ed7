// How alike the words of two organisations' names are.
import type { MatchIndex, Sections } from '../../../index/index-layout.ts';
import { stateMark } from '../../../normalize/messy/organisation-tokens.ts';
import { type FormedWord, formedDistance } from '../../../normalize/messy/weighted-distance.ts';
import { lettersApart } from '../../../normalize/similarity.ts';
import type { NameWord } from '../row-words.ts';

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

/** Whether neither word is within the other and their letters tell them apart: most pairs. */
const areFarApart = (a: number, b: number): boolean =>
  (a & ~b) !== 0 && (b & ~a) !== 0 && lettersApart(a, b) > lettersApartMax;

/** How surely a word of a row is a word of the index, 0 to 1. */
export function likenessOf(word: OrgRowWord, held: NameWord): number {
  if (word.id === held.id) return 1;
  if (areFarApart(word.mask, held.mask)) return 0;
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

/** Good until the next call of an aligner. */
const coverage: Coverage = { ofRow: 0, ofHeld: 0 };
/** How surely the word that findBest found is the row's. */
const bestLikeness = new Float64Array(1);

/** Words of one name that are aligned. */
const heldMax = 32;
/** The name that is aligned: for each word its number, letters, and whether it is taken. */
const heldIds = new Uint32Array(heldMax);
const heldMasks = new Int32Array(heldMax);
const used = new Uint8Array(heldMax);

function isOfPlace({ orgPlaces, orgPlaceStarts }: Sections, group: number, word: number): boolean {
  for (let at = orgPlaceStarts[group]!; at < orgPlaceStarts[group + 1]!; at++)
    if (orgPlaces[at] === word) return true;
  return false;
}

export interface HeldWords {
  /** The letter set of each word. */
  readonly masks: Int32Array;
  held(id: number): NameWord;
}

/**
 * Aligns the words of a row with those of a name of the index. It is called for every name that
 * shares a word, so it allocates nothing.
 * @param entry the name
 * @param skipped words at its beginning that are left out
 * @returns good until the next call
 */
export type NameAligner = (row: readonly OrgRowWord[], entry: number, skipped: number) => Coverage;

/** Aligns names of an index. */
export function createAligner({ sections }: MatchIndex, { masks, held }: HeldWords): NameAligner {
  const { orgWordWeights, orgEntryStarts, orgEntryWords, orgEntryGroups, orgWordStarts } = sections;
  const lettersOf = (id: number): number => orgWordStarts[id + 1]! - orgWordStarts[id]!;
  /** The place of the best unused word of the name for a row's word; -1 if there is none. */
  const findBest = (word: OrgRowWord, count: number): number => {
    const { id, mask } = word;
    let best = 0;
    let at = -1;
    for (let other = 0; other < count; other++) {
      if (used[other] === 1) continue;
      const heldId = heldIds[other]!;
      let found = 1;
      if (heldId !== id) {
        if (areFarApart(mask, heldMasks[other]!)) continue;
        found = likenessOf(word, held(heldId));
      }
      if (found > best) {
        best = found;
        at = other;
      }
    }
    bestLikeness[0] = best;
    return at;
  };
  /** Where two words of the name stand that a row writes as one; -1 if it does not. */
  const findJoined = ({ text }: OrgRowWord, count: number): number => {
    if (text.length < 6) return -1;
    for (let at = 0; at + 1 < count; at++) {
      if (used[at] === 1 || used[at + 1] === 1) continue;
      const [one, other] = [heldIds[at]!, heldIds[at + 1]!];
      if (lettersOf(one) + lettersOf(other) !== text.length) continue;
      if (held(one).text + held(other).text === text) return at;
    }
    return -1;
  };
  return (row, entry, skipped) => {
    const from = orgEntryStarts[entry]! + skipped;
    const count = orgEntryStarts[entry + 1]! - from;
    let asked = 0;
    let askedShared = 0;
    let heldShared = 0;
    let heldAll = 0;
    for (let at = 0; at < count; at++) {
      const id = orgEntryWords[from + at]!;
      heldIds[at] = id;
      heldMasks[at] = masks[id]!;
      used[at] = 0;
      heldAll += orgWordWeights[id]!;
    }
    for (let place = 0; place < row.length; place++) {
      const word = row[place]!;
      const at = findBest(word, count);
      const best = bestLikeness[0]!;
      const joinedAt = best < 0.6 ? findJoined(word, count) : -1;
      if (joinedAt >= 0) {
        const head = orgWordWeights[heldIds[joinedAt]!]!;
        used[joinedAt] = 1;
        used[joinedAt + 1] = 1;
        heldShared += head + orgWordWeights[heldIds[joinedAt + 1]!]!;
        askedShared += head;
        asked += head;
        continue;
      }
      if (at < 0 || best < sameMin) {
        const isPlace = word.id >= 0 && isOfPlace(sections, orgEntryGroups[entry]!, word.id);
        asked += isPlace ? word.weight * placeShare : Math.min(word.weight, unknownWeightMax);
        continue;
      }
      const own = orgWordWeights[heldIds[at]!]!;
      const weight = word.id >= 0 ? Math.max(word.weight * 0.5, (word.weight + own) / 2) : own;
      used[at] = 1;
      asked += weight;
      askedShared += weight * best;
      heldShared += own * best;
    }
    coverage.ofRow = asked > 0 ? askedShared / asked : 0;
    coverage.ofHeld = heldAll > 0 ? heldShared / heldAll : 0;
    return coverage;
  };
}
