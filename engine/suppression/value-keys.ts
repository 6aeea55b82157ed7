// The compared forms of values: each spelling has the same key (docs/rules.md, "The directory").
import { domainToASCII } from 'node:url';
import type { CountryCode } from 'libphonenumber-js';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import { comparableText, readEscapes } from '../directory/normalize/comparable-text.ts';
import { fieldKeys } from '../directory/normalize/field-keys.ts';
import { emailDomain, readAddressText } from '../directory/normalize/normalize-email.ts';
import { writeAsciiDigits } from '../directory/normalize/normalize-phone.ts';
import { websiteDomain } from '../directory/normalize/normalize-url.ts';

/** The key of an entry, or of a value that is looked for: the kind and the compared form. */
export type ValueKey = `${SuppressionKind}:${string}`;

const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const hostShape = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/;
const plainHost = /^(?:[a-z0-9-]+\.)+[a-z]+$/;

/** The host of a domain, a website or a URL, without `www.`; '' if there is none. */
export function readHost(text: string): string {
  if (plainHost.test(text) && !text.startsWith('www.')) return text;
  const bare = readEscapes(text)
    .trim()
    .toLowerCase()
    .replaceAll('\u3002', '.')
    .replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]+/, '')
    .replace(/[/\\?#].*$/s, '')
    .replace(/^.*@/, '')
    .replace(/:\d*$/, '')
    .replace(/(?<!\.)\.+$/, '')
    .replace(/^www\.(?=.*\.)/, '');
  const host = /^[\x20-\x7e]*$/.test(bare) ? bare : domainToASCII(bare);
  return hostShape.test(host) && !/^[\d.]+$/.test(host) ? host : '';
}

/** "*.example.com" or "example.com" in the compared form; '' if there is no domain. */
function readDomain(text: string): string {
  const [, star = '', rest = ''] = /^\s*(?:@|(\*\.))?(.*)$/s.exec(comparableText(text)) ?? [];
  const host = readHost(rest);
  return host && `${star}${host}`;
}

/** A UUID of the directory, or "name | employer"; '' if it is neither. */
function readPerson(text: string): string {
  const trimmed = comparableText(text).trim();
  if (uuidShape.test(trimmed)) return trimmed.toLowerCase();
  const [name = '', employer = '', ...others] = trimmed.split('|');
  const key = readHost(employer) || fieldKeys.company_name(employer);
  const folded = fieldKeys.name(name);
  return folded && key && others.length === 0 ? `${folded}|${key}` : '';
}

const readers: Readonly<Record<SuppressionKind, (text: string) => string>> = {
  person: readPerson,
  email: fieldKeys.email,
  domain: readDomain,
  company: fieldKeys.company_name,
  phone: (text) => fieldKeys.phone(text, null),
  profile_url: (text) => {
    const key = fieldKeys.profile_url(text);
    return /[/?]/.test(key) ? key : '';
  },
};

/** The compared form of a value of a kind; '' if the value is not of the kind. */
export const readValueKey = (kind: SuppressionKind, text: string): string => readers[kind](text);

/** The kind of a value by its form; null if only a person can know, as for a company's name. */
export function recognizeKind(text: string): SuppressionKind | null {
  const trimmed = writeAsciiDigits(comparableText(text)).trim();
  if (uuidShape.test(trimmed) || trimmed.includes('|')) return 'person';
  if (/^(?:\*\.|@)/.test(trimmed)) return 'domain';
  if (fieldKeys.email(trimmed) !== '') return 'email';
  if (trimmed.includes('@') && !/:\/\//.test(trimmed)) return 'email';
  if (/^(?:tel:|'?[+(]?\d)[\d\s().+/-]{5,}/i.test(trimmed)) return 'phone';
  const path = trimmed.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/?#]*/, '');
  if (readHost(trimmed) === '') return null;
  return /^\/*$/.test(path) ? 'domain' : 'profile_url';
}

/** The most that a name of the DNS has: a cell of dots must not have thousands of long parents. */
const hostCharactersMax = 253;

/** The keys under which an entry may cover a host: its own, its parents', and their wildcards. */
export function listHostKeys(host: string): ValueKey[] {
  const keys: ValueKey[] = [`domain:${host}`];
  const from = host.length - hostCharactersMax - 1;
  for (let at = host.indexOf('.', from); at >= 0; at = host.indexOf('.', at + 1)) {
    const parent = host.slice(at + 1);
    if (parent.includes('.')) keys.push(`domain:${parent}`, `domain:*.${parent}`);
  }
  return keys;
}

/** An address without its tag. */
export function readMailbox(email: string): string {
  const tag = email.indexOf('+');
  return tag > 0 ? email.slice(0, tag) + email.slice(email.lastIndexOf('@')) : email;
}

/** An entry may cover an address without its tag: "ada+news@…" is the same mailbox. */
export function listEmailKeys(email: string): ValueKey[] {
  const keys: ValueKey[] = [`email:${email}`, ...listHostKeys(readHost(emailDomain(email)))];
  const mailbox = readMailbox(email);
  if (mailbox !== email) keys.push(`email:${mailbox}`);
  return keys;
}

/**
 * The keys under which an entry may cover the URL with a key. A domain does not cover pages on a
 * host where anyone may have one, such as linkedin.com.
 */
export const listUrlKeys = (key: string): ValueKey[] => [
  `profile_url:${key}`,
  ...(websiteDomain(key) === null ? [] : listHostKeys(readHost(key))),
];

export function listCoveringKeys(kind: SuppressionKind, key: string): ValueKey[] {
  if (kind === 'email') return listEmailKeys(key);
  if (kind === 'domain') {
    const host = key.replace(/^\*\./, '');
    return [...new Set<ValueKey>([`domain:${key}`, ...listHostKeys(host)])];
  }
  return kind === 'profile_url' ? listUrlKeys(key) : [`${kind}:${key}`];
}

/** What a text has only if a value in it may be written in an unusual way. */
const unusual = /[^\x20-\x7e]|[%&\\(]|[[{]\s?(?:at|dot)|["']\s*[@.]|@["']|\s@|@\s|\.\.|\sdot\s/i;

function readPlainly(text: string): string[] {
  const read = writeAsciiDigits(readAddressText(text));
  const bare = read.replace(/["\\]|\([^()]*\)(?=@)|(?<=@)\([^()]*\)/g, '');
  return [read, bare];
}

/** The end of a file's name behind a value: "-export.csv", "_2.xlsx", ".csv.gz". */
const fileEnding =
  /(?:[-_][^\s@.]{0,80})?(?:\.(?:csv|tsv|tab|txt|xls[bmx]?|ods|xml|html?|jsonl?|vcf|parquet|gz|zip))+(?![\p{L}\p{N}.@-])/giu;

/**
 * A text as it would be written plainly: with escapes decoded, then also without quotes and
 * comments, then also with what matching repairs. Empty if it is written plainly.
 */
function readUnusual(text: string): string[] {
  if (!unusual.test(text)) return [];
  const onOneLine = text.replace(/[\t\r\n]+/g, '');
  const lastDot = [...onOneLine.matchAll(/\sdot\s/gi)].at(-1)?.index ?? -1;
  const repaired = onOneLine
    .replace(/\sat\s/gi, (at, offset: number) => (offset < lastDot ? '@' : at))
    .replace(/\sdot\s/gi, '.')
    .replace(/\.{2,}/g, '.');
  const readings = readPlainly(text);
  if (repaired !== text) readings.push(...readPlainly(repaired));
  return [...new Set(readings)];
}

/** The same, also of a text without the ends of files' names. */
export function listPlainReadings(text: string): string[] {
  const bare = text.includes('@') ? text.replace(fileEnding, ' ') : text;
  return bare === text ? readUnusual(text) : [bare, ...readUnusual(text), ...readUnusual(bare)];
}

/** What may surround an address in a text. */
const aroundAddress = /[\s,;:<>()[\]{}|@]/;
/** What an address may have, but what may also stand before one, as in "email=ada@acme.example". */
const beforeAddress = /[!#$%&'*/=?^`~]/;
const afterDomain = /[\s,;:<>()[\]{}|'!#$%&*/=?^`~@_]/;
const addressCharactersMax = 254;

/** The keys of all addresses in a text whose escapes are decoded. */
export function listAddressKeys(text: string): string[] {
  const keys: string[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    let end = at + 1;
    const endMax = Math.min(text.length, at + addressCharactersMax);
    while (end < endMax && !afterDomain.test(text[end]!)) end++;
    if (end === at + 1) continue;
    const startMin = Math.max(0, at - addressCharactersMax);
    for (let start = at - 1; start >= startMin; start--) {
      const isEdge = start === 0 || aroundAddress.test(text[start - 1]!);
      if (!isEdge && !beforeAddress.test(text[start - 1]!)) continue;
      const whole = text.slice(start, end);
      const bare = isEdge ? whole.replace(/^[._-]+/, '') : whole;
      for (const written of new Set([whole, bare])) {
        const key = fieldKeys.email(written);
        if (key !== '') keys.push(key);
      }
      if (isEdge) break;
    }
  }
  return keys;
}

/** Country calling codes (ITU E.164): of one digit, of two, all others of three. */
const callingCode =
  /^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(?=\d{7})/;

/** The key of a number that is written without its country; '' if it is too short to tell. */
const readNationalKey = (digits: string): string => (digits.length < 7 ? '' : `national:${digits}`);

/** The key under which a phone in E.164 is found when its country is not written. */
export const nationalKeyOf = (phone: string): string =>
  readNationalKey(phone.replace(callingCode, '').replace(/^\+/, ''));

/**
 * The keys under which an entry may cover a number in a text.
 * @param isPhone the text is a number's cell, where digits without punctuation are a number too
 */
export function listPhoneKeys(
  text: string,
  country: CountryCode | null,
  isPhone: boolean,
): string[] {
  const found = [fieldKeys.phone(text, null)];
  if (country !== null) found.push(fieldKeys.phone(text, country));
  const digits = text.replace(/\D/g, '');
  // Spreadsheets drop the + of a number.
  if (!text.includes('+')) found.push(`+${digits}`);
  const keys = found.filter((key) => key !== '').map((key) => `phone:${key}`);
  const isNational = isPhone || /^\(?0|[\s().-]/.test(text);
  if (country === null && isNational && !text.includes('+'))
    keys.push(readNationalKey(digits.replace(/^0+/, '')));
  return keys;
}
