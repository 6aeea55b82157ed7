// The first rows of texts, such as ids of people: a hash table with 16 bytes a slot that keeps no
// text. Texts with the same 96 bits are taken for one, which among a million texts has a
// probability of one in 10^15.

export interface FirstRows {
  /** The rows that were added for a text, in any order. */
  find(text: string): number[];
  add(text: string, rowIndex: number): void;
}

const slotsMin = 1_024;
/** Free slots keep the searches short. */
const loadMax = 2 / 3;
/** Numbers of a slot: three of the hash, and the row + 1; 0 if the slot is free. */
const slotWidth = 4;

export function createFirstRows(): FirstRows {
  let slots = new Int32Array(slotsMin * slotWidth);
  let count = 0;
  const hash = new Int32Array(3);
  const setHash = (text: string) => {
    let one = 0x811c9dc5;
    let two = 0x1b873593;
    let three = 0x2545f491;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 0x01000193);
      two = Math.imul(two ^ code, 0x85ebca6b);
      three = Math.imul(three ^ code, 0x9e3779b1);
    }
    hash[0] = one;
    hash[1] = two;
    hash[2] = three;
  };
  // The number of slots is a power of two.
  const firstSlot = () => ((hash[0] as number) * slotWidth) & (slots.length - 1);
  const nextSlot = (at: number) => (at + slotWidth) & (slots.length - 1);
  const put = (row: number) => {
    let at = firstSlot();
    while (slots[at + 3] !== 0) at = nextSlot(at);
    slots.set(hash, at);
    slots[at + 3] = row;
  };
  const grow = () => {
    const old = slots;
    slots = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += slotWidth) {
      const row = old[at + 3] as number;
      if (row === 0) continue;
      hash.set(old.subarray(at, at + 3));
      put(row);
    }
  };
  return {
    find(text) {
      setHash(text);
      const [one, two, three] = [hash[0], hash[1], hash[2]];
      const found: number[] = [];
      for (let at = firstSlot(); slots[at + 3] !== 0; at = nextSlot(at))
        if (slots[at] === one && slots[at + 1] === two && slots[at + 2] === three)
          found.push((slots[at + 3] as number) - 1);
      return found;
    },
    add(text, rowIndex) {
      count += 1;
      if (count * slotWidth > slots.length * loadMax) grow();
      setHash(text);
      put(rowIndex + 1);
    },
  };
}
