// The table `setting`: single values of the installation, by name.
import type { ReadableDatabase, WritableDatabase } from '../sqlite/open.ts';
import { statement } from '../sqlite/statement.ts';

/** The value of a name, or null where it was never set. */
export const getSetting = (database: ReadableDatabase, name: string): string | null =>
  statement<{ value: string }>(database, 'SELECT value FROM setting WHERE name = ?').get(name)
    ?.value ?? null;

/** Sets a name's value. */
export function setSetting(database: WritableDatabase, name: string, value: string): void {
  statement(
    database,
    `INSERT INTO setting (name, value) VALUES (?, ?)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
  ).run(name, value);
}
