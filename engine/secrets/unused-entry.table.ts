// The table `unused_keychain_entry`: entries of the keychain that are to be deleted.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export const listUnusedEntries = (database: ReadableDatabase): string[] =>
  statement<{ entry: string }>(database, 'SELECT entry FROM unused_keychain_entry')
    .all()
    .map(({ entry }) => entry);

export function markUnused(database: WritableDatabase, entry: string): void {
  statement(database, 'INSERT OR IGNORE INTO unused_keychain_entry (entry) VALUES (?)').run(entry);
}

export function unmarkUnused(database: WritableDatabase, entry: string): void {
  statement(database, 'DELETE FROM unused_keychain_entry WHERE entry = ?').run(entry);
}
