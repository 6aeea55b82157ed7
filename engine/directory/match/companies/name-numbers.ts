/** The numbers in names of companies: "Fund VIII" is "Fund 8" and not "Fund IX". */

import { roman, valueOfRoman } from '../../normalize/messy/roman-numbers.ts';

/** How the numbers of two names agree: `added` if only one of them has a further number. */
export type NumberLevel = 'none' | 'same' | 'other' | 'added';

type Words = readonly { readonly text: string }[];

const numberWords = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');
const ordinals = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ');
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

/** Compares the numbers of two names. A series without its number is another company. */
export function compareNumbers(row: Words, held: Words): NumberLevel {
  const [stated, own] = [row, held].map((words) => new Set(readNumbers(words).filter(Boolean))) as [
    Set<string>,
    Set<string>,
  ];
  if (stated.size === 0 && own.size === 0) return 'none';
  const isMissing = [...stated].some((number) => !own.has(number));
  const isAbsent = [...own].some((number) => !stated.has(number));
  if (isMissing && (isAbsent || isOfSeries(row))) return 'other';
  return isMissing || isAbsent ? 'added' : 'same';
}
