/** Converts dates of lists to ISO dates of the given precision: year, month or day. */
import { copyText } from '../../platform/copy-text.ts';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const monthName = '([a-z]{3,9})\\.?';
// The first pattern that fits decides; its groups have names. Slashes mean month first, unless that
// is impossible.
const shapes: readonly RegExp[] = [
  /^(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:[t ][\d:.]+(?:z|[+-]\d\d:?\d\d)?)?$/i,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<month>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4})$/,
  /^(?<month>\d{1,2})[/.-](?<year>\d{4})$/,
  new RegExp(`^(?<name>${monthName}),? (?<year>\\d{4})$`, 'i'),
  new RegExp(`^(?<name>${monthName}) (?<day>\\d{1,2}),? (?<year>\\d{4})$`, 'i'),
  new RegExp(`^(?<day>\\d{1,2}) (?<name>${monthName}),? (?<year>\\d{4})$`, 'i'),
];

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

// Dates repeat in lists.
const known = new Map<string, string | null>();
const knownMax = 20_000;

/**
 * "2020", "2020-03" or "2020-03-01" for the date in a cell; null if it has no date between 1800 and
 * 2200. Idempotent.
 */
export function normalizeDate(text: string): string | null {
  const kept = known.get(text);
  if (kept !== undefined) return kept;
  const date = parseDate(text.trim());
  if (known.size >= knownMax) known.clear();
  known.set(copyText(text), date && copyText(date));
  return date;
}

function parseDate(trimmed: string): string | null {
  const parts = shapes.map((shape) => shape.exec(trimmed)?.groups).find(Boolean);
  if (!parts) return null;
  const year = Number(parts.year);
  if (year < 1800 || year > 2200) return null;
  const named = parts.name ? months.indexOf(parts.name.slice(0, 3).toLowerCase()) + 1 : undefined;
  let month = named ?? (parts.month ? Number(parts.month) : undefined);
  let day = parts.day ? Number(parts.day) : undefined;
  if (month !== undefined && day !== undefined && month > 12 && trimmed.includes('/'))
    [month, day] = [day, month];
  if (month === undefined) return String(year);
  if (month < 1 || month > 12) return null;
  const yearMonth = `${year}-${String(month).padStart(2, '0')}`;
  if (day === undefined) return yearMonth;
  if (day < 1 || day > daysIn(year, month)) return null;
  return `${yearMonth}-${String(day).padStart(2, '0')}`;
}

/** Whether an end date means "until now". */
export function isOngoing(text: string): boolean {
  return /^(?:present|now|current|currently|ongoing|today|heute|aujourd'hui|actual|-)$/i.test(
    text.trim(),
  );
}
