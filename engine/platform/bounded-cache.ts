/** Remembers what a pure function answered, within a bound: lists repeat the same words. */

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
    newer.set(key, value);
    return value;
  };
}
