// The table `secret_key`: where the key is that seals this file's secrets, and which one it is; the
// key itself is never here.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** Which key seals, and where it is kept. */
export interface SecretKeyRow {
  readonly place: 'keychain' | 'file';
  /** The first half of a digest of the key, lower-case hex. */
  readonly keyId: string;
}

/** Which key seals the secrets; null until there was one. */
export const readSecretKey = (database: ReadableDatabase): SecretKeyRow | null =>
  statement<SecretKeyRow>(database, 'SELECT place, key_id AS keyId FROM secret_key').get() ?? null;

/** Notes which key seals from now on. */
export function writeSecretKey(database: WritableDatabase, key: SecretKeyRow): void {
  statement(
    database,
    'INSERT OR REPLACE INTO secret_key (only, place, key_id) VALUES (1, ?, ?)',
  ).run(key.place, key.keyId);
}
