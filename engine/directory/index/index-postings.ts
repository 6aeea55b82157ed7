// Numbers by 32-bit key in typed arrays: buckets by the top bits, a tag of the others.

/**
 * Postings in an index. An entry has 32 bits if readers check the person: 8 of the key, 24 of the
 * person. It has 64 bits if the tag alone decides: a tag and the person.
 */
export interface Postings {
  /** Where each bucket begins, then the end of the last; their number is a power of two. */
  readonly offsets: Uint32Array;
  readonly entries: Uint32Array;
}

export const peopleMax = 2 ** 24 - 1;
const personMask = peopleMax;

/** Where the entries of a key's bucket begin and end. Other keys have entries there too. */
export function bucketOf({ offsets }: Postings, key: number): { from: number; to: number } {
  const bucket = key >>> (Math.clz32(offsets.length - 1) + 1);
  return { from: offsets[bucket]!, to: offsets[bucket + 1]! };
}

/** The number in a 32-bit entry, if it may be one of the key; -1 if it is of another key. */
export const numberUnder = (entry: number, key: number): number =>
  ((entry ^ (key << 24)) & ~personMask) === 0 ? entry & personMask : -1;

/** Calls `take` with everyone under a key and its tag. */
export function scanTagged(
  { offsets, entries }: Postings,
  key: number,
  tag: number,
  take: (person: number) => void,
): void {
  const bucket = key >>> (Math.clz32(offsets.length - 1) + 1);
  const to = offsets[bucket + 1]! * 2;
  for (let at = offsets[bucket]! * 2; at < to; at += 2)
    if (entries[at] === tag) take(entries[at + 1]!);
}

/** Several people. */
export const several = -2;

/** The only person under a key and its tag; -1 if there is nobody, `several` if there are more. */
export function findOnly({ offsets, entries }: Postings, key: number, tag: number): number {
  const bucket = key >>> (Math.clz32(offsets.length - 1) + 1);
  const to = offsets[bucket + 1]! * 2;
  let found = -1;
  for (let at = offsets[bucket]! * 2; at < to; at += 2)
    if (entries[at] === tag) found = found === -1 ? entries[at + 1]! : several;
  return found;
}

/** Mixes two numbers into one 32-bit key. */
function mixKey(a: number, b: number): number {
  let key = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  key = Math.imul(key ^ (key >>> 16), 0x7feb352d);
  return (key ^ (key >>> 15)) >>> 0;
}

export const companyLastKey = (group: number, last: number): number => mixKey(group, last);
export const companyFirstKey = (group: number, first: number): number =>
  mixKey(group + 0x40000000, first);
export const firstLastKey = (first: number, last: number): number =>
  mixKey(first, last + 0x20000000);

/** A list of unsigned 32-bit numbers that can grow. */
export interface NumberList {
  push(value: number): void;
  at(position: number): number;
  set(position: number, value: number): void;
  readonly length: number;
  /** The content of the list, as a view of its memory. */
  view(): Uint32Array;
}

export function createNumberList(): NumberList {
  let values = new Uint32Array(1 << 12);
  let length = 0;
  return {
    push(value) {
      if (length === values.length) {
        const larger = new Uint32Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[length++] = value;
    },
    at: (position) => values[position]!,
    set(position, value) {
      values[position] = value;
    },
    get length() {
      return length;
    },
    view: () => values.subarray(0, length),
  };
}

/** Bits of the bucket number for a number of values, so that a bucket has two to four. */
export function bucketBits(count: number): number {
  let bits = 4;
  while (bits < 24 && 2 ** (bits + 2) < count) bits++;
  return bits;
}

/** Counts the buckets into `offsets`. The result returns the position of the next value. */
function placeByBucket(offsets: Uint32Array, keys: Uint32Array): (key: number) => number {
  const buckets = offsets.length - 1;
  const shift = Math.clz32(buckets) + 1;
  for (let at = 0; at < keys.length; at++) offsets[(keys[at]! >>> shift) + 1]!++;
  for (let bucket = 0; bucket < buckets; bucket++) offsets[bucket + 1]! += offsets[bucket]!;
  const next = offsets.slice(0, buckets);
  return (key) => next[key >>> shift]!++;
}

/** Fills allocated postings of 32-bit entries. */
export function fillPacked(into: Postings, keys: Uint32Array, people: Uint32Array): void {
  const place = placeByBucket(into.offsets, keys);
  for (let at = 0; at < keys.length; at++)
    into.entries[place(keys[at]!)] = (keys[at]! << 24) | people[at]!;
}

/** Fills allocated postings of 64-bit entries. */
export function fillTagged(
  into: Postings,
  keys: Uint32Array,
  tags: Uint32Array,
  people: Uint32Array,
): void {
  const place = placeByBucket(into.offsets, keys);
  for (let at = 0; at < keys.length; at++) {
    const to = place(keys[at]!) * 2;
    into.entries[to] = tags[at]!;
    into.entries[to + 1] = people[at]!;
  }
}
