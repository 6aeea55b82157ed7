// Texts and their numbers in typed arrays: an open-addressing hash table over a pool of code units.
import { releaseNumbers } from './index-lists.ts';

export interface Keys {
  /**
   * Two entries per slot: the text's second hash, and its number + 1 (0 if the slot is free). Both
   * hashes, at least 45 bits, identify a text, so one memory access finds it.
   */
  readonly slots: Uint32Array;
}

/** A dictionary in an index; it consists of views only. */
export interface Dictionary extends Keys {
  /** Where each text begins in the pool, then the end of the last. */
  readonly starts: Uint32Array;
  readonly pool: Uint16Array;
}

export interface KeysBuilder {
  add(text: string): number;
  /** The number of a text; -1 if it is not in the dictionary. */
  find(text: string): number;
  count(): number;
  /** The slots; the builder must not be used afterwards. */
  finish(): Keys;
}

export interface DictionaryBuilder extends KeysBuilder {
  text(id: number): string;
  /** The arrays, cut to size; the builder must not be used afterwards. */
  finish(): Dictionary;
}

export const hashSeed = 0x811c9dc5;
const hashPrime = 0x01000193;
export const checkSeed = 0x9747b28c;
const checkPrime = 0x85ebca6b;

export function finishHash(unmixed: number): number {
  let hash = Math.imul(unmixed ^ (unmixed >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** The unfinished hash of a text and one letter more. */
export const hashStep = (hash: number, code: number): number => Math.imul(hash ^ code, hashPrime);

/** The same for the other hash of a dictionary, which begins with `checkSeed`. */
export const checkStep = (check: number, code: number): number =>
  Math.imul(check ^ code, checkPrime);

/** A 32-bit hash of a text, well mixed. */
export function hashText(text: string, seed = hashSeed): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = hashStep(hash, text.charCodeAt(at));
  return finishHash(hash);
}

/** The second hash of a text, which is its tag. */
export const tagSeed = 0x9747b28c;
export const tagOf = (text: string): number => hashText(text, tagSeed);

const hashes = { first: 0, second: 0 };

/** Both hashes of a text in one pass; valid until the next call. */
export function hashTwice(text: string): Readonly<typeof hashes> {
  let first = hashSeed;
  let second = checkSeed;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = hashStep(first, code);
    second = checkStep(second, code);
  }
  hashes.first = finishHash(first);
  hashes.second = finishHash(second);
  return hashes;
}

/** The number of a text; -1 if it is not in the dictionary. */
export function findText(keys: Keys, text: string): number {
  const { first, second } = hashTwice(text);
  return findHashes(keys, first, second);
}

/** The number of the text with these hashes; -1 if it is not in the dictionary. */
export function findHashes({ slots }: Keys, first: number, second: number): number {
  const last = slots.length / 2 - 1;
  for (let slot = first & last; slots[slot * 2 + 1] !== 0; slot = (slot + 1) & last)
    if (slots[slot * 2] === second) return slots[slot * 2 + 1]! - 1;
  return -1;
}

export function textAt({ starts, pool }: Omit<Dictionary, 'slots'>, id: number): string {
  // Spread, the letters of a typed array are read by its iterator.
  return Reflect.apply(String.fromCharCode, null, pool.subarray(starts[id]!, starts[id + 1]!));
}

function lengthen<List extends Uint16Array | Uint32Array>(list: List, lengthMin: number): List {
  const Maker = list.constructor as new (length: number) => List;
  const longer = new Maker(Math.max(list.length * 2, lengthMin));
  longer.set(list);
  return longer;
}

const charactersMax = 200;
const cutText = (text: string): string =>
  text.length > charactersMax ? text.slice(0, charactersMax) : text;

/**
 * Creates a builder without texts. A text is known by both of its hashes, 64 bits: of a hundred
 * thousand directories with five million texts each, about one takes two texts for one.
 */
export function createKeysBuilder(): KeysBuilder {
  let slots = new Uint32Array(1 << 15);
  // The first hash of each text, which gives its place when the slots grow.
  let firsts = new Uint32Array(1 << 13);
  let count = 0;
  const seekFree = (table: Uint32Array, first: number): number => {
    const last = table.length / 2 - 1;
    let slot = first & last;
    while (table[slot * 2 + 1] !== 0) slot = (slot + 1) & last;
    return slot * 2;
  };
  const grow = (): void => {
    const wider = new Uint32Array(slots.length * 2);
    for (let from = 0; from < slots.length; from += 2) {
      const entry = slots[from + 1]!;
      if (entry === 0) continue;
      const to = seekFree(wider, firsts[entry - 1]!);
      wider[to] = slots[from]!;
      wider[to + 1] = entry;
    }
    slots = wider;
  };
  return {
    add(text) {
      if (count === firsts.length) firsts = lengthen(firsts, 0);
      if ((count + 1) * 3 > slots.length) grow();
      const { first, second } = hashTwice(cutText(text));
      const last = slots.length / 2 - 1;
      let slot = first & last;
      for (; slots[slot * 2 + 1] !== 0; slot = (slot + 1) & last) {
        const id = slots[slot * 2 + 1]! - 1;
        if (slots[slot * 2] === second && firsts[id] === first) return id;
      }
      slots[slot * 2] = second;
      slots[slot * 2 + 1] = count + 1;
      firsts[count] = first;
      return count++;
    },
    find: (text) => findText({ slots }, cutText(text)),
    count: () => count,
    finish() {
      releaseNumbers(firsts);
      return { slots };
    },
  };
}

export function createDictionaryBuilder(): DictionaryBuilder {
  const keys = createKeysBuilder();
  let starts = new Uint32Array(1 << 13);
  let pool = new Uint16Array(1 << 16);
  let used = 0;
  return {
    add(given) {
      const before = keys.count();
      const id = keys.add(given);
      if (id < before) return id;
      const text = cutText(given);
      if (id + 2 > starts.length) starts = lengthen(starts, 0);
      if (used + text.length > pool.length) pool = lengthen(pool, used + text.length);
      for (let at = 0; at < text.length; at++) pool[used + at] = text.charCodeAt(at);
      used += text.length;
      starts[id + 1] = used;
      return id;
    },
    find: keys.find,
    text: (id) => textAt({ starts, pool }, id),
    count: keys.count,
    finish: () => ({
      ...keys.finish(),
      starts: starts.slice(0, keys.count() + 1),
      pool: pool.slice(0, used),
    }),
  };
}
