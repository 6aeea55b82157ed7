// How far two words are apart in typing errors: a doubled letter, a neighbouring key or a vowel
// costs less than another letter, and a reading error or a transliteration costs less than its
// letters.
import { phoneticKey } from './phonetic-key.ts';
import { type RewriteRule, rewrite, rewriteRule } from './rewrite.ts';

/** What a distance above the maximum is given as. */
export const farApart = 99;

/** The least that a letter costs which the other word has not. */
export const letterCostMin = 0.75;
const costs = { doubled: 0.55, vowel: 0.85, likeLetter: 0.75, swapped: 0.75 } as const;
const lettersMax = 70;
const rounding = 1e-9;
const keyRows = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const nearKeys = 1.3;
const keyRowShift = 0.4;
/** The bits of letterMaskOf for everything but a to z. */
const otherLetters = 0x3f << 26;
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

/** Of each letter a to z, those that it is mistaken for: bits of letterMaskOf. */
const likeMasks = Int32Array.from({ length: 26 }, (_, letter) => {
  let mask = 0;
  for (let code = 0; code < 256; code++)
    if (likeLetters[((letter + 97) << 8) | code] === 1)
      mask |= code >= 97 && code <= 122 ? 1 << (code - 97) : otherLetters;
  return mask;
});

/** The least cost of the letters of one word that the other has not. */
function costOfMissing(missing: number, other: number): number {
  let cost = 0;
  for (let rest = missing; rest !== 0; rest &= rest - 1) {
    const letter = 31 - Math.clz32(rest & -rest);
    const isLike = letter >= 26 || (likeMasks[letter]! & other) !== 0;
    cost += isLike ? costs.likeLetter : vowels[letter + 97] === 1 ? costs.vowel : 1;
  }
  return cost;
}

/** The least distance of two words, by their letterMaskOf alone. */
export const leastDistance = (maskA: number, maskB: number): number =>
  Math.max(costOfMissing(maskA & ~maskB, maskB), costOfMissing(maskB & ~maskA, maskA));

/** The cost of a letter that is in one word alone, behind the letter before it. */
const costOfExtra = (code: number, before: number): number =>
  code === before ? costs.doubled : code < 256 && vowels[code] === 1 ? costs.vowel : 1;

/** Three rows of the table, and of both words the letters, of one what each costs if extra. */
const tableRows = [0, 1, 2].map(() => new Float64Array(lettersMax + 2)) as [
  Float64Array,
  Float64Array,
  Float64Array,
];
const codesA = new Uint16Array(lettersMax + 2);
const codesB = new Uint16Array(lettersMax + 2);
const extrasB = new Float64Array(lettersMax + 2);

/** Whether two letters are one, or mistaken for each other. */
const costOfOther = (a: number, b: number): number =>
  a === b ? 0 : a < 256 && b < 256 && likeLetters[(a << 8) | b] === 1 ? costs.likeLetter : 1;

const canBeNear = (lengthA: number, lengthB: number, max: number): boolean =>
  lengthA <= lettersMax &&
  lengthB <= lettersMax &&
  Math.abs(lengthA - lengthB) * costs.doubled <= max;

/** Fills the table for the letters in codesA and codesB, from 1 on. */
function fillTable(lengthA: number, lengthB: number, max: number): number {
  let [rowBefore, rowLast, rowThis] = tableRows;
  // A path that leaves the band has more extra letters than the maximum allows.
  const band = Math.floor(max / costs.doubled + rounding);
  rowLast[0] = 0;
  let previous = -1;
  for (let column = 1; column <= lengthB; column++) {
    const code = codesB[column]!;
    extrasB[column] = costOfExtra(code, previous);
    previous = code;
    rowLast[column] = column;
  }
  let previousA = -1;
  for (let row = 1; row <= lengthA; row++) {
    const codeA = codesA[row]!;
    const extraA = costOfExtra(codeA, previousA);
    const from = Math.max(1, row - band);
    const to = Math.min(lengthB, row + band);
    let left = from === 1 ? row : farApart;
    let above = rowLast[from - 1]!;
    let smallest = left;
    let previousB = from === 1 ? -1 : codesB[from - 1]!;
    rowThis[from - 1] = left;
    for (let column = from; column <= to; column++) {
      const codeB = codesB[column]!;
      let cost = above + costOfOther(codeA, codeB);
      above = rowLast[column]!;
      if (above + extraA < cost) cost = above + extraA;
      const withoutB = left + extrasB[column]!;
      if (withoutB < cost) cost = withoutB;
      if (codeA === previousB && previousA === codeB && codeA !== codeB) {
        const swapped = rowBefore[column - 2]! + costs.swapped;
        if (swapped < cost) cost = swapped;
      }
      rowThis[column] = cost;
      if (cost < smallest) smallest = cost;
      left = cost;
      previousB = codeB;
    }
    if (smallest > max) return farApart;
    rowThis[to + 1] = farApart;
    previousA = codeA;
    const spare = rowBefore;
    rowBefore = rowLast;
    rowLast = rowThis;
    rowThis = spare;
  }
  const distance = rowLast[lengthB]!;
  return distance > max ? farApart : distance;
}

