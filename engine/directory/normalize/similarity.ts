// A bounded edit distance of two short texts, after cheap bounds that reject most pairs.

/** Code units of one text inside a larger array. */
export interface TextSlice {
  readonly codes: Uint16Array;
  readonly start: number;
  readonly length: number;
}

const codesMax = 64;
/** Three rows of the edit table, one place longer than the longest text. */
const tableRows = [0, 1, 2].map(() => new Uint8Array(codesMax + 2)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];

/** The set of letters of a text as 32 bits; letters other than a to z share the last six. */
export function letterMask(codes: Uint16Array, start: number, length: number): number {
  let mask = 0;
  for (let at = start; at < start + length; at++) {
    const code = codes[at]!;
    mask |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return mask;
}

export function letterMaskOf(text: string): number {
  let mask = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    mask |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return mask;
}

/** Bits set in 32 bits. */
export function countBits(bits: number): number {
  let rest = bits - ((bits >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return Math.imul((rest + (rest >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Whether two texts can be within a number of edits, by their letter sets alone: one edit adds at
 * most one letter to each side that the other lacks.
 */
export const canBeWithin = (maskA: number, maskB: number, editsMax: number): boolean =>
  countBits(maskA & ~maskB) <= editsMax && countBits(maskB & ~maskA) <= editsMax;

/** Letters that at least one of two texts has to change, by their letter sets alone. */
export function lettersApart(maskA: number, maskB: number): number {
  if (maskA === maskB) return 0;
  return Math.max(countBits(maskA & ~maskB), countBits(maskB & ~maskA));
}

/**
 * Edits (insert, delete, replace, swap of neighbours: optimal string alignment) between two texts
 * of at most 64 units; editsMax + 1 if there are more than editsMax.
 */
export function countEdits(a: TextSlice, b: TextSlice, editsMax: number): number {
  const tooMany = editsMax + 1;
  if (Math.abs(a.length - b.length) > editsMax) return tooMany;
  if (a.length > codesMax || b.length > codesMax) return tooMany;
  let [rowBefore, rowLast, rowThis] = tableRows;
  for (let column = 0; column <= b.length; column++) rowLast[column] = column;
  let previousA = -1;
  for (let row = 1; row <= a.length; row++) {
    const codeA = a.codes[a.start + row - 1]!;
    // Farther from the diagonal, there are more edits than the maximum.
    const from = Math.max(1, row - editsMax);
    const to = Math.min(b.length, row + editsMax);
    let left = from === 1 ? row : tooMany;
    let smallest = left;
    let previousB = from === 1 ? -1 : b.codes[b.start + from - 2]!;
    rowThis[from - 1] = left;
    for (let column = from; column <= to; column++) {
      const codeB = b.codes[b.start + column - 1]!;
      const substituted = rowLast[column - 1]! + (codeA === codeB ? 0 : 1);
      let edits = Math.min(rowLast[column]! + 1, left + 1, substituted);
      if (previousA === codeB && previousB === codeA)
        edits = Math.min(edits, rowBefore[column - 2]! + 1);
      rowThis[column] = edits;
      if (edits < smallest) smallest = edits;
      left = edits;
      previousB = codeB;
    }
    if (smallest > editsMax) return tooMany;
    rowThis[to + 1] = tooMany;
    previousA = codeA;
    const spare = rowBefore;
    rowBefore = rowLast;
    rowLast = rowThis;
    rowThis = spare;
  }
  return Math.min(rowLast[b.length]!, tooMany);
}

/** The weight of a word of a company's name: higher if fewer groups have it. */
export const weighWord = (holders: number, groupsCount: number): number =>
  Math.log((groupsCount + 3) / (holders + 1)) + 0.1;

const scratch = { text: '', slice: { codes: new Uint16Array(codesMax), start: 0, length: 0 } };

/** A text as code units, cut at 64, for many comparisons; valid until the next call. */
export function sliceOf(text: string): TextSlice {
  if (scratch.text === text) return scratch.slice;
  const { codes } = scratch.slice;
  scratch.text = text;
  scratch.slice.length = Math.min(text.length, codesMax);
  for (let at = 0; at < scratch.slice.length; at++) codes[at] = text.charCodeAt(at);
  return scratch.slice;
}
