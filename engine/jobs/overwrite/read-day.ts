/** Reads the day in a column that the rule `newer` names. */
import { normalizeDate } from '../../directory/normalize/normalize-date.ts';

/**
 * The last day that a cell may mean, YYYY-MM-DD: of a month its last day, of a year 31 December;
 * null if no day can be read. So a value counts as newer only if it certainly is.
 */
export function readLastDay(text: string): string | null {
  const date = normalizeDate(text);
  if (date === null || date.length === 10) return date;
  if (date.length === 4) return `${date}-12-31`;
  const [year, month] = date.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, month ?? 1, 0)).toISOString().slice(0, 10);
}
