// The table `api_key`: who may call the REST API, how often, and what it may spend. The keys
// themselves are kept nowhere.
import type { CreditUnits } from '../contract/credits.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** An API key without its secret. */
export interface KeyRow {
  /** UUID. */
  readonly id: string;
  readonly accountId: number;
  readonly label: string;
  /** The first characters of the key, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  /** Since when it opens nothing; null while it does. */
  readonly revokedAt: string | null;
  /** Requests in any 60 seconds. */
  readonly requestsPerMinute: number;
  /** What it may spend a day and a month (UTC); null is no cap. */
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
  /** What one request may cost, and from where on a person is asked first; null is no limit. */
  readonly capCallUnits: CreditUnits | null;
  readonly askAboveUnits: CreditUnits | null;
  /** Whether its client may bring a person's answer itself. */
  readonly selfApproval: boolean;
}

/** What of a key can be changed. */
export type KeyLimits = Pick<
  KeyRow,
  | 'requestsPerMinute'
  | 'capDayUnits'
  | 'capMonthUnits'
  | 'capCallUnits'
  | 'askAboveUnits'
  | 'selfApproval'
>;

const selectKey = `
  SELECT id, account_id AS accountId, label, prefix, created_at AS createdAt,
    last_used_at AS lastUsedAt, revoked_at AS revokedAt,
    requests_per_minute AS requestsPerMinute,
    cap_day_units AS capDayUnits, cap_month_units AS capMonthUnits,
    cap_call_units AS capCallUnits, ask_above_units AS askAboveUnits,
    self_approval AS selfApproval
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
       cap_day_units, cap_month_units, cap_call_units, ask_above_units, self_approval)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(key.id, key.accountId, key.label, key.prefix, key.hash, key.at, ...writeLimits(key));
}

/** The key of a hash, also where it was revoked: the caller looks at `revokedAt`. Null if none. */
export const findKeyByHash = (database: ReadableDatabase, hash: string): KeyRow | null =>
  findOne(database, 'WHERE hash = ?', hash);

/** A key of an account, also where it was revoked. Null where the account has none of this id. */
export const getKey = (database: ReadableDatabase, accountId: number, id: string): KeyRow | null =>
  findOne(database, 'WHERE id = ? AND account_id = ?', id, accountId);

/** The keys of an account, revoked ones too, oldest first. */
export const listKeys = (database: ReadableDatabase, accountId: number): KeyRow[] =>
  statement<KeyRecord>(database, `${selectKey} WHERE account_id = ? ORDER BY created_at, id`)
    .all(accountId)
    .map(readRecord);

/** Names a key anew and sets all its limits; they count from the very next request. */
export function updateKey(
  database: WritableDatabase,
  id: string,
  key: { readonly label: string } & KeyLimits,
): void {
  statement(
    database,
    `UPDATE api_key
     SET label = ?, requests_per_minute = ?, cap_day_units = ?, cap_month_units = ?,
       cap_call_units = ?, ask_above_units = ?, self_approval = ?
     WHERE id = ?`,
  ).run(key.label, ...writeLimits(key), id);
}

/** Ends a key for good. False where the account has no such key, or it had ended already. */
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

/** Notes that a key was used; an unknown key is let pass, as it may have gone meanwhile. */
export function touchKey(database: WritableDatabase, id: string, at: string): void {
  statement(database, 'UPDATE api_key SET last_used_at = ? WHERE id = ?').run(at, id);
}
