/** Parses single cells of a list, with a remark if a value cannot be used. */
import { emailStatuses } from '../../../contract/jobs/job.ts';
import { countryCode } from '../../normalize/country-code.ts';
import { isOngoing, normalizeDate } from '../../normalize/normalize-date.ts';
import { emailDomain, isRoleMailbox, normalizeEmail } from '../../normalize/normalize-email.ts';
import { normalizePhone } from '../../normalize/normalize-phone.ts';
import { isDisposableDomain } from '../../normalize/reference-tables.ts';
import type { RemarkOnRow } from '../import-tally.ts';

const shownCharactersMax = 60;

function quote(text: string): string {
  return JSON.stringify(
    text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text,
  );
}

/** A phone number; '' (and a remark) if the cell is not a valid number. */
export function readPhone(
  text: string,
  country: string,
  column: string,
  remark: RemarkOnRow,
): string {
  if (text === '') return '';
  const number = normalizePhone(text, country === '' ? null : countryCode(country));
  if (!number) remark(`${quote(text)} is not a valid phone number and was omitted.`, column);
  return number ?? '';
}

/** An email address; '' (and a remark) if the cell is not one. */
export function readEmail(text: string, column: string, remark: RemarkOnRow): string {
  if (text === '') return '';
  const email = normalizeEmail(text);
  if (!email) remark(`${quote(text)} is not an email address and was omitted.`, column);
  return email ?? '';
}

/** A date; '' (and a remark) if the cell is not one. */
export function readDate(text: string, column: string, remark: RemarkOnRow): string {
  if (text === '' || isOngoing(text)) return '';
  const date = normalizeDate(text);
  if (!date)
    remark(`${quote(text)} is not a date and was omitted. Write dates as 2026-03-31.`, column);
  return date ?? '';
}

const statusWords: Readonly<Record<string, (typeof emailStatuses)[number]>> = {
  ...Object.fromEntries(emailStatuses.map((status) => [status.replaceAll('_', ''), status])),
  verified: 'valid',
  deliverable: 'valid',
  ok: 'valid',
  good: 'valid',
  undeliverable: 'invalid',
  bounced: 'invalid',
  bounce: 'invalid',
  hardbounce: 'invalid',
  bad: 'invalid',
  notvalid: 'invalid',
  acceptall: 'catch_all',
  catchall: 'catch_all',
};

/** The status of an address: from the list, otherwise from the address itself. */
export function readEmailStatus(email: string, text: string): string {
  if (email === '') return '';
  const said = statusWords[text.toLowerCase().replace(/[^a-z]/g, '')];
  if (said && said !== 'unknown') return said;
  if (isDisposableDomain(emailDomain(email))) return 'disposable';
  return isRoleMailbox(email) ? 'role' : 'unknown';
}
