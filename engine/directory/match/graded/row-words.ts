// Words of rows against the names of an index; the words of a list repeat, and so do the answers.
import { createBoundedCache, createNumberCache } from '../../../platform/bounded-cache.ts';
import { type Dictionary, findText, textAt } from '../../index/index-dictionary.ts';
import type { MatchIndex } from '../../index/index-layout.ts';
import { numberOfName } from '../../names/name-frequencies.ts';
import type { SurnameKey } from '../../normalize/messy/name-parts.ts';
import {
  type CodedWords,
  createForms,
  type FormedWord,
  farApart,
  formedDistance,
  letterCostMin,
  phoneticHashOf,
  readingHashOf,
  soundHashOf,
} from '../../normalize/messy/weighted-distance.ts';
import { letterMaskOf, lettersApart } from '../../normalize/similarity.ts';

export interface RowWord extends FormedWord {
  /** Number in the dictionary, -1 if it is not there. */
  readonly id: number;
  /** Number in the table of name frequencies, -1 if it is not there. */
  readonly known: number;
  /** Distances to words of the dictionary that were asked for, by number; null before. */
  distances: Map<number, number> | null;
}

export interface NameWord extends FormedWord {
  readonly id: number;
}

export interface PersonWord extends NameWord {
  /** Number in the table of name frequencies, -1 if it is not there. */
  readonly known: number;
}

export interface RowSurname {
  readonly whole: RowWord;
  readonly core: RowWord;
  readonly parts: readonly RowWord[];
}

/** A dictionary's words with the hashes of their forms, which are derived when first asked for. */
export function createCodedWords(
  { starts, pool }: Pick<Dictionary, 'starts' | 'pool'>,
  masks: Int32Array,
  word: (id: number) => FormedWord,
): CodedWords {
  const remember = (hashOf: (word: FormedWord) => number): ((id: number) => number) => {
    const hashes = new Uint32Array(starts.length);
    return (id) => {
      const known = hashes[id]!;
      if (known !== 0) return known;
      const hash = hashOf(word(id));
      hashes[id] = hash;
      return hash;
    };
  };
  return {
    starts,
    pool,
    masks,
    word,
    readingHash: remember(readingHashOf),
    soundHash: remember(soundHashOf),
    phoneticHash: remember(phoneticHashOf),
  };
}

export interface Vocabulary {
  /** A folded word as a row has it. */
  word(text: string): RowWord;
  /** A name of the dictionary. */
  name(id: number): PersonWord;
  readonly coded: CodedWords;
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
      known: numberOfName(text),
      mask: letterMaskOf(text),
      forms: createForms(),
      distances: null,
    }),
    wordsMax,
  );
  const name = createNumberCache((id: number): PersonWord => {
    const text = textAt(names, id);
    return {
      id,
      text,
      known: numberOfName(text),
      forms: createForms(),
      mask: sections.nameMasks[id]!,
    };
  }, namesMax);
  return {
    word,
    name,
    coded: createCodedWords(names, sections.nameMasks, name),
    surname: ({ whole, core, parts }) => ({
      whole: word(whole),
      core: word(core),
      parts: parts.map(word),
    }),
  };
}

/** The largest distance that any comparison asks for, by the letters of a word and of a name. */
export const askedDistanceMax = (word: number, name: number): number =>
  surnameDistanceMax(Math.min(word, name)) + beyond;

/** The distance of a row's word and a name, remembered; farApart if no comparison asks for it. */
export function distanceOf(word: RowWord, name: NameWord): number {
  if (word.id === name.id) return 0;
  const max = askedDistanceMax(word.text.length, name.text.length);
  // Most names are far apart by their letters alone.
  if (lettersApart(word.mask, name.mask) * letterCostMin > max) return farApart;
  if (name.id < 0) return formedDistance(word, name, max);
  word.distances ??= new Map();
  const { distances } = word;
  const known = distances.get(name.id);
  if (known !== undefined) return known;
  const distance = formedDistance(word, name, max);
  if (distances.size >= distancesMax) distances.clear();
  distances.set(name.id, distance);
  return distance;
}
