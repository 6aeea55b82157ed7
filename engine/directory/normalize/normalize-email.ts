// Email addresses: their stored form, and which of them belong to an office.
import { domainToASCII, domainToUnicode } from 'node:url';
import { valueCharactersMax } from '../../contract/limits/spreadsheet.ts';
import { comparableText, hasEscape, readEscapes } from './comparable-text.ts';

// The characters that RFC 5321 allows without quotes.
const addressShape =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{N}-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~\p{L}\p{M}\p{N}-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}]$/iu;
// The most common addresses, recognised without Unicode tables.
const plainAddress =
  /^[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/i;
// The label of a domain in its encoded form.
const encodedLabel = 'xn--';
const addressCharactersMax = 254;
const localCharactersMax = 64;

/** A text whose escapes are decoded, with the signs of addresses for "(at)" and "[dot]". */
export const readAddressText = (text: string): string =>
  readEscapes(text)
    .replace(/\s{0,9}[([{]\s{0,9}at\s{0,9}[)\]}]\s{0,9}/gi, '@')
    .replace(/\s{0,9}[([{]\s{0,9}dot\s{0,9}[)\]}]\s{0,9}/gi, '.')
    .replace(/ {0,9}@ {0,9}/g, '@')
    .replaceAll('\u3002', '.');

// Quotes, pictures, and the signs of lists.
const quotes = String.raw`'"\u201c-\u201f\u00ab\u00bb\u2039\u203a\u0060\p{So}\ufe0f\u2022\u2023\u00b7`;
const leadingQuotes = new RegExp(`^[${quotes}<\\s]+`, 'u');
const trailingQuotes = new RegExp(`[${quotes}>\\s.,;:!?_*\\-]+$`, 'u');
// A full stop before the at sign is a mistake that nobody can correct, and no decoration.
const trailingLocalQuotes = new RegExp(`[${quotes}\\s]+$`, 'u');

/** The address in a text, without what people write around it. */
function bareAddress(text: string): string {
  const isQuotedLocal = /^[\s<]*"[^"@]*"/.test(text);
  return (isQuotedLocal ? text : text.replace(leadingQuotes, ''))
    .replace(trailingQuotes, '')
    .replace(/^.*</s, '')
    .replace(/^mailto:\s*/i, '')
    .replace(/(@[^?]*)\?.*$/s, '$1')
    .replace(/ *\([^()]*\) */g, '');
}

/** A local part without quotes and escapes. */
const bareLocal = (local: string): string =>
  local
    .replace(/"((?:[^"\\]|\\.)*)"/g, '$1')
    .replace(/\\(.)/g, '$1')
    .replace(leadingQuotes, '')
    .replace(trailingLocalQuotes, '');

