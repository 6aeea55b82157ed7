// What one request of a key may cost. ledger.ts checks it, so that no route can bypass it.
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
