/** Phone numbers: E.164, with the extension behind it where there is one. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';

// Most numbers of a North American list: told without the full parser, which costs fifty times
// more and takes all of them as they are.
const plainNorthAmerican = /^\+1[-. ]?\(?([2-9]\d{2})\)?[-. ]?(\d{3})[-. ]?(\d{4})$/;
const punctuatedNational = /^\(?[2-9]\d{2}\)?[-. ]\s?[2-9]\d{2}[-. ]\d{4}(?!\d)/;

/**
 * The number in a cell as "+16032713661", with " x123" behind it for an extension; null where it
 * cannot be read. A number without `+` is read in `country`; without one, only where it is written
 * the North American way. Doing it twice changes nothing.
 */
export function normalizePhone(text: string, country: CountryCode | null): string | null {
  const trimmed = text.trim();
  const plain = plainNorthAmerican.exec(trimmed);
  if (plain) return `+1${plain[1]}${plain[2]}${plain[3]}`;
  const assumed = country ?? (punctuatedNational.test(trimmed) ? 'US' : null);
  // 00 is how much of the environment dials the +.
  const international = trimmed.replace(/^00(?=[1-9])/, '+');
  const number = parsePhoneNumberFromString(
    international,
    assumed ? { defaultCountry: assumed } : {},
  );
  if (!number?.isPossible()) return null;
  return number.ext ? `${number.number} x${number.ext}` : number.number;
}
