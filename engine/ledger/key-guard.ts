// What an API key may spend: in one request, by day and month, and at the user's data services.
// ledger.ts checks the first two, so that no route can bypass them.
//
//   hold ──> counts in full on its day ──resolved──> the settled amount counts on the same day
//   charge ──> counts on its day
//
// Days and months are in UTC. Triggers write the rows of `key_spending` (001-engine.sql).
import { type CreditUnits, creditUnits, sayCredits, showCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { consumeApproval } from './approval.table.ts';

/** Limits of a key for one request; null means no limit. */
interface KeyGuard {
  readonly capCallUnits: CreditUnits | null;
  readonly askAboveUnits: CreditUnits | null;
}

/**
 * What allows a key to spend: only its limits; a person's approval, which is used up; or what was
 * authorised when the work that spends now was accepted.
 */
export type Permit =
  | { readonly kind: 'none' }
  | { readonly kind: 'approval'; readonly id: string; readonly units: CreditUnits }
  | { readonly kind: 'authorised'; readonly units: CreditUnits };

/** No permit: only the limits of the key apply. */
export const noPermit: Permit = { kind: 'none' };

/** A person's approval is needed. What can ask for it catches this; elsewhere it is a refusal. */
export class ApprovalNeeded extends EngineError {
  override name = 'ApprovalNeeded';
  readonly units: CreditUnits;
  readonly askAboveUnits: CreditUnits;
  /** @param units the most the request costs @param askAboveUnits what needs no approval */
  constructor(units: CreditUnits, askAboveUnits: CreditUnits) {
    super(
      'spending_cap_reached',
      `This may cost ${sayCredits(units)}, and a cost of more than ` +
        `${showCredits(askAboveUnits)} needs approval. Raise that amount in Connections, or ` +
        'request less.',
    );
    this.units = units;
    this.askAboveUnits = askAboveUnits;
  }
}

export const maySelfApprove = (database: ReadableDatabase, keyId: string): boolean =>
  statement<{ selfApproval: number }>(
    database,
    'SELECT self_approval AS selfApproval FROM api_key WHERE id = ?',
  ).get(keyId)?.selfApproval === 1;

/** The limits of a key. Throws 'key_unknown'. */
export function readGuard(database: ReadableDatabase, keyId: string): KeyGuard {
  const guard = statement<KeyGuard>(
    database,
    `SELECT cap_call_units AS capCallUnits, ask_above_units AS askAboveUnits
     FROM api_key WHERE id = ?`,
  ).get(keyId);
  if (!guard) throw new Error('key_unknown');
  return guard;
}

/** The limit of a request that takes what it can get: cap or approval; null for no limit. */
export function readCallLimit(
  database: ReadableDatabase,
  keyId: string,
  permit: Permit,
): CreditUnits | null {
  const { capCallUnits, askAboveUnits } = readGuard(database, keyId);
  const bounds = capCallUnits === null ? [] : [capCallUnits];
  if (permit.kind === 'approval' && askAboveUnits !== null)
    bounds.push(creditUnits(Math.max(permit.units, askAboveUnits)));
  return bounds.length === 0 ? null : creditUnits(Math.min(...bounds));
}

/**
 * Refuses what a key may not spend in one request. A cost of 0 is never refused. Returns whether
 * the approval of the permit must be used up. Throws EngineError spending_cap_reached,
 * ApprovalNeeded; 'authorised_exceeded', 'key_unknown'.
 */
export function assertWithinGuard(
  database: ReadableDatabase,
  keyId: string,
  units: CreditUnits,
  permit: Permit,
): boolean {
  if (units === 0) return false;
  if (permit.kind === 'authorised') {
    if (units > permit.units) throw new Error('authorised_exceeded');
    return false;
  }
  const { capCallUnits, askAboveUnits } = readGuard(database, keyId);
  if (capCallUnits !== null && units > capCallUnits)
    throw new EngineError(
      'spending_cap_reached',
      `This may cost ${sayCredits(units)}, and this key may spend at most ` +
        `${showCredits(capCallUnits)} in one call. Nothing was charged. Send fewer items at a ` +
        'time, or raise the limit in Connections.',
    );
  if (permit.kind === 'approval' && units <= permit.units) return true;
  if (askAboveUnits !== null && units > askAboveUnits)
    throw new ApprovalNeeded(units, askAboveUnits);
  return false;
}

/**
 * The amount that work may spend later with its key: checked now, and allowed by the permit. Null
 * without a key. Call in the transaction that accepts the work. Throws what `assertWithinGuard`
 * throws.
 */
export function authoriseSpending(
  database: WritableDatabase,
  keyId: string | null,
  units: CreditUnits,
  permit: Permit,
  at: string,
): CreditUnits | null {
  if (keyId === null) return null;
  if (assertWithinGuard(database, keyId, units, permit) && permit.kind === 'approval')
    consumeApproval(database, permit.id, { keyId, units, entryId: null, at });
  return units;
}

interface KeySpending {
  readonly spentDayUnits: CreditUnits;
  readonly spentMonthUnits: CreditUnits;
  /** null if there is no cap. */
  readonly capDayUnits: CreditUnits | null;
  readonly capMonthUnits: CreditUnits | null;
}

/** The spending on the day and in the month of `at` (ISO 8601, UTC). Throws 'key_unknown'. */
export function readKeySpending(database: ReadableDatabase, keyId: string, at: string) {
  const spending = statement<KeySpending>(
    database,
    `SELECT cap_day_units AS capDayUnits, cap_month_units AS capMonthUnits,
       (SELECT ifnull(sum(spent_units), 0) FROM key_spending
        WHERE key_id = api_key.id AND day = ?) AS spentDayUnits,
       (SELECT ifnull(sum(spent_units), 0) FROM key_spending
        WHERE key_id = api_key.id AND day BETWEEN ? AND ?) AS spentMonthUnits
     FROM api_key WHERE id = ?`,
  ).get(at.slice(0, 10), `${at.slice(0, 7)}-01`, `${at.slice(0, 7)}-31`, keyId);
  if (!spending) throw new Error('key_unknown');
  return spending;
}

function endOf(period: 'day' | 'month', at: string): string {
  const time = new Date(at);
  const [year, month] = [time.getUTCFullYear(), time.getUTCMonth()];
  const end =
    period === 'day' ? Date.UTC(year, month, time.getUTCDate() + 1) : Date.UTC(year, month + 1);
  return new Date(end).toISOString();
}

/**
 * Refuses what a key may not spend; the error has the cap, what is left of it and when it is reset.
 * Call in the transaction that spends. A cost of 0 is never refused. Throws EngineError
 * spending_cap_reached; 'key_unknown'.
 */
export function assertWithinCaps(
  database: ReadableDatabase,
  keyId: string,
  units: CreditUnits,
  at: string,
): void {
  if (units === 0) return;
  const spending = readKeySpending(database, keyId, at);
  // The month first: if both are reached, waiting for the next day does not help.
  const caps = [
    ['month', spending.capMonthUnits, spending.spentMonthUnits],
    ['day', spending.capDayUnits, spending.spentDayUnits],
  ] as const;
  for (const [period, capUnits, spentUnits] of caps) {
    if (capUnits === null || spentUnits + units <= capUnits) continue;
    const leftUnits = creditUnits(Math.max(0, capUnits - spentUnits));
    throw new EngineError(
      'spending_cap_reached',
      `This needs ${sayCredits(units)}. This key may spend ` +
        `${showCredits(capUnits)} a ${period} and has ${showCredits(leftUnits)} left until ` +
        `${endOf(period, at)}. Raise its cap in Connections, or request less.`,
    );
  }
}

/**
 * The most that one request of a key may spend at each data service, in credits of the service;
 * null for no limit, which the app and the command line have.
 */
export function readProviderCap(database: ReadableDatabase, keyId: string | null): number | null {
  if (keyId === null) return null;
  const key = statement<{ cap: number | null }>(
    database,
    'SELECT provider_cap AS cap FROM api_key WHERE id = ?',
  ).get(keyId);
  return key ? key.cap : 0;
}
