// Finds damaged pages of a database.
import type { ReadableDatabase } from './open-database.ts';

const foundMax = 3;

/**
 * A sentence for each of the first problems; empty if the file is intact. `integrity_check` also
 * compares indexes with their tables, which takes much longer. Throws a SqliteError if the damage
 * prevents the check. Attached files are not checked.
 */
export function findDamage(
  database: ReadableDatabase,
  check: 'quick_check' | 'integrity_check',
): string[] {
  const rows = database.pragma(`main.${check}(${foundMax})`) as Record<string, string>[];
  return rows
    .flatMap((row) => (row[check] ?? '').split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'))
    .slice(0, foundMax);
}
