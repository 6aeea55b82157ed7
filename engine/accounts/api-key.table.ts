// The table `api_key`: keys of the REST API, without the keys themselves, and their limits.
import type { CreditUnits } from '../contract/credits.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** An API key without its secret. */
export interface KeyRow {
  /** UUID. */
  readonly id: string;
  readonly accountId: number;
  readonly label: string;
  /** The first characters of the key, to identify it. */
  readonly prefix: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
  /** Requests in any 60 seconds. */
  readonly requestsPerMinute: number;
  /** Spending caps per day and month (UTC); null means no cap. */
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
  /** The most one request may cost; above the other it needs approval. null means no limit. */
  readonly capCallUnits: CreditUnits | null;
  readonly askAboveUnits: CreditUnits | null;
  /** Whether its client may send a person's approval itself. */
  readonly selfApproval: boolean;
  /** The most that one request may spend at each data service, in its credits; null: no limit. */
  readonly providerCap: number | null;
}

export type KeyLimits = Pick<
  KeyRow,
  | 'requestsPerMinute'
  | 'capDayUnits'
  | 'capMonthUnits'
  | 'capCallUnits'
  | 'askAboveUnits'
  | 'selfApproval'
  | 'providerCap'
>;

const selectKey = `
  SELECT id, account_id AS accountId, label, prefix, created_at AS createdAt,
    last_used_at AS lastUsedAt, revoked_at AS revokedAt,
    requests_per_minute AS requestsPerMinute,
    cap_day_units AS capDayUnits, cap_month_units AS capMonthUnits,
    cap_call_units AS capCallUnits, ask_above_units AS askAboveUnits,
    self_approval AS selfApproval, provider_cap AS providerCap
  FROM api_key`;

type KeyRecord = Omit<KeyRow, 'selfApproval'> & { selfApproval: number };
const readRecord = (record: KeyRecord): KeyRow => ({
  ...record,
  selfApproval: record.selfApproval === 1,
});

function findOne(database: ReadableDatabase, rest: string, ...values: unknown[]): KeyRow | null {
  const record = statement<KeyRecord>(database, `${selectKey} ${rest}`).get(...values);
  return record ? readRecord(record) : null;
}

const writeLimits = (limits: KeyLimits) => [
  limits.requestsPerMinute,
  limits.capDayUnits,
  limits.capMonthUnits,
  limits.capCallUnits,
  limits.askAboveUnits,
  limits.selfApproval ? 1 : 0,
  limits.providerCap,
];

/** Adds a key. `hash` is the SHA-256 of the key in lower-case hex. */
export function insertKey(
  database: WritableDatabase,
  key: {
    id: string;
    accountId: number;
    label: string;
    prefix: string;
    hash: string;
    at: string;
  } & KeyLimits,
): void {
  statement(
    database,
    `INSERT INTO api_key (id, account_id, label, prefix, hash, created_at, requests_per_minute,
       cap_day_units, cap_month_units, cap_call_units, ask_above_units, self_approval, provider_cap)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(key.id, key.accountId, key.label, key.prefix, key.hash, key.at, ...writeLimits(key));
}

/** The key of a hash, even a revoked one: the caller must check `revokedAt`. */
export const findKeyByHash = (database: ReadableDatabase, hash: string): KeyRow | null =>
  findOne(database, 'WHERE hash = ?', hash);

/** A key of an account, even if it was revoked. Null if the account has no key with this id. */
export const getKey = (database: ReadableDatabase, accountId: number, id: string): KeyRow | null =>
  findOne(database, 'WHERE id = ? AND account_id = ?', id, accountId);

/** The keys of an account, including revoked ones, oldest first: those of a millisecond too. */
export const listKeys = (database: ReadableDatabase, accountId: number): KeyRow[] =>
  statement<KeyRecord>(database, `${selectKey} WHERE account_id = ? ORDER BY created_at, rowid`)
    .all(accountId)
    .map(readRecord);

/** Sets the label and all limits of a key. They apply from the next request. */
export function updateKey(
  database: WritableDatabase,
  id: string,
  key: { readonly label: string } & KeyLimits,
): void {
  statement(
    database,
    `UPDATE api_key
     SET label = ?, requests_per_minute = ?, cap_day_units = ?, cap_month_units = ?,
       cap_call_units = ?, ask_above_units = ?, self_approval = ?, provider_cap = ?
     WHERE id = ?`,
  ).run(key.label, ...writeLimits(key), id);
}

/** Revokes a key permanently. False if the account has no such key, or it was already revoked. */
export function revokeKey(
  database: WritableDatabase,
  accountId: number,
  id: string,
  at: string,
): boolean {
  const { changes } = statement(
    database,
    'UPDATE api_key SET revoked_at = ? WHERE id = ? AND account_id = ? AND revoked_at IS NULL',
  ).run(at, id, accountId);
  return changes === 1;
}

/** Records that a key was used. A key that was deleted meanwhile is ignored. */
export function touchKey(database: WritableDatabase, id: string, at: string): void {
  statement(database, 'UPDATE api_key SET last_used_at = ? WHERE id = ?').run(at, id);
}
