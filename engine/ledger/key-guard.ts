// What one request of an API key may cost, against what it was allowed: checked where credits are
// spent (ledger.ts), so that no route can pass by it.
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { consumeApproval } from './approval.table.ts';

/** Limits of a key for one request; null is none. */
interface KeyGuard {
  /** The most that it may cost. */
  readonly capCallUnits: CreditUnits | null;
  /** One that would cost more needs the yes of a person. */
  readonly askAboveUnits: CreditUnits | null;
}

/**
 * What allows a key to spend: nothing beyond its limits; a person's yes, which is used up; or what
 * it was authorised to when the work was accepted that spends now.
 */
export type Permit =
  | { readonly kind: 'none' }
  | { readonly kind: 'approval'; readonly id: string; readonly units: CreditUnits }
  | { readonly kind: 'authorised'; readonly units: CreditUnits };

/** No permit: the limits of the key alone count. */
export const noPermit: Permit = { kind: 'none' };

/**
 * A request needs a person's yes. Whatever asks for it catches this; where nothing does, it is a
 * refusal like any other.
 */
export class ApprovalNeeded extends EngineError {
  override name = 'ApprovalNeeded';
  readonly units: CreditUnits;
  readonly askAboveUnits: CreditUnits;
  /**
   * @param units what the request costs at most
   * @param askAboveUnits what its key may spend unasked
   */
  constructor(units: CreditUnits, askAboveUnits: CreditUnits) {
    super(
      'spending_cap_reached',
      `This may cost ${formatCredits(units)} credits, and a person has to allow what costs more ` +
        `than ${formatCredits(askAboveUnits)}. Raise that amount in Connections, or ask for less.`,
    );
    this.units = units;
    this.askAboveUnits = askAboveUnits;
  }
}

/** Whether the client of a key may ask the person itself. */
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

/** What bounds a request that takes what it can get: its cap, what was allowed; null: nothing. */
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
 * Refuses what a key may not spend in one request. What costs nothing is never refused. Returns
 * whether the approval of the permit is to be used. Throws EngineError spending_cap_reached,
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
      `This may cost ${formatCredits(units)} credits, and this key may spend at most ` +
        `${formatCredits(capCallUnits)} in one call. Nothing was charged. Send less at a time, ` +
        'or have it raised in Connections.',
    );
  if (permit.kind === 'approval' && units <= permit.units) return true;
  if (askAboveUnits !== null && units > askAboveUnits)
    throw new ApprovalNeeded(units, askAboveUnits);
  return false;
}

/**
 * What work that spends later may spend by its key: checked now, and allowed by the permit. Null
 * where no key asks for it. Belongs in the transaction that accepts the work. Throws what
 * `assertWithinGuard` throws.
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
