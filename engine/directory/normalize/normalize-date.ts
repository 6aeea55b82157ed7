// Converts dates of lists to ISO dates of the given precision: year, month or day.
import { copyText } from '../../platform/copy-text.ts';

const monthName = '\\p{L}{3,14}\\.?';
const languages =
  'en de fr es it pt nl pl cs sk sl hr hu ro sv da nb fi et lv lt tr ru uk bg el id ca'.split(' ');

const foldMonth = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|\./gu, '');

let monthsByName: ReadonlyMap<string, number> | null = null;

/** Names of months, long and short, alone and after a day; none that two languages use for two. */
function collectMonths(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const formats = (['long', 'short'] as const).flatMap((month) => [
    { month, timeZone: 'UTC' } as const,
    { month, day: 'numeric', timeZone: 'UTC' } as const,
  ]);
  for (const format of languages.flatMap((language) =>
    formats.map((options) => new Intl.DateTimeFormat(language, options)),
  ))
    for (let month = 1; month <= 12; month++) {
      const parts = format.formatToParts(Date.UTC(2021, month - 1, 15));
      const name = foldMonth(parts.find(({ type }) => type === 'month')?.value ?? '');
      if (name.length >= 3) found.set(name, (found.get(name) ?? month) === month ? month : 0);
    }
  return found;
}

/** The month of a name; NaN for a word that is none, or that is another month elsewhere. */
function readMonth(name: string): number {
  monthsByName ??= collectMonths();
  return monthsByName.get(foldMonth(name)) || Number.NaN;
}

/** Before the first year of each era of Japan's calendar. */
const eras: Readonly<Record<string, number>> = { 令和: 2018, 平成: 1988, 昭和: 1925 };
const eraYear = /^(令和|平成|昭和) ?(\d{1,2}|元)(?= ?年)/;
/** How far Thailand's years are ahead, and those that are no others. */
const buddhistYears = { ahead: 543, min: 2_400, max: 2_700 };

/** Which of day and month is written first between slashes or hyphens: 31/12/2020 or 12/31/2020. */
export type DayOrder = 'day_first' | 'month_first';

// The first pattern that fits decides; its groups have names. The list decides which of `one` and
// `other` is the day.
const shapes: readonly RegExp[] = [
  /^(?:(?:q[1-4]|[1-4]q)[ /-]?)?(?<year>\d{4})$/i,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})$/,
  /^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?:[t ][\d:.]+(?:z|[+-]\d\d:?\d\d)?)?$/i,
  /^(?<day>\d{1,2})\. ?(?<month>\d{1,2})\. ?(?<year>\d{4})(?:[, t]+[\d:.]+)?$/i,
  /^(?<year>\d{4}) ?[年년.] ?(?<month>\d{1,2}) ?[月월.] ?(?:(?<day>\d{1,2}) ?[日일.]?)?$/,
  /^(?<one>\d{1,2})[/-](?<other>\d{1,2})[/-](?<year>\d{4})(?:[, t]+[\d:.]+ ?(?:[ap]\.?m\.?)?)?$/i,
  /^(?<month>\d{1,2})[/.-](?<year>\d{4})$/,
  new RegExp(`^(?<name>${monthName}),?[ -/](?:de )?(?<year>\\d{4})$`, 'iu'),
  new RegExp(`^(?<name>${monthName}) (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})$`, 'iu'),
  new RegExp(
    `^(?<day>\\d{1,2})(?:\\.|º|er|st|nd|rd|th)?[ -/]?(?:de |of )?(?<name>${monthName}),?[ -/]` +
      '(?:de |del )?(?<year>\\d{4})$',
    'iu',
  ),
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

/** The order of days and months that a column's dates show; null for none or both. */
export function findDayOrder(cells: Iterable<string>): DayOrder | null {
  let found: DayOrder | null = null;
  for (const cell of cells) {
    const parts = /^\s*(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2}(?!\d))/.exec(cell);
    const order = parts && showOrder(Number(parts[1]), Number(parts[2]));
    if (!order) continue;
    if (found !== null && found !== order) return null;
    found = order;
  }
  return found;
}

/** Longer texts are no dates. */
const dateCharactersMax = 80;
/** The name of a weekday before a date, and a time with its zone behind it. */
const weekday = /^\p{L}{2,12}\.?,\s+/u;
const timeBehind =
  /[\st,]+(?:at |um |à )?\d{1,2}[:.h]\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:[ap]\.?\s?m\.?|uhr)?\s*(?:z|utc|gmt|[a-z]{3,4})?\s*(?:[+-]\d{1,2}:?\d{0,2})?(?:\s*\([^()]*\))?$/iu;
