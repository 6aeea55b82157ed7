// Errors of typing, hearing and text recognition. Each changes one place of a text.
import type { Draws } from '../generate-draws.ts';

/** Changes a text; returns it unchanged if the error cannot occur. */
export type Slip = (text: string, draws: Draws) => string;

type Replacement = readonly [from: string, to: string];

const neighbours: Readonly<Record<string, string>> = {
  a: 'sqz',
  b: 'vgn',
  c: 'xvd',
  d: 'sfe',
  e: 'wrd',
  f: 'dgr',
  g: 'fht',
  h: 'gjy',
  i: 'uok',
  j: 'hku',
  k: 'jli',
  l: 'kop',
  m: 'nk',
  n: 'bmh',
  o: 'ipl',
  p: 'ol',
  q: 'wa',
  r: 'etf',
  s: 'adw',
  t: 'ryg',
  u: 'yij',
  v: 'cbf',
  w: 'qes',
  x: 'zcs',
  y: 'tuh',
  z: 'xas',
};

const scanned: readonly Replacement[] = [
  ['m', 'rn'],
  ['rn', 'm'],
  ['l', '1'],
  ['l', 'I'],
  ['o', '0'],
  ['O', '0'],
  ['d', 'cl'],
  ['cl', 'd'],
  ['s', '5'],
  ['S', '5'],
  ['i', 'l'],
  ['i', '!'],
  ['w', 'vv'],
  ['h', 'b'],
  ['e', 'c'],
  ['B', '8'],
  ['g', 'q'],
  ['ri', 'n'],
  ['Z', '2'],
  ['tt', 'U'],
];

const heard: readonly Replacement[] = [
  ['ph', 'f'],
  ['ck', 'k'],
  ['ch', 'k'],
  ['c', 'k'],
  ['k', 'c'],
  ['ie', 'y'],
  ['y', 'ie'],
  ['ey', 'y'],
  ['ee', 'ea'],
  ['ea', 'ee'],
  ['ei', 'ie'],
  ['ie', 'ei'],
  ['sch', 'sh'],
  ['sh', 'sch'],
  ['z', 's'],
  ['v', 'f'],
  ['ll', 'l'],
  ['nn', 'n'],
  ['n', 'nn'],
  ['tt', 't'],
  ['ai', 'ay'],
  ['er', 'ar'],
  ['or', 'er'],
  ['th', 't'],
  ['gh', ''],
  ['son', 'sen'],
  ['sen', 'son'],
  ['man', 'mann'],
  ['ou', 'u'],
  ['x', 'cks'],
  ['i', 'y'],
  ['dt', 't'],
  ['w', 'v'],
  ['qu', 'kw'],
  ['oo', 'u'],
  ['au', 'aw'],
  ['e', ''],
];

const romanized: readonly Replacement[] = [
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['ñ', 'ny'],
  ['ç', 'ch'],
  ['å', 'aa'],
  ['ø', 'oe'],
  ['é', 'e'],
  ['u', 'ou'],
  ['ou', 'u'],
  ['v', 'w'],
  ['w', 'v'],
  ['j', 'y'],
  ['y', 'j'],
  ['ch', 'tch'],
  ['kh', 'h'],
  ['sh', 'ch'],
  ['ia', 'iya'],
  ['ei', 'ey'],
  ['ts', 'tz'],
  ['x', 'ks'],
  ['ee', 'i'],
  ['zh', 'j'],
];

const insideOf = (text: string, draws: Draws): number =>
  1 + draws.below(Math.max(1, text.length - 1));

const splice = (text: string, at: number, removed: number, added: string): string =>
  text.slice(0, at) + added + text.slice(at + removed);

/** Replaces one of the pairs that occur after the first letter. */
const replaceOne =
  (pairs: readonly Replacement[]): Slip =>
  (text, draws) => {
    const lower = text.toLowerCase();
    const possible = pairs.filter(
      ([from]) => text.indexOf(from, 1) > 0 || lower.indexOf(from, 1) > 0,
    );
    if (possible.length === 0) return text;
    const [from, to] = draws.pick(possible);
    const at = text.indexOf(from, 1);
    return splice(text, at > 0 ? at : lower.indexOf(from, 1), from.length, to);
  };

/** Writes a letter twice. */
export const doubleLetter: Slip = (text, draws) => {
  if (text.length < 2) return text;
  const at = insideOf(text, draws);
  return splice(text, at, 0, text[at] ?? '');
};

/** Leaves a letter out. */
export const dropLetter: Slip = (text, draws) =>
  text.length < 4 ? text : splice(text, insideOf(text, draws), 1, '');

/** Exchanges two neighbours; upper case stays at the beginning. */
export const swapLetters: Slip = (text, draws) => {
  if (text.length < 4) return text;
  const at = draws.below(text.length - 1);
  const [one, two] = [text[at]!, text[at + 1]!];
  const isUpper = one !== one.toLowerCase() && two === two.toLowerCase();
  return splice(text, at, 2, isUpper ? two.toUpperCase() + one.toLowerCase() : two + one);
};

/** Hits a neighbouring key. */
export const hitNeighbour: Slip = (text, draws) => {
  if (text.length < 3) return text;
  const at = insideOf(text, draws);
  const near = neighbours[text[at]?.toLowerCase() ?? ''];
  return near ? splice(text, at, 1, draws.pick([...near])) : text;
};

/** Adds a frequent letter. */
export const addLetter: Slip = (text, draws) =>
  text.length < 2 ? text : splice(text, insideOf(text, draws), 0, draws.pick([...'aeiorstln']));

/** Reads a letter as text recognition does. */
export const misreadLetter: Slip = replaceOne(scanned);
/** Writes a sound with other letters. */
export const writeAsHeard: Slip = replaceOne(heard);
/** Writes the letters of another script or language in another way. */
export const romanize: Slip = replaceOne(romanized);

const keyboardSlips = [doubleLetter, dropLetter, swapLetters, hitNeighbour, addLetter];

/** One slip of the keyboard. */
export const slipOnce: Slip = (text, draws) => draws.pick(keyboardSlips)(text, draws);
/** Two slips of the keyboard. */
export const slipTwice: Slip = (text, draws) => slipOnce(slipOnce(text, draws), draws);
/** A slip in one word of at least five letters. */
export const slipInWord: Slip = (text, draws) => {
  const words = text.split(' ');
  const long = words.flatMap((word, at) => (word.length > 4 ? [at] : []));
  if (long.length === 0) return text;
  const at = draws.pick(long);
  words[at] = slipOnce(words[at]!, draws);
  return words.join(' ');
};

/** Reads UTF-8 as Windows-1252, as a wrongly imported file does. */
export function decodeWrongly(text: string): string {
  return new TextDecoder('windows-1252').decode(new TextEncoder().encode(text));
}
