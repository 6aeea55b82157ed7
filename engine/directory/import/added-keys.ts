// The set of keys of the records that an import has added. Other keys need no lookup.

/** A set of texts. False positives occur once in billions. */
export interface AddedKeys {
  mayHold(key: string): boolean;
  add(key: string): void;
}

const filledMost = 0.6;

/** An open-addressing hash table with 64 bits of each key, about 17 MB for a million. */
export function createAddedKeys(): AddedKeys {
  let slots = new Uint32Array(1 << 17);
  let count = 0;
  const print = new Uint32Array(2);

  /** Computes the fingerprint of a key in `print`: two hashes, the first never 0. */
  function take(key: string): void {
    let [one, other] = [0x811c9dc5, 0x9e3779b9];
    for (let at = 0; at < key.length; at++) {
      const code = key.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      other = Math.imul(other ^ code, 0x5bd1e995);
      other ^= other >>> 15;
    }
    print[0] = one || 1;
    print[1] = other;
  }

  /** The slot of a fingerprint, or the free slot for it. */
  function seek(table: Uint32Array, one: number, other: number): number {
    const mask = table.length / 2 - 1;
    let slot = (one ^ (other << 7)) & mask;
    while (table[slot * 2] !== 0 && (table[slot * 2] !== one || table[slot * 2 + 1] !== other))
      slot = (slot + 1) & mask;
    return slot * 2;
  }

  function put(table: Uint32Array, one: number, other: number): boolean {
    const at = seek(table, one, other);
    if (table[at] !== 0) return false;
    table[at] = one;
    table[at + 1] = other;
    return true;
  }

  function grow(): void {
    const wider = new Uint32Array(slots.length * 2);
    for (let at = 0; at < slots.length; at += 2)
      if (slots[at] !== 0) put(wider, slots[at] ?? 0, slots[at + 1] ?? 0);
    slots = wider;
  }

  return {
    mayHold(key) {
      take(key);
      return slots[seek(slots, print[0] ?? 0, print[1] ?? 0)] !== 0;
    },
    add(key) {
      take(key);
      if (put(slots, print[0] ?? 0, print[1] ?? 0)) count++;
      if (count > (slots.length / 2) * filledMost) grow();
    },
  };
}