/** 05.03.24: the year of this century, until it would be in more than a few years. */
const shortYear = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2})$/;
const shortYearMax = 60;
/** "Apr-20" and "05-Apr-20", as Excel shows the month of a year and a day. */
const monthAndYear = new RegExp(`^((?:\\d{1,2}[- ])?${monthName})[-’'](\\d{2})$`, 'u');
const dayMs = 86_400_000;
/** Day 0 of Excel's numbers of days; and those of 1954 to 2119, which are no other numbers. */
const excelStart = Date.UTC(1899, 11, 30);
const [excelMin, excelMax] = [20_000, 80_000];

/** The day of a number as programs write it: days of Excel, seconds or milliseconds since 1970. */
function readNumber(text: string): string | null {
  if (/^\d{8}$/.test(text)) return text.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const number = Number(text);
  let time = Number.NaN;
  if (/^\d{5}(?:\.\d+)?$/.test(text) && number >= excelMin && number <= excelMax)
    time = excelStart + Math.floor(number) * dayMs;
  else if (/^1\d{9}$/.test(text)) time = number * 1_000;
  else if (/^1\d{12}$/.test(text)) time = number;
  return Number.isNaN(time) ? null : new Date(time).toISOString().slice(0, 10);
}

const wholeYear = (year: string): string => `${Number(year) > shortYearMax ? 19 : 20}${year}`;

/** A date as one of the shapes has it: without weekday, time and zone, and with a whole year. */
function spellOut(text: string): string {
  const bare = text.replace(weekday, '').replace(timeBehind, '').trim();
  return (readNumber(bare) ?? bare)
    .replace(
      shortYear,
      (_all, one: string, sign: string, other: string, year: string) =>
        `${one}${sign}${other}${sign}${wholeYear(year)}`,
    )
    .replace(monthAndYear, (_all, month: string, year: string) => `${month} ${wholeYear(year)}`)
    .replace(eraYear, (_all, era: string, year: string) =>
      String((eras[era] ?? 0) + (Number(year) || 1)),
    );
}

const matchShape = (text: string) => shapes.map((shape) => shape.exec(text)?.groups).find(Boolean);

function parseDate(trimmed: string, order: DayOrder | null): string | null {
  const parts =
    matchShape(trimmed) ??
    (trimmed.length > dateCharactersMax ? undefined : matchShape(spellOut(trimmed)));
  if (!parts) return null;
  const written = Number(parts.year);
  const isBuddhist = written > buddhistYears.min && written < buddhistYears.max;
  const year = isBuddhist ? written - buddhistYears.ahead : written;
  if (year < 1800 || year > 2200) return null;
  const named = parts.name ? readMonth(parts.name) : undefined;
  let month = named ?? (parts.month ? Number(parts.month) : undefined);
  let day = parts.day ? Number(parts.day) : undefined;
  if (parts.one !== undefined && parts.other !== undefined) {
    const [one, other] = [Number(parts.one), Number(parts.other)];
    const decided = showOrder(one, other) ?? order ?? (one === other ? 'day_first' : null);
    if (decided === null) return one > 12 || one < 1 || other < 1 ? null : String(year);
    [day, month] = decided === 'day_first' ? [one, other] : [other, one];
  }
  if (month === undefined) return String(year);
  if (Number.isNaN(month) || month < 1 || month > 12) return null;
  const yearMonth = `${year}-${String(month).padStart(2, '0')}`;
  if (day === undefined) return yearMonth;
  if (day < 1 || day > daysIn(year, month)) return null;
  return `${yearMonth}-${String(day).padStart(2, '0')}`;
}

const ongoing =
  /^(?:(?:till? |until |bis )?(?:present|now|current|currently|ongoing|today|date|heute|jetzt|laufend|aktuell)|to date|-|aujourd[’']?hui|[aà] ce jour|en cours|présent|actuel(?:lement)?|actual(?:mente|idad)?|hoy|presente|a la fecha|vigente|oggi|attuale|attualmente|in corso|hoje|atual(?:mente)?|até o momento|heden|nu|obecnie|teraz|do dziś|nadal|nuvarande|pågående|nåværende|nuværende|i dag|nykyinen|nykyään|současnost|dosud|súčasnosť|jelenleg|napjainkig|prezent|în prezent|halen|günümüz|devam ediyor|настоящее время|по настоящее время|н\.?\s?в\.?|сейчас|дотепер|теперішній час|σήμερα|現在|至今|现在|現職|현재|재직중|재직 중|حتى الآن|الحالي|היום|כיום|sekarang|saat ini|hiện tại|hiện nay|ปัจจุบัน|वर्तमान)$/iu;

/** Whether an end date means "until now". */
export const isOngoing = (text: string): boolean => ongoing.test(text.trim());
