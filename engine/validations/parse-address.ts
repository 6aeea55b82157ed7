// Syntax of email addresses: RFC 5321 (lengths, quoted local parts), RFC 6531 (internationalised
// addresses) and RFC 1035 (domain names). One pass that reports the problem.
import { domainToASCII } from 'node:url';
import type { ValidationReason } from '../contract/validations.ts';

export interface Address {
  /** As written, before the last @. */
  readonly local: string;
  /** In lower case; internationalised domains in their xn-- form. */
  readonly domain: string;
}

export type ParsedAddress = { readonly address: Address } | { readonly problem: ValidationReason };

const localBytesMax = 64;
const addressBytesMax = 254;
const labelCharactersMax = 63;
const domainCharactersMax = 253;

// RFC 5321 atext, and any non-ASCII character except controls, spaces and invisible characters
// (joiners are part of letters in some scripts).
const beyondAscii = '(?:[\\u200c\\u200d]|[^\\p{C}\\p{Z}\\p{ASCII}])';
const atom = `(?:[a-zA-Z0-9!#$%&'*+/=?^_\`{|}~-]|${beyondAscii})+`;
const dotString = new RegExp(`^${atom}(?:\\.${atom})*$`, 'u');
const quotedString = new RegExp(
  `^"(?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e]|${beyondAscii})*"$`,
  'u',
);
const displayName = /^[^<>]*<[^<>@]*@[^<>]*>$/;
const addressLiteral = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[0-9a-f:.]+)\]$/i;
const writtenDomain = /^[a-zA-Z0-9.\-\P{ASCII}]+$/u;
const label = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Index of the @ after the local part: the last one that is not in quotes; -1 without one. */
function findAt(text: string): number {
  const quoted = /^"(?:[^"\\]|\\.)*"(?=@)/s.exec(text)?.[0];
  return quoted === undefined ? text.lastIndexOf('@') : quoted.length;
}

/** A comment is in parentheses outside quotes. A quote that nothing closes is a character. */
function hasComment(text: string): boolean {
  const bare = text.replace(/"(?:[^"\\]|\\.)*("|\\?$)/gs, (all, end) => (end === '"' ? '' : all));
  const opensAt = bare.indexOf('(');
  return opensAt >= 0 && bare.includes(')', opensAt);
}

function findLocalProblem(local: string): ValidationReason | null {
  if (Buffer.byteLength(local) > localBytesMax) return 'local_part_too_long';
  // The normalisation form of internationalised addresses (RFC 6532, 3.1).
  const isComposed = local === local.normalize('NFC');
  const isWellFormed = dotString.test(local) || quotedString.test(local);
  return isComposed && isWellFormed ? null : 'local_part_malformed';
}

function readDomain(written: string): { domain: string } | { problem: ValidationReason } {
  if (!writtenDomain.test(written)) return { problem: 'domain_malformed' };
  const isAscii = /^\p{ASCII}+$/u.test(written);
  // An invalid label in xn-- form is refused as well.
  const domain = domainToASCII(written).toLowerCase();
  if (domain === '' || (isAscii && domain !== written.toLowerCase()))
    return { problem: 'domain_malformed' };
  const labels = domain.split('.');
  if (labels.some((one) => one.length > labelCharactersMax || !label.test(one)))
    return { problem: 'domain_malformed' };
  if (domain.length > domainCharactersMax) return { problem: 'domain_malformed' };
  if (/^\d+$/.test(labels.at(-1) ?? '')) return { problem: 'domain_malformed' };
  return labels.length === 1 ? { problem: 'domain_incomplete' } : { domain };
}

/** Parses an address, or reports the problem. @param text without surrounding spaces */
export function parseAddress(text: string): ParsedAddress {
  if (!text.isWellFormed()) return { problem: 'not_an_address' };
  if (displayName.test(text)) return { problem: 'display_name' };
  if (hasComment(text)) return { problem: 'comment' };
  const at = findAt(text);
  if (at < 1 || at === text.length - 1) return { problem: 'not_an_address' };
  const local = text.slice(0, at);
  const written = text.slice(at + 1);
  if (!local.startsWith('"') && local.includes('@')) return { problem: 'not_an_address' };
  const problem = findLocalProblem(local);
  if (problem) return { problem };
  if (addressLiteral.test(written)) return { problem: 'address_literal' };
  const found = readDomain(written);
  if ('problem' in found) return found;
  if (Buffer.byteLength(local) + 1 + found.domain.length > addressBytesMax)
    return { problem: 'address_too_long' };
  return { address: { local, domain: found.domain } };
}

/** Key of an address. Spellings with the same key are validated and paid for once. */
export function addressKey(text: string): string {
  const parsed = parseAddress(text);
  if ('problem' in parsed) return text;
  // Case could distinguish mailboxes (RFC 5321, 2.4), but in practice never does.
  return `${parsed.address.local.toLowerCase()}@${parsed.address.domain}`;
}

const reservedNames =
  /(?:^|\.)(?:(?:test|example|invalid|localhost|onion|alt)|example\.(?:com|net|org))$/;

/** Whether a domain can never be on the internet (RFC 2606, 6761, 7686, 9476). */
export const isReservedDomain = (domain: string): boolean => reservedNames.test(domain);
