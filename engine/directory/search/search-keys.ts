// The fields of the search index, and the keys by which their values are found.
import { countryCode } from '../normalize/country-code.ts';
import { dropApostrophes, foldText } from '../normalize/fold-text.ts';

export const searchFields = [
  'personName',
  'jobTitle',
  'jobLevel',
  'contactCountry',
  'companyName',
  'industry',
  'companyCountry',
  'employeeRange',
  'revenueRange',
] as const;
export type SearchField = (typeof searchFields)[number];

/** Fields that are searched by words and word prefixes; all others by their whole value. */
const wordFields: ReadonlySet<SearchField> = new Set(['personName', 'jobTitle', 'companyName']);
const countryFields: ReadonlySet<SearchField> = new Set(['contactCountry', 'companyCountry']);

export const isWordField = (field: SearchField): boolean => wordFields.has(field);

export const isCountryField = (field: SearchField): boolean => countryFields.has(field);

const word = /[\p{L}\p{N}\p{M}]+/gu;

/** The distinct words of a text, folded: “Director, R&D” is director, r, d. */
function splitWords(text: string): readonly string[] {
  const folded = foldText(dropApostrophes(text)).replaceAll('ς', 'σ');
  return [...new Set(folded.match(word))];
}

/** A value in the form that is compared: folded, with single spaces. */
export const foldValue = (text: string): string => foldText(text).trim().replace(/\s+/g, ' ');

/** A value's words; the ISO code of a known country; else the folded value. '' has none. */
export function listKeys(field: SearchField, text: string): readonly string[] {
  if (isWordField(field)) return splitWords(text);
  const code = isCountryField(field) ? countryCode(text) : null;
  const key = code ?? foldValue(text);
  return key === '' ? [] : [key];
}
