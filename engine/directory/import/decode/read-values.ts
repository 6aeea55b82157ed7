// Parses single cells of a list, with a remark if a value cannot be used.
import { importRemarkWords } from '../../../contract/directory.ts';
import { emailStatuses } from '../../../contract/jobs/job.ts';
import { countryCode } from '../../normalize/country-code.ts';
import {
  type DayOrder,
  isAmbiguousDate,
  isOngoing,
  normalizeDate,
} from '../../normalize/normalize-date.ts';
import { emailDomain, isRoleMailbox } from '../../normalize/normalize-email.ts';
import { employeeRange, type FiledRange, revenueRange } from '../../normalize/ranges.ts';
import { type CellPhones, readEmails, readPhones } from '../../normalize/read-cell.ts';
import { isDisposableDomain } from '../../normalize/reference-tables.ts';
import type { RemarkOnRow } from '../import-tally.ts';
import type { FilledCell } from './map-columns.ts';

const shownCharactersMax = 60;

function quote(text: string): string {
  return JSON.stringify(
    text.length > shownCharactersMax ? `${text.slice(0, shownCharactersMax)}…` : text,
  );
}

/** Remarks that only the first of several values of a cell was taken. */
function remarkOnRest(
  { text, header }: FilledCell,
  what: string,
  values: readonly string[],
  remark: RemarkOnRow,
): void {
  if (values.length > 1)
    remark(`${quote(text)} has ${values.length} ${what}; ${values[0]} was taken.`, header);
}

function describePhone(text: string, problem: CellPhones['problem'], country: string): string {
  if (problem === 'digits_lost')
    return (
      `${quote(text)} was shortened by a spreadsheet and was omitted. Save the column as text ` +
      'and import again.'
    );
  if (problem !== 'no_country')
    return `${quote(text)} is not a valid phone number and was omitted.`;
  const why =
    country === '' ? 'the row names no country' : `the country ${quote(country)} is not known`;
  return (
    `${quote(text)} is not a valid phone number without a country and was omitted: ${why}. ` +
    'Add the country, or write the number as +49 421 123456.'
  );
}

/** The first phone number; '' without one. Remarks on cells without a number, and on others. */
export function readPhone(
  cells: readonly FilledCell[],
  country: string,
  remark: RemarkOnRow,
): string {
  if (cells.length === 0) return '';
  const code = country === '' ? null : countryCode(country);
  for (const cell of cells) {
    const { numbers, problem } = readPhones(cell.text, code);
    remarkOnRest(cell, 'phone numbers', numbers, remark);
    if (numbers[0] !== undefined) return numbers[0];
    remark(describePhone(cell.text, problem, country), cell.header);
  }
  return '';
}

/** The range that the first of a field's cells is filed under; null without one. */
function readRange(
  [cell]: readonly FilledCell[],
  remark: RemarkOnRow,
  find: (text: string, header: string) => FiledRange | null,
): string | null {
  const filed = cell === undefined ? null : find(cell.text, cell.header);
  if (cell && filed?.isApproximate)
    remark(
      `${quote(cell.text)} reaches over several ranges. It is kept as it is, and filters find it ` +
        `under ${filed.label.replaceAll('$', '')}.`,
      cell.header,
    );
  return filed?.label ?? null;
}

export const readEmployees = (cells: readonly FilledCell[], remark: RemarkOnRow) =>
  readRange(cells, remark, employeeRange);

export const readRevenue = (cells: readonly FilledCell[], remark: RemarkOnRow) =>
  readRange(cells, remark, revenueRange);

/** The first email address; '' without one. Remarks on cells without one, and on others. */
export function readEmail(cells: readonly FilledCell[], remark: RemarkOnRow): string {
  for (const cell of cells) {
    const emails = readEmails(cell.text);
    remarkOnRest(cell, 'email addresses', emails, remark);
    if (emails[0] !== undefined) return emails[0];
    remark(`${quote(cell.text)} is not an email address and was omitted.`, cell.header);
  }
  return '';
}

const sayOrder = 'Say whether the file writes the day or the month first, and import again.';

/** A date; '' (and a remark) if it is none. Of one that may mean two days, the year. */
export function readDate(
  text: string,
  order: DayOrder | null,
  column: string,
  remark: RemarkOnRow,
): string {
  if (text === '' || isOngoing(text)) return '';
  const date = normalizeDate(text, order);
  if (date?.length === 4 && order === null && isAmbiguousDate(text))
    remark(
      `${quote(text)} ${importRemarkWords.twoDays}, and only its year was kept. ${sayOrder}`,
      column,
    );
  if (!date)
    remark(`${quote(text)} is not a date and was omitted. Write dates as 2026-03-31.`, column);
  return date ?? '';
}

/** What is wrong with a date of observation; null if it is a day. */
function describeNoDay(text: string, date: string | null, order: DayOrder | null): string | null {
  if (date?.length === 10) return null;
  const counts = 'so the row counts as observed on the day of the import';
  if (date === null) return `${quote(text)} is not a date, ${counts}. Write dates as 2026-03-31.`;
  if (order === null && isAmbiguousDate(text))
    return `${quote(text)} ${importRemarkWords.twoDays}, ${counts}. ${sayOrder}`;
  return `${quote(text)} names no day, ${counts}. Write dates as 2026-03-31.`;
}

/** The day of observation in a row; '' (and a remark) if the cell names none. */
export function readObserved(
  text: string,
  order: DayOrder | null,
  column: string,
  remark: RemarkOnRow,
): string {
  if (text === '' || isOngoing(text)) return '';
  const date = normalizeDate(text, order);
  const problem = describeNoDay(text, date, order);
  if (problem === null) return date ?? '';
  remark(problem, column);
  return '';
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
