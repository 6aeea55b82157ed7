/** Formats numbers, credits, times and sizes. */
import {
  type CreditUnits,
  creditUnits,
  formatCredits,
  parseCredits,
} from '../../engine/contract/credits.ts';

const whole = new Intl.NumberFormat('en-US');

/** 3313 → "3,313". */
export const showCount = (count: number): string => whole.format(count);

/** 3313, "row" → "3,313 rows". */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${showCount(count)} ${count === 1 ? one : many}`;

/** "4905.0000" → "4,905", "0.5000" → "0.5". */
export function showCredits(credits: string): string {
  const [integer = '0', fraction = ''] = credits.split('.');
  const decimals = fraction.replace(/0+$/, '');
  return integer.replace(/\B(?=(\d{3})+$)/g, ',') + (decimals && `.${decimals}`);
}

/** "1.0000" → "1 credit", "4905.0000" → "4,905 credits". */
export function countCredits(credits: string): string {
  const shown = showCredits(credits);
  return `${shown} ${shown === '1' ? 'credit' : 'credits'}`;
}

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** "1323154.0000" → "1.3M", where there is no room for more. */
export const compactCredits = (credits: string): string => compact.format(Number(credits));

/** Units as `countCredits` shows them. */
export const countUnits = (units: CreditUnits): string => countCredits(formatCredits(units));

/** Units as credits with separators. */
export const showUnits = (units: CreditUnits): string => showCredits(formatCredits(units));

/** A wire amount in units. */
export const unitsOf = (credits: string): CreditUnits => parseCredits(credits) ?? creditUnits(0);

/** 0.473 → "47%"; a small share above zero is "<1%". */
export function showShare(share: number): string {
  const percent = Math.round(share * 100);
  if (percent === 0 && share > 0) return '<1%';
  if (percent === 100 && share < 1) return '>99%';
  return `${percent}%`;
}

/** Seconds → "4 s", "3 min 20 s", "2 h 5 min". */
export function showDuration(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 60) return `${rounded} s`;
  const minutes = Math.floor(rounded / 60);
  if (minutes < 60) return `${minutes} min ${rounded % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Bytes → "4.2 MB". */
export function showBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(0)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

const agoSteps = [
  [60, 'just now'],
  [3_600, 'min ago'],
  [86_400, 'h ago'],
  [30 * 86_400, 'd ago'],
] as const;

/**
 * A past timestamp relative to `now` (milliseconds since 1970): "5 min ago"; a date from 30 days
 * on.
 */
export function showAgo(timestamp: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(timestamp)) / 1_000);
  const step = agoSteps.findIndex(([below]) => seconds < below);
  const words = agoSteps[step]?.[1];
  if (words === undefined) return dateAlone.format(new Date(timestamp));
  return step === 0 ? words : `${Math.floor(seconds / (agoSteps[step - 1]?.[0] ?? 1))} ${words}`;
}

const dateAlone = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
/** The day of an ISO timestamp in the reader's time zone: "20 Nov 2026". */
export const showDate = (timestamp: string): string => dateAlone.format(new Date(timestamp));
const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
/** An ISO timestamp in the reader's time zone: "20 Nov 2026, 10:57". */
export const showTime = (timestamp: string): string => dateTime.format(new Date(timestamp));