/** The weighted distance of two words as they are written; farApart if it exceeds the maximum. */
export function typingDistance(a: string, b: string, max: number): number {
  if (a === b) return 0;
  if (!canBeNear(a.length, b.length, max)) return farApart;
  for (let at = 0; at < a.length; at++) codesA[at + 1] = a.charCodeAt(at);
  for (let at = 0; at < b.length; at++) codesB[at + 1] = b.charCodeAt(at);
  return fillTable(a.length, b.length, max);
}

const readingErrors: readonly RewriteRule[] = [
  rewriteRule(/rn/g, 'm', 'rn'),
  rewriteRule(/cl/g, 'd', 'cl'),
  rewriteRule(/vv/g, 'w', 'v'),
  rewriteRule(/[1i!|]/g, 'l'),
  rewriteRule(/0/g, 'o', '0'),
  rewriteRule(/5/g, 's', '5'),
  rewriteRule(/8/g, 'b', '8'),
  rewriteRule(/6/g, 'g', '6'),
  rewriteRule(/2/g, 'z', '2'),
  rewriteRule(/ll/g, 'l', 'l'),
];
const transliterations: readonly RewriteRule[] = [
  rewriteRule(/ue/g, 'u', 'ue'),
  rewriteRule(/oe/g, 'o', 'oe'),
  rewriteRule(/ae|aa/g, 'a', 'a'),
  rewriteRule(/ou/g, 'u', 'ou'),
  rewriteRule(/ph/g, 'f', 'ph'),
  rewriteRule(/kh/g, 'h', 'kh'),
  rewriteRule(/w/g, 'v', 'w'),
  rewriteRule(/ij|iy|yi/g, 'i', 'i'),
  rewriteRule(/[yj]/g, 'i'),
  rewriteRule(/ck|c|q/g, 'k'),
  rewriteRule(/di|zh/g, 'i'),
  rewriteRule(/sz|sch/g, 'sh', 's'),
  rewriteRule(/x/g, 'ks', 'x'),
  rewriteRule(/(.)\1+/g, '$1'),
];

/** What is derived from a word when it is first asked for. The hashes are -1 before. */
interface WordForms {
  reading: string | null;
  sound: string | null;
  phonetic: string | null;
  readingHash: number;
  soundHash: number;
  phoneticHash: number;
}

export interface FormedWord {
  readonly text: string;
  /** letterMaskOf the text. */
  readonly mask: number;
  readonly forms: WordForms;
}

/** Nothing derived yet. */
export const createForms = (): WordForms => ({
  reading: null,
  sound: null,
  phonetic: null,
  readingHash: -1,
  soundHash: -1,
  phoneticHash: -1,
});

const readingOf = ({ text, forms }: FormedWord): string => {
  forms.reading ??= rewrite(text, readingErrors);
  return forms.reading;
};
const soundOf = ({ text, forms }: FormedWord): string => {
  forms.sound ??= rewrite(text, transliterations);
  return forms.sound;
};
export const phoneticOf = ({ text, forms }: FormedWord): string => {
  forms.phonetic ??= phoneticKey(text);
  return forms.phonetic;
};

/** A hash of 31 bits, never 0. */
function hashForm(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) & 0x7fffffff) | 1;
}

/** Hash of a word with its misreadings undone: words of equal ones need to be compared. */
export function readingHashOf(word: FormedWord): number {
  const { forms } = word;
  if (forms.readingHash < 0) forms.readingHash = hashForm(readingOf(word));
  return forms.readingHash;
}
/** The same with its transliterations undone. */
export function soundHashOf(word: FormedWord): number {
  const { forms } = word;
  if (forms.soundHash < 0) forms.soundHash = hashForm(soundOf(word));
  return forms.soundHash;
}
/** The same of its phoneticKey. */
export function phoneticHashOf(word: FormedWord): number {
  const { forms } = word;
  if (forms.phoneticHash < 0) forms.phoneticHash = hashForm(phoneticOf(word));
  return forms.phoneticHash;
}

/** Letters that no rule above takes or adds: other ones make another form. Bits of letterMaskOf. */
const maskOf = (letters: string): number =>
  [...letters].reduce((mask, letter) => mask | (1 << (letter.charCodeAt(0) - 97)), 0);