/** A quoted local part, without an at sign, which would hide where the domain begins. */
const quotedLocal = /(?<![^\s<:'(])"(?:[^"\\@\p{Cc}]|\\[^@\p{Cc}])+"(?=@)/u;
/** Replaces a quoted local part while the text around it is removed. */
const placeholder = 'q';

/** A domain in lower case and in letters, not in its encoded form; '' if it is none. */
function readDomain(written: string): string {
  const domain = written.replaceAll('\\', '').replace(trailingQuotes, '').toLowerCase();
  if (!domain.includes(encodedLabel) && /^[a-z0-9.-]*$/.test(domain)) return domain;
  return domainToUnicode(domain);
}

function readAddress(text: string): string | null {
  if (text.length > valueCharactersMax) return null;
  const given = readAddressText(text);
  const quoted = quotedLocal.exec(given)?.[0];
  const address = bareAddress(
    quoted === undefined ? given : given.replace(quoted, () => placeholder),
  );
  const at = address.lastIndexOf('@');
  if (at < 1) return null;
  const written = address.slice(0, at);
  if (quoted !== undefined && written !== placeholder) return null;
  const bare = bareLocal(quoted ?? written);
  const isAscii = /^[\x20-\x7e]*$/.test(bare);
  const local = isAscii ? bare : comparableText(bare.toLowerCase());
  const domain = readDomain(address.slice(at + 1));
  const normal = `${local}@${domain}`;
  if (hasEscape(normal)) return null;
  if (addressShape.test(normal)) return normal;
  const needsQuotes = quoted !== undefined && /[\p{L}\p{N}]/u.test(quoted);
  return needsQuotes && addressShape.test(`${placeholder}@${domain}`)
    ? `${quoted}@${domain}`
    : null;
}

/**
 * The one address in a cell, however it is written: without "mailto:", brackets, quotes, escapes
 * and invisible characters, with its domain in lower case and in letters. Null if the cell does not
 * have exactly one address. Idempotent.
 */
export function normalizeEmail(text: string): string | null {
  const isPlain = plainAddress.test(text) && !text.includes(encodedLabel);
  const address = isPlain ? text : readAddress(text);
  if (address === null) return null;
  const at = address.lastIndexOf('@');
  if (address.length > addressCharactersMax || at > localCharactersMax) return null;
  return isPlain ? address.slice(0, at) + address.slice(at).toLowerCase() : address;
}

/** The domain of a normalised address, in the encoded form that websites have. */
export function emailDomain(email: string): string {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  return /^[\x20-\x7e]*$/.test(domain) ? domain : domainToASCII(domain) || domain;
}

const roleWords = new Set(
  (
    'info information contact contacts contactus hello hi hey office offices mail mailbox ' +
    'email inbox post postmaster webmaster hostmaster admin admins administrator ' +
    'administration support help helpdesk service services customer customers ' +
    'customerservice customercare care sales marketing press media news newsletter pr ' +
    'communications team staff everyone all hr jobs job careers career recruiting ' +
    'recruitment talent hiring billing accounts accounting invoice invoices finance ' +
    'payments payroll legal compliance privacy security abuse noc it tech technical ops ' +
    'operations orders order purchasing procurement shop store booking bookings ' +
    'reservations reception frontdesk desk enquiries enquiry inquiries inquiry general ' +
    'feedback noreply donotreply reply no partners partner partnerships investors ir events ' +
    'event admissions registrar library alumni president presidents provost dean chancellor ' +
    'principal superintendent ceo cfo coo cto director management manager board council ' +
    'councils clerk city town county village mayor mayors mayoroffice mayorsoffice ' +
    'officeofthemayor governor governors governorsoffice senate house senator ' +
    'representative delegate district districts constituent constituents scheduling ' +
    'scheduler correspondence citizen public affairs webteam kontakt buero vertrieb ' +
    'verwaltung poststelle bewerbung contacto ventas soporte administracion oficina bonjour ' +
    'accueil commercial secretariat secretary the of us me s'
  ).split(' '),
);
// Words that name an office only with a number: rep72@, sd26@, s34@.
const numberedOffices = new Set(
  'rep sen s h r d hd sd ld hse house senate senator ward seat dist district'.split(' '),
);

/** Whether an address is of an office (info@, mayor@, rep72@): it identifies no one. */
export function isRoleMailbox(email: string): boolean {
  const local = email.slice(0, Math.max(0, email.lastIndexOf('@'))).toLowerCase();
  // The first word shows for nearly all addresses that they belong to no office.
  const first = /^[a-z]+(?=[.\d_-]|$)/.exec(local)?.[0];
  if (first && !roleWords.has(first) && !numberedOffices.has(first)) return false;
  const [base = ''] = local.split('+');
  const words = base.match(/\p{L}+|\d+/gu) ?? [];
  const letters = words.filter((word) => !/\d/.test(word));
  if (letters.length === 0) return false;
  if (letters.length < words.length && letters.every((word) => numberedOffices.has(word)))
    return true;
  return letters.every((word) => roleWords.has(word) && (word.length > 1 || letters.length > 1));
}
