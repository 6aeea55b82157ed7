// Sets of numbered members (people or companies) as bits, and the members of each value of a field:
// as a list, or as bits if those are smaller.
import { groupByOwner } from '../index/index-lists.ts';

/** Members by value. A value's entries are bits if they have the length of a whole set. */
export interface MemberLists {
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
}

/** Number of 32-bit words in a set for this number of members. */
const countWords = (membersCount: number): number => (membersCount + 31) >>> 5;

export const noMembers = (membersCount: number): Uint32Array =>
  new Uint32Array(countWords(membersCount));

export function allMembers(membersCount: number): Uint32Array {
  const bits = noMembers(membersCount).fill(0xffffffff);
  const rest = membersCount & 31;
  if (rest !== 0) bits[bits.length - 1] = 2 ** rest - 1;
  return bits;
}

export function addMember(bits: Uint32Array, member: number): void {
  bits[member >>> 5]! |= 1 << (member & 31);
}

/** The number of the member with an id, in a list of ascending ids; null if there is none. */
export function findMember(ids: Uint32Array, id: number): number | null {
  let from = 0;
  let to = ids.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ids[middle]! < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id ? from : null;
}

/** Groups distinct pairs by value. @param membersCount of all members */
export function listMembers(
  values: Uint32Array,
  members: Uint32Array,
  valuesCount: number,
  membersCount: number,
): MemberLists {
  const { starts: from, order } = groupByOwner(values, valuesCount);
  const wordsCount = countWords(membersCount);
  const starts = new Uint32Array(valuesCount + 1);
  for (let value = 0; value < valuesCount; value++)
    starts[value + 1] = starts[value]! + Math.min(wordsCount, from[value + 1]! - from[value]!);
  const entries = new Uint32Array(starts[valuesCount]!);
  for (let value = 0; value < valuesCount; value++) {
    const room = entries.subarray(starts[value]!, starts[value + 1]!);
    for (let at = from[value]!; at < from[value + 1]!; at++) {
      const member = members[order[at]!]!;
      if (room.length === wordsCount) addMember(room, member);
      else room[at - from[value]!] = member;
    }
  }
  return { starts, entries };
}

export function addMembersOf(bits: Uint32Array, { starts, entries }: MemberLists, value: number) {
  const [from, to] = [starts[value]!, starts[value + 1]!];
  if (to - from === bits.length)
    for (let at = 0; at < bits.length; at++) bits[at]! |= entries[from + at]!;
  else for (let at = from; at < to; at++) addMember(bits, entries[at]!);
}

export function keepMembers(bits: Uint32Array, others: Uint32Array): void {
  for (let at = 0; at < bits.length; at++) bits[at]! &= others[at]!;
}

export function addMembers(bits: Uint32Array, others: Uint32Array): void {
  for (let at = 0; at < bits.length; at++) bits[at]! |= others[at]!;
}

function countOnes(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function countMembers(bits: Uint32Array): number {
  let count = 0;
  for (let at = 0; at < bits.length; at++) count += countOnes(bits[at]!);
  return count;
}

/** Calls `take` with the members of a set in ascending order. */
export function eachMember(bits: Uint32Array, take: (member: number) => void): void {
  for (let at = 0; at < bits.length; at++)
    for (let word = bits[at]!; word !== 0; word &= word - 1)
      take(at * 32 + 31 - Math.clz32(word & -word));
}

/** Up to `limit` members of a set in ascending order, after the first `offset` ones. */
export function pageMembers(bits: Uint32Array, offset: number, limit: number): number[] {
  const page: number[] = [];
  let skipped = 0;
  for (let at = 0; at < bits.length && page.length < limit; at++) {
    let word = bits[at]!;
    if (word === 0) continue;
    const ones = countOnes(word);
    if (skipped + ones <= offset) {
      skipped += ones;
      continue;
    }
    for (; word !== 0 && page.length < limit; word &= word - 1)
      if (skipped++ >= offset) page.push(at * 32 + 31 - Math.clz32(word & -word));
  }
  return page;
}
