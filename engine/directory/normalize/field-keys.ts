/**
 * When two values of a field are the same: if they have the same key. The suppression list,
 * overwrite rules, monitors, reviews and stored answers compare by these keys alone.
 */
import type { CountryCode } from 'libphonenumber-js';
import { comparableText } from './comparable-text.ts';
import { countryCode } from './country-code.ts';
import { dropApostrophes, foldText, joinLetters } from './fold-text.ts';
import { readEmailKey, readUrlKey } from './match-address.ts';
import { companyNameKey } from './normalize-company.ts';
import { readPhoneKey } from './normalize-phone.ts';
import { websiteDomain } from './normalize-url.ts';
import { titleKey } from './title-key.ts';

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

/**
 * Field → the key of a value; '' if the value is none of the field.
 * @param country of the row, in which a number without `+` is read
 */
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
