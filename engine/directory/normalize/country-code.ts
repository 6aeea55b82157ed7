/** Countries as people write them, and their ISO 3166 codes. */
import { type CountryCode, getCountries } from 'libphonenumber-js';
import { foldText } from './fold-text.ts';

let codesByName: Map<string, CountryCode> | null = null;

const otherNames: Readonly<Record<string, CountryCode>> = {
  usa: 'US',
  'united states of america': 'US',
  america: 'US',
  uk: 'GB',
  'great britain': 'GB',
  britain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'czech republic': 'CZ',
  'south korea': 'KR',
  turkey: 'TR',
  russia: 'RU',
  uae: 'AE',
};

function readNames(): Map<string, CountryCode> {
  const names = new Map<string, CountryCode>(Object.entries(otherNames));
  for (const language of ['en', 'de', 'fr', 'es']) {
    const shown = new Intl.DisplayNames([language], { type: 'region' });
    for (const code of getCountries()) names.set(foldText(shown.of(code) ?? code), code);
  }
  for (const code of getCountries()) names.set(code.toLowerCase(), code);
  return names;
}

/**
 * The ISO code of a country that is written as a code or a name (English, German, French, Spanish);
 * otherwise null.
 */
export function countryCode(text: string): CountryCode | null {
  codesByName ??= readNames();
  return codesByName.get(foldText(text.trim())) ?? null;
}
