// The table `approval`: approvals that a person was asked for, and what was spent with each.
//
//   asked ──answer──> allowed ──use──> used      (in the transaction that spends, once)
//     │ └───answer──> denied     └──expires──> expired
//     └──expires, or too many──> expired
//
// Queries return only approvals that have not expired. The others are marked, and later deleted,
// when a new approval is requested. The schema repeats the rules (migrations/001-engine.sql).
import type { CreditUnits } from '../contract/credits.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** Who asks the person: the app, or the client that makes the call. */
export type ApprovalChannel = 'app' | 'client';

export interface ApprovalRow {
  /** UUID. */
  readonly id: string;
  readonly accountId: number;
  readonly keyId: string;
  readonly client: string;
  readonly idempotencyKey: string | null;
  readonly operation: string;
  readonly arguments: string;
  readonly askedIn: ApprovalChannel;
  readonly askedUnits: CreditUnits;
  readonly status: 'asked' | 'allowed' | 'denied' | 'used' | 'expired';
  readonly askedAt: string;
  readonly expiresAt: string;
}

const selectApproval = `
  SELECT a.id, a.account_id AS accountId, a.key_id AS keyId, k.label AS client,
    a.idempotency_key AS idempotencyKey, a.operation, a.arguments, a.asked_in AS askedIn,
    a.asked_units AS askedUnits, a.status,
    a.asked_at AS askedAt, a.expires_at AS expiresAt
  FROM approval a JOIN api_key k ON k.id = a.key_id`;

export const getApproval = (database: ReadableDatabase, id: string): ApprovalRow | null =>
  statement<ApprovalRow>(database, `${selectApproval} WHERE a.id = ?`).get(id) ?? null;

export const listAsked = (
  database: ReadableDatabase,
  accountId: number,
  at: string,
): ApprovalRow[] =>
  statement<ApprovalRow>(
    database,
    `${selectApproval} WHERE a.account_id = ? AND a.status = 'asked' AND a.asked_in = 'app'
       AND a.expires_at > ?`,
  )
    .all(accountId, at)
    .sort((one, other) => one.askedAt.localeCompare(other.askedAt));

export interface ApprovalSearch {
  readonly keyId: string;
  readonly request: string;
  readonly status: 'asked' | 'allowed' | 'denied';
  readonly at: string;
  readonly taken: readonly string[];
}

/** The approvals of a request that have not expired, the highest amount first. */
export const findApprovals = (
  database: ReadableDatabase,
  { keyId, request, status, at, taken }: ApprovalSearch,
): ApprovalRow[] =>
  statement<ApprovalRow>(
    database,
    `${selectApproval} WHERE a.key_id = ? AND a.request = ? AND a.status = ? AND a.expires_at > ?`,
  )
    .all(keyId, request, status, at)
    .filter(({ id }) => !taken.includes(id))
    .sort((one, other) => other.askedUnits - one.askedUnits);

export type NewApproval = Pick<
  ApprovalRow,
  'id' | 'accountId' | 'keyId' | 'idempotencyKey' | 'operation' | 'arguments' | 'askedIn'
> & {
  readonly request: string;
  readonly askedUnits: CreditUnits;
  readonly at: string;
  readonly expiresAt: string;
};

export function insertApproval(
  database: WritableDatabase,
  { at: askedAt, ...approval }: NewApproval,
): void {
  insertRow(database, 'approval', { ...approval, status: 'asked', askedAt });
}

export const answerApproval = (
  database: WritableDatabase,
  id: string,
  answer: { readonly status: 'allowed' | 'denied'; at: string; expiresAt: string },
): boolean =>
  statement(
    database,
    `UPDATE approval SET status = ?, answered_at = ?, expires_at = ?
     WHERE id = ? AND status = 'asked' AND expires_at > ?`,
  ).run(answer.status, answer.at, answer.expiresAt, id, answer.at).changes === 1;

/**
 * Uses up an approval in the transaction that spends or authorises. Throws 'approval_not_allowed'
 * if it was used before, never given or has expired, and a SqliteError above the requested amount.
 * @param use entryId: the ledger entry that it allows; null if the work spends later
 */
export function consumeApproval(
  database: WritableDatabase,
  id: string,
  use: { keyId: string; units: CreditUnits; entryId: number | null; at: string },
): void {
  const { changes } = statement(
    database,
    `UPDATE approval SET status = 'used', used_units = ?, entry_id = ?, used_at = ?
     WHERE id = ? AND key_id = ? AND status = 'allowed' AND expires_at > ?`,
  ).run(use.units, use.entryId, use.at, id, use.keyId, use.at);
  if (changes !== 1) throw new Error('approval_not_allowed');
}

/** Marks expired approvals, and deletes those that ended before a time. */
export function expireApprovals(database: WritableDatabase, at: string, overSince: string): void {
  const isOld = "status <> 'used' AND status = ? AND expires_at <= ?";
  const marking = `UPDATE approval SET status = 'expired' WHERE ${isOld}`;
  for (const status of ['asked', 'allowed']) statement(database, marking).run(status, at);
  const removing = `DELETE FROM approval WHERE ${isOld}`;
  for (const status of ['denied', 'expired']) statement(database, removing).run(status, overSince);
}

/** Expires the oldest requests for approval of a key except the newest `kept`. */
export const expireOldest = (
  database: WritableDatabase,
  { accountId, keyId }: Pick<ApprovalRow, 'accountId' | 'keyId'>,
  kept: number,
): void =>
  void statement(
    database,
    `UPDATE approval SET status = 'expired' WHERE status = 'asked' AND id IN (
       SELECT id FROM approval WHERE account_id = ? AND key_id = ? AND status = 'asked'
       ORDER BY asked_at DESC LIMIT -1 OFFSET ?)`,
  ).run(accountId, keyId, kept);
