// Formats numbers, credits, times and sizes.
import {
  type CreditUnits,
  creditUnits,
  formatCredits,
  parseCredits,
} from '../../engine/contract/credits.ts';
import type { TaskProgress } from '../../engine/contract/events.ts';
import { inLocale, pluralOf } from '../preferences/locale.ts';

/** 3313 → "3,313". */
export const showCount = (count: number): string => inLocale().number(count);

/** 3313, "row" → "3,313 rows". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${showCount(count)} ${pluralOf(count, one, many)}`;

/** "4905.0000" → "4,905", "0.5000" → "0.5". */
export const showCredits = (credits: string): string =>
  inLocale().number(credits as Intl.StringNumericLiteral);

/** "1.0000" → "1 credit", "4905.0000" → "4,905 credits". */
export const countCredits = (credits: string): string =>
  `${showCredits(credits)} ${pluralOf(Number(credits), 'credit', 'credits')}`;

/** "1323154.0000" → "1.3M", where there is no room for more. */
export const compactCredits = (credits: string): string => inLocale().compact(Number(credits));

/** Units as `countCredits` shows them. */
export const countUnits = (units: CreditUnits): string => countCredits(formatCredits(units));

export const showUnits = (units: CreditUnits): string => showCredits(formatCredits(units));

/** A wire amount in units. */
export const unitsOf = (credits: string): CreditUnits => parseCredits(credits) ?? creditUnits(0);

/** 0.473 → "47%"; a small share above zero is "<1%". */
export function showShare(share: number): string {
  const { percent } = inLocale();
  const rounded = Math.round(share * 100) / 100;
  if (rounded === 0 && share > 0) return `<${percent(0.01)}`;
  if (rounded === 1 && share < 1) return `>${percent(0.99)}`;
  return percent(rounded);
}

/** Seconds → "4 s", "3 min 20 s", "2 h 5 min". The symbols are international. */
export function showDuration(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${showCount(rounded)} s`;
  const minutes = Math.floor(rounded / 60);
  if (minutes < 60) return `${showCount(minutes)} min ${showCount(rounded % 60)} s`;
  return `${showCount(Math.floor(minutes / 60))} h ${showCount(minutes % 60)} min`;
}

/** Bytes → "4.2 MB". */
export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${showCount(bytes)} B`;
  if (bytes < 1_000_000) return `${showCount(Math.round(bytes / 1_000))} kB`;
  return `${inLocale().decimal(bytes / 1_000_000)} MB`;
}

const agoSteps = [
  [60, 'just now'],
  [3_600, 'min ago'],
  [86_400, 'h ago'],
  [30 * 86_400, 'd ago'],
] as const;

/** `now` in milliseconds: "5 min ago"; a date from 30 days on. */
export function showAgo(timestamp: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(timestamp)) / 1_000);
  const step = agoSteps.findIndex(([below]) => seconds < below);
  const words = agoSteps[step]?.[1];
  if (words === undefined) return showDate(timestamp);
  const count = Math.floor(seconds / (agoSteps[step - 1]?.[0] ?? 1));
  return step === 0 ? words : `${showCount(count)} ${words}`;
}

/** The day of an ISO timestamp in the reader's time zone: "20 Nov 2026". */
export const showDate = (timestamp: string): string => inLocale().date(new Date(timestamp));

/** The calendar day that a text begins with, in every time zone the same: "20 Nov 2026". */
export const showDay = (day: string): string => {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)/.exec(day) ?? [];
  if (!date) return day;
  return inLocale().date(new Date(Number(year), Number(month) - 1, Number(date)));
};

/** An ISO timestamp in the reader's time zone: "20 Nov 2026, 10:57". */
export const showTime = (timestamp: string): string => inLocale().dateTime(new Date(timestamp));

/** How far a long task is: "Reading people: 1,200 of 400,000 rows". */
export const describeTask = ({ label, done, total, unit }: TaskProgress): string =>
  `${label}: ${showCount(done)}${total ? ` of ${showCount(total)}` : ''} ${unit}`;
