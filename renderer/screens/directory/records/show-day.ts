// Formats days of the directory, which may lack the day or the month.
import { showDate } from '../../../components/numbers.ts';

const monthOfYear = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "2026-11-20" → "20 Nov 2026", "2026-11" → "Nov 2026", "2026" → "2026". */
export function showDay(day: string): string {
  if (/^\d{4}-\d{2}$/.test(day)) return monthOfYear.format(new Date(`${day}-01T00:00:00Z`));
  // Noon, so that the day is the same in every time zone but the farthest.
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? showDate(`${day}T12:00:00`) : day;
}
