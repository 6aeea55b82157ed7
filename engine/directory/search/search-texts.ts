// Texts in ascending order in typed arrays, found by equality or by prefix.

/** Concatenated texts in a pool of code units. */
export interface TextPool {
  /** The start of each text in the pool, and the end of the last. */
  readonly starts: Uint32Array;
  readonly pool: Uint16Array;
}

export function readText({ starts, pool }: TextPool, at: number): string {
  return String.fromCharCode(...pool.subarray(starts[at]!, starts[at + 1]!));
}

export function poolTexts(texts: readonly string[]): TextPool {
  const starts = new Uint32Array(texts.length + 1);
  texts.forEach((text, at) => {
    starts[at + 1] = starts[at]! + text.length;
  });
  const pool = new Uint16Array(starts[texts.length]!);
  texts.forEach((text, at) => {
    for (let unit = 0; unit < text.length; unit++) pool[starts[at]! + unit] = text.charCodeAt(unit);
  });
  return { starts, pool };
}

/** Compares a text of the pool (or its prefix) with another: below, at or above 0. */
function compare(texts: TextPool, at: number, text: string, isPrefix: boolean): number {
  const start = texts.starts[at]!;
  const length = texts.starts[at + 1]! - start;
  for (let unit = 0; unit < text.length; unit++) {
    if (unit === length) return -1;
    const difference = texts.pool[start + unit]! - text.charCodeAt(unit);
    if (difference !== 0) return difference;
  }
  return isPrefix ? 0 : length - text.length;
}

/** The first position whose text is not less than a text; with isAfter, greater than it. */
function findEdge(texts: TextPool, text: string, isPrefix: boolean, isAfter: boolean): number {
  let from = 0;
  let to = texts.starts.length - 1;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const difference = compare(texts, middle, text, isPrefix);
    if (difference < 0 || (isAfter && difference === 0)) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * The range of positions of the texts that equal a text, or start with it: the first, and the end
 * (exclusive). The texts must be in ascending order of code units.
 */
export const findTexts = (
  texts: TextPool,
  text: string,
  isPrefix: boolean,
): readonly [from: number, to: number] => [
  findEdge(texts, text, isPrefix, false),
  findEdge(texts, text, isPrefix, true),
];
