/** Phone numbers in E.164, followed by the extension if there is one. */
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';

// Most numbers of a North American list, recognised without the full parser, which costs fifty
// times more and accepts all of them unchanged.
const plainNorthAmerican = /^\+1[-. ]?\(?([2-9]\d{2})\)?[-. ]?(\d{3})[-. ]?(\d{4})$/;
const punctuatedNational = /^\(?[2-9]\d{2}\)?[-. ]\s?[2-9]\d{2}[-. ]\d{4}(?!\d)/;

/**
 * The number in a cell as "+16032713661", followed by " x123" for an extension; null if it cannot
 * be read. A number without `+` is read in `country`; without a country, only if it is written in
 * the North American form. Idempotent.
 */
export function normalizePhone(text: string, country: CountryCode | null): string | null {
  const trimmed = text.trim();
  const plain = plainNorthAmerican.exec(trimmed);
  if (plain) return `+1${plain[1]}${plain[2]}${plain[3]}`;
  const assumed = country ?? (punctuatedNational.test(trimmed) ? 'US' : null);
  // Many countries dial 00 for the +.
  const international = trimmed.replace(/^00(?=[1-9])/, '+');
  const number = parsePhoneNumberFromString(
    international,
    assumed ? { defaultCountry: assumed } : {},
  );
  if (!number?.isPossible()) return null;
  return number.ext ? `${number.number} x${number.ext}` : number.number;
}
