/**
 * Words of rows against the names of an index; the words of a list repeat, and so do the answers.
 */

import { createBoundedCache, createNumberCache } from '../../../platform/bounded-cache.ts';
import { findText, textAt } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import type { SurnameKey } from '../../normalize/messy/name-parts.ts';
import {
  createForms,
  type FormedWord,
  farApart,
  formedDistance,
  letterCostMin,
} from '../../normalize/messy/weighted-distance.ts';
import { letterMaskOf, lettersApart } from '../../normalize/similarity.ts';

/** A word of a row. */
export interface RowWord extends FormedWord {
  /** Number in the dictionary, -1 if it is not there. */
  readonly id: number;
  readonly mask: number;
  /** Distances to words of the dictionary that were asked for, by number. */
  readonly distances: Map<number, number>;
}

/** A word of a person. */
export interface NameWord extends FormedWord {
  readonly id: number;
  readonly mask: number;
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
  /** A name of the dictionary. */
  name(id: number): NameWord;
  surname(key: SurnameKey): RowSurname;
}

const wordsMax = 8_000;
/** A power of two. */
const namesMax = 65_536;
const distancesMax = 256;

/** Distance up to which a surname of so many letters may be the same, mistyped. */
export const surnameDistanceMax = (letters: number): number =>
  letters >= 9 ? 2.6 : letters >= 7 ? 2.2 : letters >= 5 ? 1.7 : letters >= 4 ? 1.1 : 0.8;
/** Names are compared a little beyond it: no comparison asks for more. */
const beyond = 0.4;

/** The words of the names of an index, with bounded memories. */
export function createVocabulary({ names, sections }: MatchIndex): Vocabulary {
  const word = createBoundedCache(
    (text: string): RowWord => ({
      text,
      id: findText(names, text),
      mask: letterMaskOf(text),
      forms: createForms(),
      distances: new Map(),
    }),
    wordsMax,
  );
  return {
    word,
    name: createNumberCache(
      (id: number): NameWord => ({
        id,
        text: textAt(names, id),
        forms: createForms(),
        mask: sections.nameMasks[id]!,
      }),
      namesMax,
    ),
    surname: ({ whole, core, parts }) => ({
      whole: word(whole),
      core: word(core),
      parts: parts.map(word),
    }),
  };
}

/** The distance of a row's word and a name, remembered; farApart if no comparison asks for it. */
export function distanceOf(word: RowWord, name: NameWord): number {
  if (word.id === name.id) return 0;
  const max = surnameDistanceMax(Math.min(word.text.length, name.text.length)) + beyond;
  // Most names are far apart by their letters alone.
  if (lettersApart(word.mask, name.mask) * letterCostMin > max) return farApart;
  if (name.id < 0) return formedDistance(word, name, max);
  const known = word.distances.get(name.id);
  if (known !== undefined) return known;
  const distance = formedDistance(word, name, max);
  if (word.distances.size >= distancesMax) word.distances.clear();
  word.distances.set(name.id, distance);
  return distance;
}
