// Remembers what a pure function answered, within a bound: lists repeat the same words.
import { copyText } from './copy-text.ts';

/**
 * The function with a memory of its own. Two generations of entries: when the newer one is full, it
 * becomes the older one, and entries that are asked for again move up.
 * @param entriesMax entries of each generation
 */
export function createBoundedCache<Key, Value>(
  compute: (key: Key) => Value,
  entriesMax: number,
): (key: Key) => Value {
  let newer = new Map<Key, Value>();
  let older = new Map<Key, Value>();
  return (key) => {
    const known = newer.get(key);
    if (known !== undefined) return known;
    const value = older.get(key) ?? compute(key);
    if (newer.size >= entriesMax) {
      older = newer;
      newer = new Map();
    }
    // A word of a list is a piece of the text of its batch.
    newer.set(typeof key === 'string' ? (copyText(key) as Key) : key, value);
    return value;
  };
}

/**
 * The same for a function of whole numbers from 0: one look at an array instead of a hash table. An
 * entry is replaced by the next number that has its slot.
 * @param slotsCount a power of two
 */
export function createNumberCache<Value>(
  compute: (key: number) => Value,
  slotsCount: number,
): (key: number) => Value {
  const keys = new Int32Array(slotsCount).fill(-1);
  // Filled at once: an array that grows at random places becomes a hash table.
  const values = new Array<Value | undefined>(slotsCount).fill(undefined);
  return (key) => {
    const slot = key & (slotsCount - 1);
    if (keys[slot] === key) return values[slot] as Value;
    const value = compute(key);
    keys[slot] = key;
    values[slot] = value;
    return value;
  };
}
