/**
 * Finds the words of a dictionary that are written nearly as a given one, by their pairs of
 * letters.
 */

import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { gramsOf } from '../../index/index-grams.ts';
import { letterCostMin, wordDistance } from '../../normalize/messy/weighted-distance.ts';

import { letterMaskOf, lettersApart } from '../../normalize/similarity.ts';

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
  lengthOf(id: number): number;
  /** The letter set of each word: letterMaskOf. */
  readonly masks: Int32Array;
  text(id: number): string;
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
): (word: string) => readonly NearWord[] {
  const counts = new Uint8Array(grams.wordsCount);
  const postingsOf = (gram: number): number => grams.starts[gram + 1]! - grams.starts[gram]!;
  const find = (word: string): readonly NearWord[] => {
    const own = gramsOf(word).sort((a, b) => postingsOf(a) - postingsOf(b));
    const touched: number[] = [];
    let read = 0;
    let used = 0;
    for (const gram of own) {
      const to = grams.starts[gram + 1]!;
      read += to - grams.starts[gram]!;
      if (used > 2 && read > postingsMax) break;
      used++;
      for (let at = grams.starts[gram]!; at < to; at++)
        if (counts[grams.words[at]!]!++ === 0) touched.push(grams.words[at]!);
    }
    const max = distanceMaxFor(word.length);
    const needed = Math.max(used > 3 ? 2 : 1, Math.floor(used * sharedMin));
    const mask = letterMaskOf(word);
    const found: NearWord[] = [];
    for (const id of touched) {
      const shared = counts[id]!;
      counts[id] = 0;
      if (shared < needed) continue;
      if (lettersApart(mask, grams.masks[id]!) * letterCostMin > max) continue;
      if (Math.abs(grams.lengthOf(id) - word.length) > 3) continue;
      const distance = wordDistance(word, grams.text(id), max);
      if (distance <= max) found.push({ id, distance });
    }
    found.sort((a, b) => a.distance - b.distance || a.id - b.id);
    return found.slice(0, foundMax);
  };
  return createBoundedCache(find, rememberedMax);
}
