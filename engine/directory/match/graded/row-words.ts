/** Words of rows against the names of an index; the words of a list repeat, and so do the answers. */

import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { findText, textAt } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import type { SurnameKey } from '../../normalize/messy/name-parts.ts';
import { wordDistance } from '../../normalize/messy/weighted-distance.ts';
import { letterMaskOf } from '../../normalize/similarity.ts';

/** A word of a row. */
export interface RowWord {
  readonly text: string;
  /** Number in the dictionary, -1 if it is not there. */
  readonly id: number;
  readonly mask: number;
  /** Distances to words of the dictionary that were asked for, by number. */
  readonly distances: Map<number, number>;
}

/** A word of a person. */
export interface NameWord {
  readonly text: string;
  readonly id: number;
}

/** A surname of a row. */
export interface RowSurname {
  readonly whole: RowWord;
  readonly core: RowWord;
  readonly parts: readonly RowWord[];
}

/** The words of one index. */
export interface Vocabulary {
  /** A folded word as a row has it. */
  word(text: string): RowWord;
  /** The text of a name of the dictionary. */
  text(id: number): string;
  surname(key: SurnameKey): RowSurname;
}

const wordsMax = 8_000;
const textsMax = 40_000;
const distancesMax = 4_000;
/** The largest distance that any comparison of names asks for. */
export const distanceMax = 3.2;

/** The words of the names of an index, with bounded memories. */
export function createVocabulary({ names }: MatchIndex): Vocabulary {
  const word = createBoundedCache(
    (text: string): RowWord => ({
      text,
      id: findText(names, text),
      mask: letterMaskOf(text),
      distances: new Map(),
    }),
    wordsMax,
  );
  return {
    word,
    text: createBoundedCache((id: number) => textAt(names, id), textsMax),
    surname: ({ whole, core, parts }) => ({
      whole: word(whole),
      core: word(core),
      parts: parts.map(word),
    }),
  };
}

/** The distance of a row's word and a name, remembered; farApart above distanceMax. */
export function distanceOf(word: RowWord, name: NameWord): number {
  if (word.id === name.id) return 0;
  if (name.id < 0) return wordDistance(word.text, name.text, distanceMax);
  const known = word.distances.get(name.id);
  if (known !== undefined) return known;
  const distance = wordDistance(word.text, name.text, distanceMax);
  if (word.distances.size >= distancesMax) word.distances.clear();
  word.distances.set(name.id, distance);
  return distance;
}
