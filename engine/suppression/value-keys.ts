/**
 * The forms in which values of the suppression list are compared (docs/rules.md, "Suppression").
 * Each spelling of a value has the same key.
 */
import { domainToASCII } from 'node:url';
import type { SuppressionKind } from '../contract/suppression/suppression.ts';
import type { countryCode } from '../directory/normalize/country-code.ts';
import { foldText } from '../directory/normalize/fold-text.ts';
import { readEmailKey, readUrlKey } from '../directory/normalize/match-address.ts';
import { companyNameKey } from '../directory/normalize/normalize-company.ts';
import { emailDomain } from '../directory/normalize/normalize-email.ts';
import { normalizePhone } from '../directory/normalize/normalize-phone.ts';
import { websiteDomain } from '../directory/normalize/normalize-url.ts';

/** The key of an entry, or of a value that is looked for: the kind and the compared form. */
export type ValueKey = `${SuppressionKind}:${string}`;

const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const hostShape = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])$/;

/** A name in the compared form: folded, with single spaces. */
export const foldName = (text: string): string => foldText(text).trim().replace(/\s+/g, ' ');

/** The host of a domain, a website or a URL, without `www.`; '' if there is none. */
export function readHost(text: string): string {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^\/\//, '')
    .replace(/[/?#].*$/s, '')
    .replace(/^.*@/, '')
    .replace(/:\d*$/, '')
    .replace(/\.$/, '')
    .replace(/^www\.(?=.*\.)/, '');
  const host = /^[\x20-\x7e]*$/.test(bare) ? bare : domainToASCII(bare);
  return hostShape.test(host) && !/^[\d.]+$/.test(host) ? host : '';
}

/** The number in a text in E.164, without an extension; '' if there is none. */
export function readPhoneKey(text: string, country: ReturnType<typeof countryCode>): string {
  // An Excel cell may have a leading apostrophe.
  const number = normalizePhone(text.replace(/^(?:tel:|')\s*/i, ''), country);
  return number?.replace(/ x.*$/, '') ?? '';
}

/** "*.example.com" or "example.com" in the compared form; '' if there is no domain. */
function readDomain(text: string): string {
  const [, star = '', rest = ''] = /^\s*(?:@|(\*\.))?(.*)$/s.exec(text) ?? [];
  const host = readHost(rest);
  return host && `${star}${host}`;
}

/** A UUID of the directory, or "name | employer"; '' if it is neither. */
function readPerson(text: string): string {
  const trimmed = text.trim();
  if (uuidShape.test(trimmed)) return trimmed.toLowerCase();
  const [name = '', employer = '', ...others] = trimmed.split('|');
  const key = readHost(employer) || companyNameKey(employer);
  const folded = foldName(name);
  return folded && key && others.length === 0 ? `${folded}|${key}` : '';
}

const readers: Readonly<Record<SuppressionKind, (text: string) => string>> = {
  person: readPerson,
  email: readEmailKey,
  domain: readDomain,
  company: (text) => companyNameKey(text.trim()),
  phone: (text) => readPhoneKey(text, null),
  profile_url: (text) => (/[^/]\/[^/]|\?/.test(text) ? readUrlKey(text.trim()) : ''),
};

/** The compared form of a value of a kind; '' if the value is not of the kind. */
export const readValueKey = (kind: SuppressionKind, text: string): string => readers[kind](text);

/**
 * The kind of a value by its form; null if only a person can know, as for a company's name.
 */
export function recognizeKind(text: string): SuppressionKind | null {
  const trimmed = text.trim();
  if (uuidShape.test(trimmed) || trimmed.includes('|')) return 'person';
  if (/^(?:\*\.|@)/.test(trimmed)) return 'domain';
  if (trimmed.includes('@') && !/:\/\//.test(trimmed)) return 'email';
  if (/^(?:tel:|'?[+(]?\d)[\d\s().+/-]{5,}/i.test(trimmed)) return 'phone';
  const path = trimmed.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/^[^/?#]*/, '');
  if (readHost(trimmed) === '') return null;
  return path.replace(/\/+$/, '') === '' ? 'domain' : 'profile_url';
}

/** The keys under which an entry may cover a host: its own, its parents', and their wildcards. */
export function listHostKeys(host: string): ValueKey[] {
  const keys: ValueKey[] = [`domain:${host}`];
  for (let at = host.indexOf('.'); at >= 0; at = host.indexOf('.', at + 1)) {
    const parent = host.slice(at + 1);
    if (parent.includes('.')) keys.push(`domain:${parent}`, `domain:*.${parent}`);
  }
  return keys;
}

/** The keys under which an entry may cover an address. */
export const listEmailKeys = (email: string): ValueKey[] => [
  `email:${email}`,
  ...listHostKeys(readHost(emailDomain(email))),
];

/**
 * The keys under which an entry may cover the URL with a key. A domain does not cover pages on a
 * host where anyone may have one, such as linkedin.com.
 */
export const listUrlKeys = (key: string): ValueKey[] => [
  `profile_url:${key}`,
  ...(websiteDomain(key) === null ? [] : listHostKeys(readHost(key))),
];

/** The keys under which an entry may cover a value of a kind. */
export function listCoveringKeys(kind: SuppressionKind, key: string): ValueKey[] {
  if (kind === 'email') return listEmailKeys(key);
  if (kind === 'domain') {
    const host = key.replace(/^\*\./, '');
    return [...new Set<ValueKey>([`domain:${key}`, ...listHostKeys(host)])];
  }
  return kind === 'profile_url' ? listUrlKeys(key) : [`${kind}:${key}`];
}
