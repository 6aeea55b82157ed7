// When two values of a field are the same: if they have the same key. The suppression list,
// overwrite rules, monitors, reviews and stored answers compare by these keys alone.
import type { CountryCode } from 'libphonenumber-js';
import { readWords } from '../../platform/read-words.ts';
import { comparableText } from './comparable-text.ts';
import { countryCode } from './country-code.ts';
import { dropApostrophes, foldText, joinLetters } from './fold-text.ts';
import { readEmailKey, readUrlKey } from './match-address.ts';
import { companyNameKey } from './normalize-company.ts';
import { readPhoneKey } from './normalize-phone.ts';
import { websiteDomain } from './normalize-url.ts';

/** Short forms of titles → what they stand for. */
const shortForms: ReadonlyMap<string, string> = new Map(
  readWords('title-forms').flatMap(([title, forms]) => forms.map((form) => [form, title])),
);

/** Words that a title has or lacks without being another one. "to" is none: "assistant to". */
const smallWords = new Set(
  (
    'al an and at d da de del der des di die do du et for fur im in l la le of the und van ' +
    'von vom'
  ).split(' '),
);

/** A word without the ending of the German form for women. */
const readWord = (word: string): string =>
  /^\p{L}{3,}[eo]rin$/u.test(word) ? word.slice(0, -2) : word;

/**
 * The words of a title in one order, without short forms, small words and endings of gender: "Sr.
 * VP, Sales" is "Vice President of Sales (senior)". A title of small words alone keeps them.
 */
function titleKey(title: string): string {
  const folded = foldText(title)
    // "(m/w/d)" says who may apply.
    .replace(/\([mwdfhx](?:[/|*][mwdfhx])+\)/g, ' ')
    // "C.E.O." and "co-founder" are one word.
    .replace(/\b(\p{L})\.(?=\p{L}\b)/gu, '$1')
    .replace(/\bco[\s-]+(?=\p{L})/gu, 'co')
    // "Leiter/in", "Leiter:in", "Leiter*innen".
    .replace(/(?<=\p{L})[/:*_](?:in|innen)\b/gu, '');
  const words = folded.split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
  const telling = words.filter((word) => !smallWords.has(word));
  return (telling.length > 0 ? telling : words)
    .flatMap((word) => (shortForms.get(word) ?? readWord(word)).split(' '))
    .sort()
    .join(' ');
}

/** A text without the differences that nobody sees: spaces, case, forms of letters. */
export const readTextKey = (text: string): string =>
  comparableText(text).trim().replace(/\s+/g, ' ').toLowerCase();

/** "Lovelace, Ada", but not "Ada King, Jr.". */
const surnameFirst =
  /^([^,]+),(?!\s*(?:jr|sr|i{1,3}|iv|v|esq|ph\.?\s?d|m\.?d|mba|cpa)\.?\s*$)([^,]+)$/i;

/** A name in the order of speech, without accents and marks, words with single spaces. */
export const readNameKey = (text: string): string =>
  dropApostrophes(foldText(comparableText(text).replace(surnameFirst, '$2 $1')))
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim();

const domainOf = (text: string): string =>
  websiteDomain(comparableText(text).trim().toLowerCase()) ?? '';

/** Field → the key of a value; '' if it is none. A number without `+` is of `country`. */
export const fieldKeys = {
  name: readNameKey,
  company_name: (text) => companyNameKey(comparableText(text).trim()),
  // A page on a host of many is that page.
  company_domain: (text) => domainOf(text) || readUrlKey(text),
  title: (text) => titleKey(comparableText(text)),
  email: readEmailKey,
  phone: readPhoneKey,
  profile_url: readUrlKey,
  country: (text) => countryCode(text) ?? joinLetters(foldText(comparableText(text))),
  text: readTextKey,
} as const satisfies Readonly<
  Record<string, (text: string, country: CountryCode | null) => string>
>;

export type ComparedField = keyof typeof fieldKeys;

/** The key of a value, also of one that is none of its field. */
export const readFieldKey = (
  field: ComparedField,
  text: string,
  country: CountryCode | null = null,
): string => fieldKeys[field](text, country) || readTextKey(text);
