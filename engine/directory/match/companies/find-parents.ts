/**
 * Finds words with which many names begin and which name a parent: "Chicago Public Schools" before
 * a school.
 */
import type { MatchIndex } from '../../index/index-layout.ts';

const wordsOfParent = { min: 2, max: 4 } as const;
/** Least number of names that begin with the words of a parent. */
const sitesMin = 4;
const slotBits = 20;

const mix = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
};

/** Counts the words at the beginning of a name that name a parent; 0 if none do. */
export function createParentFinder({ sections }: MatchIndex) {
  const { orgEntryStarts, orgEntryWords, orgEntryGroups } = sections;
  // Counts by hash. Two runs of words rarely share a slot, which then costs an unnecessary
  // comparison.
  const counts = new Uint8Array(2 ** slotBits);
  const slotOf = (hash: number): number => hash >>> (32 - slotBits);
  for (let entry = 0; entry < orgEntryGroups.length; entry++) {
    const from = orgEntryStarts[entry]!;
    const to = Math.min(orgEntryStarts[entry + 1]!, from + wordsOfParent.max);
    let hash = 1;
    for (let at = from; at < to; at++) {
      hash = mix(hash, orgEntryWords[at]!);
      const slot = slotOf(hash);
      if (at - from + 1 >= wordsOfParent.min && counts[slot]! < 255) counts[slot]!++;
    }
  }
  return (words: readonly { readonly id: number }[]): number => {
    let found = 0;
    let hash = 1;
    const most = Math.min(words.length - 1, wordsOfParent.max);
    for (let at = 0; at < most; at++) {
      if (words[at]!.id < 0) break;
      hash = mix(hash, words[at]!.id);
      if (at + 1 >= wordsOfParent.min && counts[slotOf(hash)]! >= sitesMin) found = at + 1;
    }
    return found;
  };
}
