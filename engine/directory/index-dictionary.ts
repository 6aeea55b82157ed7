/**
 * Texts and their numbers in typed arrays: an open-addressing hash table over a pool of code units.
 */

/** A dictionary as it stands in an index: nothing but views. */
export interface Dictionary {
  /** Number + 1 of the text in each slot (24 bits) and 8 bits of its hash above; 0 where free. */
  readonly slots: Int32Array;
  /** Where each text begins in the pool, and one end behind the last. */
  readonly starts: Uint32Array;
  readonly pool: Uint16Array;
}

/** A dictionary that grows. */
export interface DictionaryBuilder {
  /** The number of a text, new where it was not known. */
  add(text: string): number;
  /** The number of a text, -1 where it is not known. */
  find(text: string): number;
  count(): number;
  /** The arrays cut to size; the builder must not be used afterwards. */
  finish(): Dictionary;
}

const hashSeed = 0x811c9dc5;
const hashPrime = 0x01000193;

function finishHash(unmixed: number): number {
  let hash = Math.imul(unmixed ^ (unmixed >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** A well-mixed 32-bit hash of a text. */
export function hashText(text: string, seed = hashSeed): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return finishHash(hash);
}

const idBits = 24;
const idMask = 2 ** idBits - 1;
const packSlot = (hash: number, id: number): number => (hash & ~idMask) | (id + 1);

function isTextAt(dictionary: Dictionary, id: number, text: string): boolean {
  const start = dictionary.starts[id]!;
  if (dictionary.starts[id + 1]! - start !== text.length) return false;
  for (let at = 0; at < text.length; at++)
    if (dictionary.pool[start + at] !== text.charCodeAt(at)) return false;
  return true;
}

/** The number of a text, -1 where the dictionary has it not. */
export function findText(dictionary: Dictionary, text: string): number {
  const hash = hashText(text);
  const last = dictionary.slots.length - 1;
  let slot = hash & last;
  for (let entry = dictionary.slots[slot]!; entry !== 0; entry = dictionary.slots[slot]!) {
    const id = (entry & idMask) - 1;
    // The hash's upper bits spare most looks at texts that only share the slot.
    if ((entry ^ hash) >>> idBits === 0 && isTextAt(dictionary, id, text)) return id;
    slot = (slot + 1) & last;
  }
  return -1;
}

/** The hash of a text that stands in the pool. */
function hashPooled(dictionary: Dictionary, id: number): number {
  let hash = hashSeed;
  for (let at = dictionary.starts[id]!; at < dictionary.starts[id + 1]!; at++)
    hash = Math.imul(hash ^ dictionary.pool[at]!, hashPrime);
  return finishHash(hash);
}

function rehash(dictionary: Dictionary, count: number, slots: Int32Array): void {
  const last = slots.length - 1;
  for (let id = 0; id < count; id++) {
    const hash = hashPooled(dictionary, id);
    let slot = hash & last;
    while (slots[slot] !== 0) slot = (slot + 1) & last;
    slots[slot] = packSlot(hash, id);
  }
}

/** An empty dictionary. */
export function createDictionaryBuilder(): DictionaryBuilder {
  const state = {
    slots: new Int32Array(1 << 14),
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
    if ((count + 1) * 1.5 > state.slots.length) {
      state.slots = new Int32Array(state.slots.length * 2);
      rehash(state, count, state.slots);
    }
  };
  return {
    add(given) {
      const text = given.length > 200 ? given.slice(0, 200) : given;
      grow(text.length);
      const hash = hashText(text);
      const last = state.slots.length - 1;
      let slot = hash & last;
      for (let entry = state.slots[slot]!; entry !== 0; entry = state.slots[slot]!) {
        const id = (entry & idMask) - 1;
        if ((entry ^ hash) >>> idBits === 0 && isTextAt(state, id, text)) return id;
        slot = (slot + 1) & last;
      }
      for (let at = 0; at < text.length; at++) state.pool[used + at] = text.charCodeAt(at);
      used += text.length;
      state.slots[slot] = packSlot(hash, count);
      state.starts[count + 1] = used;
      return count++;
    },
    find: (text) => findText(state, text.length > 200 ? text.slice(0, 200) : text),
    count: () => count,
    finish: () => ({
      slots: state.slots,
      starts: state.starts.slice(0, count + 1),
      pool: state.pool.slice(0, used),
    }),
  };
}
