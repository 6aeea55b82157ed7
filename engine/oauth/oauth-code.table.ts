// The table `oauth_code`: authorization codes for allowed requests.
//
//   insertCode ──> issued ──spendCode──> used ──bindCode──> used, with its key
//                     └──────────── forgetCodes, long after it expired ─────────────┘
import type { CreditUnits } from '../contract/credits.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface CodeOrder {
  readonly clientId: string;
  readonly clientName: string;
  readonly accountId: number;
  readonly redirectUri: string;
  /** PKCE: base64url of the SHA-256 of the verifier. */
  readonly challenge: string;
  readonly resource: string | null;
  /** Spending caps of the key; null means no cap. */
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
}

/** A code, without the code itself. */
export interface CodeRow extends CodeOrder {
  readonly hash: string;
  readonly expiresAt: string;
  readonly usedAt: string | null;
  readonly keyId: string | null;
}

/** Adds a code. `hash` is its SHA-256 in lower-case hex. */
export function insertCode(
  database: WritableDatabase,
  code: CodeOrder & { readonly hash: string; readonly expiresAt: string },
): void {
  insertRow(database, 'oauth_code', { ...code });
}

export const findCode = (database: ReadableDatabase, hash: string): CodeRow | null =>
  statement<CodeRow>(
    database,
    `SELECT hash, client_id AS clientId, client_name AS clientName, account_id AS accountId,
       redirect_uri AS redirectUri, challenge, resource, cap_day_units AS capDayUnits,
       cap_month_units AS capMonthUnits, expires_at AS expiresAt, used_at AS usedAt,
       key_id AS keyId
     FROM oauth_code WHERE hash = ?`,
  ).get(hash) ?? null;

/** Marks a code as used. Throws 'code_already_used'. */
export function spendCode(database: WritableDatabase, hash: string, at: string): void {
  statement(database, 'UPDATE oauth_code SET used_at = ? WHERE hash = ?').run(at, hash);
}

export function bindCode(database: WritableDatabase, hash: string, keyId: string): void {
  statement(database, 'UPDATE oauth_code SET key_id = ? WHERE hash = ?').run(keyId, hash);
}

export function forgetCodes(database: WritableDatabase, before: string): void {
  statement(database, 'DELETE FROM oauth_code WHERE expires_at < ?').run(before);
}
