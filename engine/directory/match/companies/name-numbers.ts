// The numbers in names of companies: "Fund VIII" is "Fund 8" and not "Fund IX".
import { roman, valueOfRoman } from '../../normalize/messy/roman-numbers.ts';

/** How the numbers of two names agree: `added` if only one of them has a further number. */
export type NumberLevel = 'none' | 'same' | 'other' | 'added';

type Words = readonly { readonly text: string }[];

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
/** Words of letters with digits that text recognition read for letters: "5chool". */
const misread = /^(?=.{5})(?=.*\d)(?!(?:.*\d){3})[a-z\d]+$/;

/**
 * The number that each word of a name states, '' for none: digits, words and, after the first
 * word, Roman numbers. A lone letter is a number at the end of a name only: "Fund V". Five digits
 * are a postal code or a record's number.
 */
export const readNumbers = (words: Words): string[] =>
  words.map(({ text }, at) => {
    const word = numberWords.indexOf(text);
    if (/^\d{5}/.test(text)) return '';
    if (/\d/.test(text)) return text.replace(/^0+(?=\d)/, '');
    if (word >= 0) return String(word + 1);
    if (ordinals.includes(text)) return text;
    const isRoman = at > 0 && roman.test(text) && (text.length > 1 || at === words.length - 1);
    return isRoman ? String(valueOfRoman(text)) : '';
  });

/** Whether a name ends with the number of a series: "Fund IX". An I may be a cut word. */
const isOfSeries = (words: Words): boolean =>
  words.length > 1 && /^\d{1,2}$/.test(readNumbers(words).at(-1)!) && words.at(-1)!.text !== 'i';

const small = /^(?:[2-9]|[1-9]\d)$/;

/** Whether a name has no number and the other one is of a series, but not its first: "Fund II". */
const lacksSeries = (one: Words, other: Words): boolean =>
  readNumbers(one).join('') === '' &&
  readNumbers(other).some(
    (number, at) => at > 0 && small.test(number) && !/^[ivx]$/.test(other[at]!.text),
  );

/** Whether only one of two names is of a series, but not its first. */
export const isOneOfSeries = (row: Words, held: Words): boolean =>
  lacksSeries(row, held) || lacksSeries(held, row);

export function compareNumbers(row: Words, held: Words): NumberLevel {
  const [ofRow, ofHeld] = [new Set(readNumbers(row)), new Set(readNumbers(held))];
  const listNumbers = (numbers: Set<string>): Set<string> =>
    new Set([...numbers].filter((one) => one !== '' && (!misread.test(one) || isShared(one))));
  const isShared = (number: string): boolean => ofRow.has(number) && ofHeld.has(number);
  const [stated, own] = [listNumbers(ofRow), listNumbers(ofHeld)];
  if (stated.size === 0 && own.size === 0) return 'none';
  const isMissing = [...stated].some((number) => !own.has(number));
  const isAbsent = [...own].some((number) => !stated.has(number));
  if (isMissing && (isAbsent || isOfSeries(row))) return 'other';
  return isMissing || isAbsent ? 'added' : 'same';
}
