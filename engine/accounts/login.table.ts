// The table `login`: the email and password of an account for the authorization page.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface LoginRow {
  readonly accountId: number;
  /** In lower case. */
  readonly email: string;
  readonly passwordHash: string;
  readonly setAt: string;
}

const selectLogin = `
  SELECT account_id AS accountId, email, password_hash AS passwordHash, set_at AS setAt
  FROM login`;

export const getLogin = (database: ReadableDatabase, accountId: number): LoginRow | null =>
  statement<LoginRow>(database, `${selectLogin} WHERE account_id = ?`).get(accountId) ?? null;

/** The login of an email in lower case; null if there is none. */
export const findLogin = (database: ReadableDatabase, email: string): LoginRow | null =>
  statement<LoginRow>(database, `${selectLogin} WHERE email = ?`).get(email) ?? null;

export const hasLogin = (database: ReadableDatabase): boolean =>
  statement(database, 'SELECT 1 FROM login LIMIT 1').get() !== undefined;

/** Sets or replaces the login of an account. Throws if another account has the email. */
export function putLogin(database: WritableDatabase, login: LoginRow): void {
  statement(
    database,
    `INSERT INTO login (account_id, email, password_hash, set_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (account_id) DO UPDATE SET email = excluded.email,
       password_hash = excluded.password_hash, set_at = excluded.set_at`,
  ).run(login.accountId, login.email, login.passwordHash, login.setAt);
}

export const deleteLogin = (database: WritableDatabase, accountId: number): boolean =>
  statement(database, 'DELETE FROM login WHERE account_id = ?').run(accountId).changes > 0;
