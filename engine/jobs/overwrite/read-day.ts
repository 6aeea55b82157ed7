/** Reads the day in a column that the rule `newer` names. */
import { normalizeDate } from '../../directory/normalize/normalize-date.ts';

/**
 * The last day that a cell may mean, YYYY-MM-DD: of a month its last day, of a year 31 December, of
 * 05/04/2020 the later of 5 April and 4 May; null if no day can be read. So a value counts as newer
 * only if it certainly is.
 */
export function readLastDay(text: string): string | null {
  const days = (['day_first', 'month_first'] as const).flatMap(
    (order) => endOf(normalizeDate(text, order)) ?? [],
  );
  return days.sort().at(-1) ?? null;
}

function endOf(date: string | null): string | null {
  if (date === null || date.length === 10) return date;
  if (date.length === 4) return `${date}-12-31`;
  const [year, month] = date.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 1, 0)).toISOString().slice(0, 10);
}
