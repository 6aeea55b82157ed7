// The table `secret_key`: where the key that encrypts this file's secrets is stored, and its id.
// The key itself is never stored here.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** The id of the encryption key, and where it is stored. */
export interface SecretKeyRow {
  readonly place: 'keychain' | 'file';
  /** The first half of a digest of the key, lower-case hex. */
  readonly keyId: string;
}

/** The encryption key in use; null if there is none yet. */
export const readSecretKey = (database: ReadableDatabase): SecretKeyRow | null =>
  statement<SecretKeyRow>(database, 'SELECT place, key_id AS keyId FROM secret_key').get() ?? null;

export function writeSecretKey(database: WritableDatabase, key: SecretKeyRow): void {
  statement(
    database,
    'INSERT OR REPLACE INTO secret_key (only, place, key_id) VALUES (1, ?, ?)',
  ).run(key.place, key.keyId);
}
