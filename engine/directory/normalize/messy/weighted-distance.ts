/**
 * How far two words are apart in typing errors: a doubled letter, a neighbouring key or a vowel
 * costs less than another letter, and a reading error or a transliteration costs less than its
 * letters.
 */

import { createBoundedCache } from '../../../platform/bounded-cache.ts';
import { phoneticKey } from './phonetic-key.ts';

/** What a distance above the maximum is given as. */
export const farApart = 99;

/** The least that a letter costs which the other word has not. */
export const letterCostMin = 0.75;
const costs = { doubled: 0.55, vowel: 0.85, likeLetter: 0.75, swapped: 0.75 } as const;
const lettersMax = 70;
const keyRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const nearKeys = 1.3;
const keyRowShift = 0.4;
/** Pairs that readers, ears and keyboards mistake for each other. */
const likePairs =
  '0o 1l 1i 5s 8b il ij uv vw nm ce 6g 9g 2z 3e 4a ck cs sz yi fv dt bp gj qk ' +
  'ae ei ao ou ie iu eo au';

/** 1 for each pair of character codes that are mistaken for each other. */
function listLikeLetters(): Uint8Array {
  const like = new Uint8Array(65_536);
  const add = (a: string, b: string): void => {
    like[(a.charCodeAt(0) << 8) | b.charCodeAt(0)] = 1;
    like[(b.charCodeAt(0) << 8) | a.charCodeAt(0)] = 1;
  };
  const keys = keyRows.flatMap((row, y) =>
    [...row].map((letter, x) => ({ letter, x: x + y * keyRowShift, y })),
  );
  for (const a of keys)
    for (const b of keys)
      if (a !== b && Math.hypot(a.x - b.x, a.y - b.y) < nearKeys) add(a.letter, b.letter);
  for (const pair of likePairs.split(' ')) add(pair[0]!, pair[1]!);
  return like;
}

const likeLetters = listLikeLetters();
const vowels = new Uint8Array(256);
for (const letter of 'aeiouy') vowels[letter.charCodeAt(0)] = 1;

const isLike = (a: number, b: number): boolean =>
  a < 256 && b < 256 && likeLetters[(a << 8) | b] === 1;
/** The cost of a letter that is in one word alone, behind the letter before it. */
const costOfExtra = (code: number, before: number): number =>
  code === before ? costs.doubled : code < 256 && vowels[code] === 1 ? costs.vowel : 1;

let rowBefore = new Float64Array(lettersMax + 10);
let rowLast = new Float64Array(lettersMax + 10);
let rowThis = new Float64Array(lettersMax + 10);

/** One row of the table; answers its smallest entry. */
function fillRow(a: string, b: string, row: number): number {
  const codeA = a.charCodeAt(row - 1);
  const previousA = row > 1 ? a.charCodeAt(row - 2) : -1;
  const extraA = costOfExtra(codeA, previousA);
  rowThis[0] = row;
  let smallest = row;
  let previousB = -1;
  for (let column = 1; column <= b.length; column++) {
    const codeB = b.charCodeAt(column - 1);
    let cost = rowLast[column - 1]!;
    if (codeA !== codeB) cost += isLike(codeA, codeB) ? costs.likeLetter : 1;
    const withoutA = rowLast[column]! + extraA;
    if (withoutA < cost) cost = withoutA;
    const withoutB = rowThis[column - 1]! + costOfExtra(codeB, previousB);
    if (withoutB < cost) cost = withoutB;
    if (codeA === previousB && previousA === codeB && codeA !== codeB) {
      const swapped = rowBefore[column - 2]! + costs.swapped;
      if (swapped < cost) cost = swapped;
    }
    rowThis[column] = cost;
    if (cost < smallest) smallest = cost;
    previousB = codeB;
  }
  return smallest;
}

/** The weighted distance of two words as they are written; farApart if it exceeds the maximum. */
export function typingDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (a.length > lettersMax || b.length > lettersMax) return farApart;
  if (Math.abs(a.length - b.length) * costs.doubled > max) return farApart;
  for (let column = 0; column <= b.length; column++) rowLast[column] = column;
  for (let row = 1; row <= a.length; row++) {
    if (fillRow(a, b, row) > max) return farApart;
    [rowBefore, rowLast, rowThis] = [rowLast, rowThis, rowBefore];
  }
  const distance = rowLast[b.length]!;
  return distance > max ? farApart : distance;
}

const readingErrors: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/cl/g, 'd'],
  [/vv/g, 'w'],
  [/[1i!|]/g, 'l'],
  [/0/g, 'o'],
  [/5/g, 's'],
  [/8/g, 'b'],
  [/6/g, 'g'],
  [/2/g, 'z'],
  [/ll/g, 'l'],
];
const transliterations: readonly (readonly [RegExp, string])[] = [
  [/ue/g, 'u'],
  [/oe/g, 'o'],
  [/ae|aa/g, 'a'],
  [/ou/g, 'u'],
  [/ph/g, 'f'],
  [/kh/g, 'h'],
  [/w/g, 'v'],
  [/ij|iy|yi/g, 'i'],
  [/[yj]/g, 'i'],
  [/ck|c|q/g, 'k'],
  [/di|zh/g, 'i'],
  [/sz|sch/g, 'sh'],
  [/x/g, 'ks'],
  [/(.)\1+/g, '$1'],
];

const rewrite = (text: string, rules: readonly (readonly [RegExp, string])[]): string =>
  rules.reduce((written, [pattern, replacement]) => written.replace(pattern, replacement), text);

const cachedMax = 50_000;
const readingForms = createBoundedCache((word: string) => rewrite(word, readingErrors), cachedMax);
const soundForms = createBoundedCache((word: string) => rewrite(word, transliterations), cachedMax);
/** phoneticKey, remembered. */
export const phoneticKeyOf = createBoundedCache(phoneticKey, cachedMax);

const sameReading = 0.6;
const sameTransliteration = 0.7;
const lettersForReading = 3;
const lettersForSound = 4;

/**
 * The distance of two words: as written, or less where a misread letter, a transliteration or the
 * sound explains the difference. farApart if it exceeds the maximum.
 */
export function wordDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  const written = typingDistance(a, b, max);
  const shorter = Math.min(a.length, b.length);
  if (written === farApart && Math.abs(a.length - b.length) > 3) return farApart;
  if (written <= 0.45 || shorter < lettersForReading) return written;
  // Misreadings and transliterations keep most letters, and the first one nearly always.
  if (written === farApart && a[0] !== b[0] && a[1] !== b[1]) return farApart;
  if (readingForms(a) === readingForms(b)) return Math.min(written, sameReading);
  if (shorter < lettersForSound) return written;
  if (soundForms(a) === soundForms(b)) return Math.min(written, sameTransliteration);
  if (written > 1 && written < farApart) {
    const key = phoneticKeyOf(a);
    if (key.length > 1 && key === phoneticKeyOf(b)) return Math.min(written, 0.55 + written * 0.3);
  }
  return written;
}
