/** Converts dates of lists to ISO dates of the given precision: year, month or day. */
import { copyText } from '../../platform/copy-text.ts';

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

const monthName = '([a-z]{3,9})\\.?';
/** Which of day and month is written first between slashes or hyphens: 31/12/2020 or 12/31/2020. */
export type DayOrder = 'day_first' | 'month_first';

// The first pattern that fits decides; its groups have names. The list decides which of `one` and
// `other` is the day.
const shapes: readonly RegExp[] = [
  /^(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:[t ][\d:.]+(?:z|[+-]\d\d:?\d\d)?)?$/i,
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<one>\d{1,2})[/-](?<other>\d{1,2})[/-](?<year>\d{4})(?:[, t]+[\d:.]+ ?(?:[ap]\.?m\.?)?)?$/i,
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
 * @param order of 05/04/2020; without it such a date, which may be two days, is only its year
 */
export function normalizeDate(text: string, order: DayOrder | null = null): string | null {
  const key = order === null ? text : `${order} ${text}`;
  const kept = known.get(key);
  if (kept !== undefined) return kept;
  const date = parseDate(text.trim(), order);
  if (known.size >= knownMax) known.clear();
  known.set(copyText(key), date && copyText(date));
  return date;
}

/** The order that a date shows by itself, because one of its numbers is no month; else null. */
function showOrder(one: number, other: number): DayOrder | null {
  if (one > 12 && other <= 12) return 'day_first';
  return other > 12 && one <= 12 ? 'month_first' : null;
}

/** Whether a date may mean two days, such as 05/04/2020. */
export function isAmbiguousDate(text: string): boolean {
  const day = normalizeDate(text, 'day_first');
  return day !== null && day !== normalizeDate(text, 'month_first');
}

/**
 * The order of days and months in a column: of the dates that show it; null if none does, or if
 * they contradict each other.
 */
export function findDayOrder(cells: Iterable<string>): DayOrder | null {
  let found: DayOrder | null = null;
  for (const cell of cells) {
    const parts = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{4}/.exec(cell);
    const order = parts && showOrder(Number(parts[1]), Number(parts[2]));
    if (!order) continue;
    if (found !== null && found !== order) return null;
    found = order;
  }
  return found;
}

function parseDate(trimmed: string, order: DayOrder | null): string | null {
  const parts = shapes.map((shape) => shape.exec(trimmed)?.groups).find(Boolean);
  if (!parts) return null;
  const year = Number(parts.year);
  if (year < 1800 || year > 2200) return null;
  const named = parts.name ? months.indexOf(parts.name.slice(0, 3).toLowerCase()) + 1 : undefined;
  let month = named ?? (parts.month ? Number(parts.month) : undefined);
  let day = parts.day ? Number(parts.day) : undefined;
  if (parts.one !== undefined && parts.other !== undefined) {
    const [one, other] = [Number(parts.one), Number(parts.other)];
    const decided = showOrder(one, other) ?? order ?? (one === other ? 'day_first' : null);
    if (decided === null) return one > 12 || one < 1 || other < 1 ? null : String(year);
    [day, month] = decided === 'day_first' ? [one, other] : [other, one];
  }
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
