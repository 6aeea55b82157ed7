// Plain comparisons of names, for labels that do not depend on the product's matcher.

const marks = /[\u0300-\u036f]/g;

/** Lower case, without Latin accents, every run of other signs as one space. */
export const foldWords = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .replace(/['’`.]/g, '')
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The same without spaces: O'Brien, OBrien and O Brien are equal. */
export const foldJoined = (text: string): string => foldWords(text).replaceAll(' ', '');

/** First letter in upper case. */
export const capitalize = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/**
 * Insertions, deletions, replacements and swaps of neighbours between two texts; `limit` + 1 if
 * there are more than `limit`.
 */
export function countEdits(one: string, two: string, limit: number): number {
  if (one === two) return 0;
  if (Math.abs(one.length - two.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: two.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= two.length; column++) {
      const isSame = one[row - 1] === two[column - 1];
      let edits = Math.min(last[column]! + 1, next[column - 1]! + 1, last[column - 1]! + +!isSame);
      const isSwap = one[row - 1] === two[column - 2] && one[row - 2] === two[column - 1];
      if (row > 1 && column > 1 && isSwap) edits = Math.min(edits, before[column - 2]! + 1);
      next.push(edits);
      if (edits < least) least = edits;
    }
    if (least > limit) return limit + 1;
    [before, last] = [last, next];
  }
  return Math.min(last[two.length]!, limit + 1);
}

const tripleSets = new Map<string, ReadonlySet<string>>();
const tripleSetsMax = 100_000;

/** The trigrams of a text, cached for the next comparison. */
function triplesOf(text: string): ReadonlySet<string> {
  const known = tripleSets.get(text);
  if (known) return known;
  const padded = `  ${foldWords(text)} `;
  const triples = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at++) triples.add(padded.slice(at, at + 3));
  if (tripleSets.size >= tripleSetsMax) tripleSets.clear();
  tripleSets.set(text, triples);
  return triples;
}

/** Share of trigrams that two texts have in common, 0 to 1 (Dice). */
export function shareTriples(one: string, two: string): number {
  const [ofOne, ofTwo] = [triplesOf(one), triplesOf(two)];
  let both = 0;
  for (const triple of ofOne) if (ofTwo.has(triple)) both++;
  return (2 * both) / (ofOne.size + ofTwo.size);
}

/** A whole number of 32 bits that depends on the text alone (FNV-1a, mixed). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
