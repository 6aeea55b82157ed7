/** Compares a found value with the user's: case, spaces and the format of phones are ignored. */
import type { DisplayName } from '../../contract/jobs/layers.ts';
import { countryCode } from '../../directory/normalize/country-code.ts';
import { readEmailKey, readUrlKey } from '../../directory/normalize/match-address.ts';
import { normalizePhone } from '../../directory/normalize/normalize-phone.ts';
import { websiteDomain } from '../../directory/normalize/normalize-url.ts';

type Country = ReturnType<typeof countryCode>;
type ReadKey = (text: string, country: Country) => string | null;

const readers: readonly [fields: RegExp, read: ReadKey][] = [
  [/email$/i, (text) => readEmailKey(text)],
  [/^profile url$/i, (text) => readUrlKey(text.trim())],
  [/website$/i, (text) => websiteDomain(text.trim().toLowerCase())],
  [/phone$/i, (text, country) => normalizePhone(text.replace(/^(?:tel:|')\s*/i, ''), country)],
  [/country$/i, (text) => countryCode(text)],
];

const fold = (text: string): string =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Whether two values of a field are the same.
 * @param country of the row, in which numbers without + are read; '' if it is not known
 */
export function areSame(field: DisplayName, one: string, other: string, country: string): boolean {
  if (fold(one) === fold(other)) return true;
  const read = readers.find(([fields]) => fields.test(field))?.[1];
  if (!read) return false;
  const code = /phone$/i.test(field) ? countryCode(country) : null;
  const [key, otherKey] = [read(one, code), read(other, code)];
  return !!key && key === otherKey;
}
