// Phone numbers: their stored form, and the key by which they are compared.
import {
  type CountryCode,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';
import { readEscapes } from './comparable-text.ts';

// Most numbers of a North American list, recognised without the full parser, which costs fifty
// times more and accepts all of them unchanged.
const plainNorthAmerican = /^\+1[-. ]?\(?([2-9]\d{2})\)?[-. ]?(\d{3})[-. ]?(\d{4})$/;
const punctuatedNational = /^\(?[2-9]\d{2}\)?[-. ]\s?[2-9]\d{2}[-. ]\d{4}(?!\d)/;

const wholeDigits = /^[1-9]\d{11,14}$/;
/** Words before an extension that the parser does not know. */
const extension =
  /[\s,]+(?:w|wew|dw|nst|apparat|int|interno|ramal|anexo|dahili|доп|вн|内線|内线|내선)\.?[\s:]*(?=\d{1,6}$)/iu;

/** Zeros of the scripts whose digits people write numbers in; nine others follow each. */
const zeros = [...'٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០᠐'].map((zero) => zero.codePointAt(0)!);

function writeAsciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  const zero = zeros.find((one) => code >= one && code < one + 10);
  return zero === undefined ? digit : String(code - zero);
}

export const writeAsciiDigits = (text: string): string =>
  text.replace(/[^\P{Nd}0-9]/gu, writeAsciiDigit);

/** The text of a cell without what people write in front of a number. */
const bareNumber = (text: string): string =>
  writeAsciiDigits(readEscapes(text))
    // An Excel cell may have a leading apostrophe.
    .replace(/^[\s']*(?:tel:\s*)?/i, '')
    .replace(/;ext=/i, ' x')
    .replace(extension, ' x')
    .replace(/[\u00b7\u2022_~*]/g, ' ')
    .replace(/^\(\+/, '+')
    // Many countries dial 00 for the +, North America 011.
    .replace(/^(?:00|011)[-. ]?(?=[1-9])/, '+')
    .trim();

/**
 * The number in a cell as "+16032713661", followed by " x123" for an extension; null if it cannot
 * be read. A number without `+` is read in `country`; without a country, only if it is written in
 * the North American form. Idempotent.
 */
export function normalizePhone(text: string, country: CountryCode | null): string | null {
  const plain = plainNorthAmerican.exec(text.trim());
  if (plain) return `+1${plain[1]}${plain[2]}${plain[3]}`;
  const bare = bareNumber(text);
  const assumed = country ?? (punctuatedNational.test(bare) ? 'US' : null);
  const number = parsePhoneNumberFromString(bare, assumed ? { defaultCountry: assumed } : {});
  if (!number?.isPossible()) {
    // The code of the country without a plus. No national number has twelve digits.
    const isWhole =
      country === null
        ? wholeDigits.test(bare.replace(/[\s().-]/g, ''))
        : bare.startsWith(getCountryCallingCode(country));
    return isWhole ? normalizePhone(`+${bare}`, country) : null;
  }
  return number.ext ? `${number.number} x${number.ext}` : number.number;
}

/**
 * The key of a number: E.164 without the extension, which says how a person is reached at a number
 * and not which number it is; '' if there is none.
 */
export const readPhoneKey = (text: string, country: CountryCode | null): string =>
  normalizePhone(text, country)?.replace(/ x.*$/, '') ?? '';
