/** What SQLite finds wrong with the pages of a database. */
import type { ReadableDatabase } from './open-database.ts';

const foundMax = 3;

/**
 * A sentence for each of the first faults; none where the file is whole. `integrity_check` compares
 * indexes with their tables as well, which takes much longer.
 * Throws a SqliteError where the damage keeps SQLite from looking.
 */
export function findDamage(
  database: ReadableDatabase,
  check: 'quick_check' | 'integrity_check',
): string[] {
  const rows = database.pragma(`${check}(${foundMax})`) as Record<string, string>[];
  return rows
    .flatMap((row) => (row[check] ?? '').split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'))
    .slice(0, foundMax);
}