const keptByReading = maskOf('aefhjkpqtuxy');
const keptBySound = maskOf('bglmnrt');
const keptByPhonetics = maskOf('lmnr');

/** Whether the letters of two words allow them to sound alike; takes their letterMaskOf. */
export const canSoundAlike = (maskA: number, maskB: number): boolean =>
  ((maskA ^ maskB) & keptByPhonetics) === 0;

const sameReading = 0.6;
const sameTransliteration = 0.7;
const lettersForReading = 3;
const lettersForSound = 4;

/**
 * The distance of two words: as written, or less where a misread letter, a transliteration or the
 * sound explains the difference. farApart if it exceeds the maximum.
 */
export function formedDistance(one: FormedWord, other: FormedWord, max: number): number {
  const [a, b] = [one.text, other.text];
  if (a === b) return 0;
  const written = typingDistance(a, b, max);
  const shorter = Math.min(a.length, b.length);
  if (written === farApart && Math.abs(a.length - b.length) > 3) return farApart;
  if (written <= 0.45 || shorter < lettersForReading) return written;
  // Misreadings and transliterations keep most letters, and the first one nearly always.
  const isApart = a.charCodeAt(0) !== b.charCodeAt(0) && a.charCodeAt(1) !== b.charCodeAt(1);
  if (written === farApart && isApart) return farApart;
  const others = one.mask ^ other.mask;
  if ((others & keptByReading) === 0 && readingOf(one) === readingOf(other))
    return Math.min(written, sameReading);
  if (shorter < lettersForSound) return written;
  if ((others & keptBySound) === 0 && soundOf(one) === soundOf(other))
    return Math.min(written, sameTransliteration);
  if (written > 1 && written < farApart && (others & keptByPhonetics) === 0) {
    const key = phoneticOf(one);
    if (key.length > 1 && key === phoneticOf(other)) return Math.min(written, 0.55 + written * 0.3);
  }
  return written;
}

/** The words of a dictionary, by number, with what is derived from them as hashes. */
export interface CodedWords {
  /** Where each word begins in the pool, then the end of the last. */
  readonly starts: Uint32Array;
  readonly pool: Uint16Array;
  readonly masks: Int32Array;
  /** The word with its forms; asked for if two hashes are equal. */
  word(id: number): FormedWord;
  readingHash(id: number): number;
  soundHash(id: number): number;
  phoneticHash(id: number): number;
}

/** typingDistance of a text and a word of a dictionary. */
function distanceToCoded(a: string, { starts, pool }: CodedWords, id: number, max: number): number {
  const start = starts[id]!;
  const length = starts[id + 1]! - start;
  if (!canBeNear(a.length, length, max)) return farApart;
  let isSame = a.length === length;
  for (let at = 0; at < length; at++) codesB[at + 1] = pool[start + at]!;
  for (let at = 0; at < a.length; at++) {
    const code = a.charCodeAt(at);
    codesA[at + 1] = code;
    isSame &&= code === codesB[at + 1];
  }
  return isSame ? 0 : fillTable(a.length, length, max);
}

/** formedDistance of a word and a word of a dictionary, without the text of the latter. */
export function codedDistance(one: FormedWord, words: CodedWords, id: number, max: number): number {
  const a = one.text;
  const start = words.starts[id]!;
  const length = words.starts[id + 1]! - start;
  const isFar = leastDistance(one.mask, words.masks[id]!) > max + rounding;
  const written = isFar ? farApart : distanceToCoded(a, words, id, max);
  if (written === farApart && Math.abs(a.length - length) > 3) return farApart;
  const shorter = Math.min(a.length, length);
  if (written <= 0.45 || shorter < lettersForReading) return written;
  const { pool } = words;
  const isApart = a.charCodeAt(0) !== pool[start] && a.charCodeAt(1) !== pool[start + 1];
  if (written === farApart && isApart) return farApart;
  const others = one.mask ^ words.masks[id]!;
  if ((others & keptByReading) === 0 && readingHashOf(one) === words.readingHash(id))
    if (readingOf(one) === readingOf(words.word(id))) return Math.min(written, sameReading);
  if (shorter < lettersForSound) return written;
  if ((others & keptBySound) === 0 && soundHashOf(one) === words.soundHash(id))
    if (soundOf(one) === soundOf(words.word(id))) return Math.min(written, sameTransliteration);
  if (written <= 1 || written === farApart || (others & keptByPhonetics) !== 0) return written;
  if (phoneticHashOf(one) === words.phoneticHash(id)) {
    const key = phoneticOf(one);
    if (key.length > 1 && key === phoneticOf(words.word(id)))
      return Math.min(written, 0.55 + written * 0.3);
  }
  return written;
}
