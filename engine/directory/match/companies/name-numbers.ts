// The numbers in names of companies: "Fund VIII" is "Fund 8" and not "Fund IX".
import { roman, valueOfRoman } from '../../normalize/messy/roman-numbers.ts';

/** How the numbers of two names agree: `added` if only one of them has a further number. */
export type NumberLevel = 'none' | 'same' | 'other' | 'added';

type Words = readonly { readonly text: string }[];

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
const written: ReadonlyMap<string, string> = new Map([
  ...numberWords.map((word, at) => [word, String(at + 1)] as const),
  ...ordinals.map((word) => [word, word] as const),
]);
/** Words of letters with digits that text recognition read for letters: "5chool". */
const misread = /^(?=.{5})(?=.*\d)(?!(?:.*\d){3})[a-z\d]+$/;

/**
 * The number that each word of a name states, '' for none: digits, words and, after the first
 * word, Roman numbers. A lone letter is a number at the end of a name only: "Fund V". Five digits
 * are a postal code or a record's number.
 */
export const readNumbers = (words: Words): string[] =>
  words.map(({ text }, at) => {
    if (/\d/.test(text)) return /^\d{5}/.test(text) ? '' : text.replace(/^0+(?=\d)/, '');
    const isRoman = at > 0 && roman.test(text) && (text.length > 1 || at === words.length - 1);
    return written.get(text) ?? (isRoman ? String(valueOfRoman(text)) : '');
  });

/** Whether a name ends with the number of a series: "Fund IX". An I may be a cut word. */
const isOfSeries = (words: Words): boolean =>
  words.length > 1 && /^\d{1,2}$/.test(readNumbers(words).at(-1)!) && words.at(-1)!.text !== 'i';

const small = /^(?:[2-9]|[1-9]\d)$/;

const isNone = (number: string): boolean => number === '';

/** Whether only one of two names has numbers, and is of a series, but not its first: "Fund II". */
export function isOneOfSeries(row: Words, held: Words): boolean {
  const [ofRow, ofHeld] = [readNumbers(row), readNumbers(held)];
  if (ofRow.every(isNone) === ofHeld.every(isNone)) return false;
  const [numbers, words] = ofRow.every(isNone) ? [ofHeld, held] : [ofRow, row];
  return numbers.some(
    (number, at) => at > 0 && small.test(number) && !/^[ivx]$/.test(words[at]!.text),
  );
}

export function compareNumbers(row: Words, held: Words): NumberLevel {
  const [ofRow, ofHeld] = [readNumbers(row), readNumbers(held)];
  const listNumbers = (numbers: readonly string[]): string[] =>
    numbers.filter((one) => !isNone(one) && (!misread.test(one) || isShared(one)));
  const isShared = (number: string): boolean => ofRow.includes(number) && ofHeld.includes(number);
  const [stated, own] = [listNumbers(ofRow), listNumbers(ofHeld)];
  if (stated.length === 0 && own.length === 0) return 'none';
  const isMissing = stated.some((number) => !own.includes(number));
  const isAbsent = own.some((number) => !stated.includes(number));
  if (isMissing && (isAbsent || isOfSeries(row))) return 'other';
  return isMissing || isAbsent ? 'added' : 'same';
}
