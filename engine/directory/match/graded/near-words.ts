// Finds the words of a dictionary that are written nearly as a given one, by their pairs of
// letters.
import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { gramsOf } from '../../index/index-grams.ts';
import {
  type CodedWords,
  codedDistance,
  type FormedWord,
  letterCostMin,
} from '../../normalize/messy/weighted-distance.ts';
import { lettersApart } from '../../normalize/similarity.ts';

/** A word and its distance. */
export interface NearWord {
  readonly id: number;
  readonly distance: number;
}

/** The words to look among. */
export interface WordsByGram {
  readonly starts: Uint32Array;
  readonly words: Uint32Array;
  readonly wordsCount: number;
  /** The letter set of each word: letterMaskOf. */
  readonly masks: Int32Array;
  readonly coded: CodedWords;
}

const foundMax = 40;
/** Postings read for one word: bounds the work in a large dictionary. */
const postingsMax = 60_000;
const rememberedMax = 4_000;
/** Share of a word's pairs that another must have: two errors destroy at most four. */
const sharedMin = 0.36;

/** @param distanceMaxFor the largest distance for a word of so many letters */
export function createNearWords(
  grams: WordsByGram,
  distanceMaxFor: (letters: number) => number,
): (word: FormedWord) => readonly NearWord[] {
  const { starts, words, masks, coded } = grams;
  const counts = new Uint8Array(grams.wordsCount);
  const touched = new Uint32Array(grams.wordsCount);
  const postingsOf = (gram: number): number => starts[gram + 1]! - starts[gram]!;
  /** How many of the pairs, the rarest first, are read. */
  const countUsed = (own: readonly number[]): number => {
    let read = 0;
    for (let at = 0; at < own.length; at++) {
      read += postingsOf(own[at]!);
      if (at > 2 && read > postingsMax) return at;
    }
    return own.length;
  };
  const textOf = ({ id }: NearWord): string => coded.word(id).text;
  const find = (word: FormedWord): readonly NearWord[] => {
    const { text, mask } = word;
    const own = gramsOf(text).sort((a, b) => postingsOf(a) - postingsOf(b));
    const used = countUsed(own);
    const needed = Math.max(used > 3 ? 2 : 1, Math.floor(used * sharedMin));
    // A word that shares enough pairs has one of the rarer ones: the others add no word.
    const adding = used - needed + 1;
    let touchedCount = 0;
    for (let order = 0; order < used; order++) {
      const to = starts[own[order]! + 1]!;
      if (order < adding)
        for (let at = starts[own[order]!]!; at < to; at++) {
          const id = words[at]!;
          if (counts[id]!++ === 0) touched[touchedCount++] = id;
        }
      else
        for (let at = starts[own[order]!]!; at < to; at++) {
          const id = words[at]!;
          const count = counts[id]!;
          if (count > 0) counts[id] = count + 1;
        }
    }
    const max = distanceMaxFor(text.length);
    const found: NearWord[] = [];
    for (let at = 0; at < touchedCount; at++) {
      const id = touched[at]!;
      const shared = counts[id]!;
      counts[id] = 0;
      if (shared < needed) continue;
      if (lettersApart(mask, masks[id]!) * letterCostMin > max) continue;
      const length = coded.starts[id + 1]! - coded.starts[id]!;
      if (Math.abs(length - text.length) > 3) continue;
      const distance = codedDistance(word, coded, id, max);
      if (distance <= max) found.push({ id, distance });
    }
    found.sort((a, b) => a.distance - b.distance || (textOf(a) < textOf(b) ? -1 : 1));
    return found.slice(0, foundMax);
  };
  return createBoundedCache(find, rememberedMax);
}
