/**
 * Numbers pairs of whole numbers in the order in which they are added. A Map would need a text or a
 * large number as its key, and an object for each entry: most time of a batch was spent on that.
 */

/** A table of pairs. */
export interface PairTable {
  readonly count: number;
  /** The number of a pair; -1 if it was not added. */
  find(one: number, other: number): number;
  /** Adds a pair that is not there. Returns its number. */
  add(one: number, other: number): number;
}

const hashOf = (one: number, other: number): number => {
  const mixed = Math.imul(one, 0x9e3779b1) ^ Math.imul(other, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
};

const grow = (numbers: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const grown = new Int32Array(length);
  grown.set(numbers);
  return grown;
};

/**
 * Creates an empty table of pairs of numbers of 32 bits.
 * @param room entries before it grows, a power of two
 */
export function createPairTable(room = 1 << 10): PairTable {
  let ones = new Int32Array(room);
  let others = new Int32Array(room);
  /** Number + 1 of the pair of a slot; 0 for a free one. At most half of the slots are taken. */
  let slots = new Int32Array(room * 2);
  let count = 0;
  const put = (number: number): void => {
    const mask = slots.length - 1;
    let slot = hashOf(ones[number]!, others[number]!) & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = number + 1;
  };
  const makeRoom = (): void => {
    ones = grow(ones, count * 2);
    others = grow(others, count * 2);
    slots = new Int32Array(count * 4);
    for (let number = 0; number < count; number++) put(number);
  };
  return {
    get count() {
      return count;
    },
    find(one, other) {
      const mask = slots.length - 1;
      for (let slot = hashOf(one, other) & mask; ; slot = (slot + 1) & mask) {
        const number = slots[slot]! - 1;
        if (number < 0) return -1;
        if (ones[number] === (one | 0) && others[number] === (other | 0)) return number;
      }
    },
    add(one, other) {
      if (count === ones.length) makeRoom();
      ones[count] = one;
      others[count] = other;
      put(count);
      return count++;
    },
  };
}
