/**
 * Texts and their numbers in typed arrays: an open-addressing hash table over a pool of code units.
 */

/** A dictionary in an index; it consists of views only. */
export interface Dictionary {
  /**
   * Two entries per slot: the text's second hash, and its number + 1 (0 if the slot is free). Both
   * hashes, at least 45 bits, identify a text, so one memory access finds it.
   */
  readonly slots: Uint32Array;
  /** Where each text begins in the pool, then the end of the last. */
  readonly starts: Uint32Array;
  readonly pool: Uint16Array;
}

/** A dictionary that can grow. */
export interface DictionaryBuilder {
  /** The number of a text, which is added if it is new. */
  add(text: string): number;
  /** The number of a text; -1 if it is not in the dictionary. */
  find(text: string): number;
  /** The text of a number. */
  text(id: number): string;
  count(): number;
  /** The arrays, cut to size; the builder must not be used afterwards. */
  finish(): Dictionary;
}

const hashSeed = 0x811c9dc5;
const hashPrime = 0x01000193;
const checkSeed = 0x9747b28c;
const checkPrime = 0x85ebca6b;

function finishHash(unmixed: number): number {
  let hash = Math.imul(unmixed ^ (unmixed >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A 32-bit hash of a text, well mixed. */
export function hashText(text: string, seed = hashSeed): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return finishHash(hash);
}

function isTextAt(dictionary: Dictionary, id: number, text: string): boolean {
  const start = dictionary.starts[id]!;
  if (dictionary.starts[id + 1]! - start !== text.length) return false;
  for (let at = 0; at < text.length; at++)
    if (dictionary.pool[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

const hashes = { first: 0, second: 0 };

/** Both hashes of a text in one pass; valid until the next call. */
function hashTwice(text: string): typeof hashes {
  let first = hashSeed;
  let second = checkSeed;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    first = Math.imul(first ^ code, hashPrime);
    second = Math.imul(second ^ code, checkPrime);
  }
  hashes.first = finishHash(first);
  hashes.second = finishHash(second);
  return hashes;
}

/** The number of a text; -1 if it is not in the dictionary. */
export function findText({ slots }: Dictionary, text: string): number {
  const { first, second } = hashTwice(text);
  const last = slots.length / 2 - 1;
  for (let slot = first & last; slots[slot * 2 + 1] !== 0; slot = (slot + 1) & last)
    if (slots[slot * 2] === second) return slots[slot * 2 + 1]! - 1;
  return -1;
}

/** The text of a number. */
export function textAt({ starts, pool }: Omit<Dictionary, 'slots'>, id: number): string {
  return String.fromCharCode(...pool.subarray(starts[id]!, starts[id + 1]!));
}

/** The first hash of a text in the pool. */
function hashPooled(dictionary: Dictionary, id: number): number {
  let hash = hashSeed;
  for (let at = dictionary.starts[id]!; at < dictionary.starts[id + 1]!; at++)
    hash = Math.imul(hash ^ dictionary.pool[at]!, hashPrime);
  return finishHash(hash);
}

/** Doubles the slots and inserts every text again. */
function growSlots(dictionary: Dictionary): Uint32Array<ArrayBuffer> {
  const slots = new Uint32Array(dictionary.slots.length * 2);
  const last = slots.length / 2 - 1;
  for (let from = 0; from < dictionary.slots.length; from += 2) {
    const entry = dictionary.slots[from + 1]!;
    if (entry === 0) continue;
    let slot = hashPooled(dictionary, entry - 1) & last;
    while (slots[slot * 2 + 1] !== 0) slot = (slot + 1) & last;
    slots[slot * 2] = dictionary.slots[from]!;
    slots[slot * 2 + 1] = entry;
  }
  return slots;
}

const charactersMax = 200;

/** Creates an empty dictionary. */
export function createDictionaryBuilder(): DictionaryBuilder {
  const state = {
    slots: new Uint32Array(1 << 15),
    starts: new Uint32Array(1 << 13),
    pool: new Uint16Array(1 << 16),
  };
  let count = 0;
  let used = 0;
  const grow = (length: number): void => {
    if (count + 2 > state.starts.length) {
      const starts = new Uint32Array(state.starts.length * 2);
      starts.set(state.starts);
      state.starts = starts;
    }
    if (used + length > state.pool.length) {
      const pool = new Uint16Array(Math.max(state.pool.length * 2, used + length));
      pool.set(state.pool);
      state.pool = pool;
    }
    if ((count + 1) * 3 > state.slots.length) state.slots = growSlots(state);
  };
  return {
    add(given) {
      const text = given.length > charactersMax ? given.slice(0, charactersMax) : given;
      grow(text.length);
      const { first, second } = hashTwice(text);
      const last = state.slots.length / 2 - 1;
      let slot = first & last;
      for (; state.slots[slot * 2 + 1] !== 0; slot = (slot + 1) & last) {
        const id = state.slots[slot * 2 + 1]! - 1;
        if (state.slots[slot * 2] === second && isTextAt(state, id, text)) return id;
      }
      for (let at = 0; at < text.length; at++) state.pool[used + at] = text.charCodeAt(at);
      used += text.length;
      state.slots[slot * 2] = second;
      state.slots[slot * 2 + 1] = count + 1;
      state.starts[count + 1] = used;
      return count++;
    },
    find: (text) => findText(state, text.slice(0, charactersMax)),
    text: (id) => textAt(state, id),
    count: () => count,
    finish: () => ({
      slots: state.slots,
      starts: state.starts.slice(0, count + 1),
      pool: state.pool.slice(0, used),
    }),
  };
}
