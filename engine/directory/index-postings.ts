/**
 * Lists of numbers by 32-bit key in typed arrays: buckets by the key's top bits, a tag of the rest
 * beside each value.
 */

/**
 * Postings as they stand in an index. Tags are 16 bits where a reader checks the value itself, 32
 * where not.
 */
export interface Postings<Tag extends Uint16Array | Uint32Array = Uint16Array | Uint32Array> {
  /** Where each bucket begins, and one end behind the last; their number is a power of two. */
  readonly offsets: Uint32Array;
  readonly tags: Tag;
  readonly values: Uint32Array;
}

/** Mixes two numbers into one 32-bit key. */
function mixKey(a: number, b: number): number {
  let key = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x7f4a7c15, 0xc2b2ae35);
  key = Math.imul(key ^ (key >>> 16), 0x7feb352d);
  return (key ^ (key >>> 15)) >>> 0;
}

/** Key of the people of an employer and a last name. */
export const companyLastKey = (group: number, last: number): number => mixKey(group, last);
/** Key of the people of an employer and a first name. */
export const companyFirstKey = (group: number, first: number): number =>
  mixKey(group + 0x40000000, first);
/** Key of the people of a first and a last name. */
export const firstLastKey = (first: number, last: number): number =>
  mixKey(first, last + 0x20000000);

/** A growing list of unsigned 32-bit numbers. */
export interface NumberList {
  push(value: number): void;
  at(position: number): number;
  set(position: number, value: number): void;
  readonly length: number;
  /** What was pushed; a view of the list's own memory. */
  view(): Uint32Array;
}

/** An empty list. */
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

/** Bits of the bucket number for a number of values: about two values in a bucket. */
export function bucketBits(count: number): number {
  let bits = 4;
  while (bits < 24 && 2 ** (bits + 1) < count) bits++;
  return bits;
}

/**
 * Fills postings that have been given room.
 * @param keys key of each value; its top bits are the bucket
 * @param tags tag of each value, beside its key
 */
export function fillPostings(
  into: Postings,
  keys: Uint32Array,
  tags: Uint32Array,
  values: Uint32Array,
): void {
  const buckets = into.offsets.length - 1;
  const shift = 32 - Math.log2(buckets);
  for (let at = 0; at < keys.length; at++) into.offsets[(keys[at]! >>> shift) + 1]!++;
  for (let bucket = 0; bucket < buckets; bucket++)
    into.offsets[bucket + 1]! += into.offsets[bucket]!;
  const next = into.offsets.slice(0, buckets);
  for (let at = 0; at < keys.length; at++) {
    const to = next[keys[at]! >>> shift]!++;
    into.tags[to] = tags[at]!;
    into.values[to] = values[at]!;
  }
}
