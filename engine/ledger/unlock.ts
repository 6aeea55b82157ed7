// Payment for single values of people: owned values are free; others are charged and owned from
// then on, in one transaction (docs/rules.md, "Money").
//
//   not owned ──unlock, by a charge or from a hold──> owned, permanently
//       └─────unlock, not enough credits────────────> not owned (locked)
import { recordAudit } from '../audit/record-audit.ts';
import type { OmissionReason } from '../contract/assistants/tools/paying.ts';
import { type CreditUnits, creditUnits } from '../contract/credits.ts';
import type { ChargeSubject } from '../contract/ledger-subject.ts';
import { lookupPrices } from '../contract/lookup.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { type Spending, spendAllowed } from './approve-spending.ts';
import type { IdempotencyUse } from './idempotency.ts';
import { noPermit, type Permit, readCallLimit, readKeySpending } from './key-guard.ts';
import { charge, isUnmetered, readBalances } from './ledger.ts';
import { insertOwned, isOwned, type PersonValue } from './owned-values.ts';

interface UnlockOrder extends Spending {
  /** In the order in which the balance is spent. */
  readonly values: readonly PersonValue[];
}

export interface UnlockCommand extends UnlockOrder {
  readonly subject: ChargeSubject;
  /** Without enough for everything: refuse all, or leave uncovered values locked. */
  readonly whenShort: 'refuse' | 'leave_locked';
}

/** State of a value: already owned, charged now, or not paid for. */
type UnlockState = 'owned' | 'charged' | 'locked';

/** The state of each value, in the order of the command, and the total cost. */
export interface UnlockReport {
  readonly states: readonly UnlockState[];
  readonly chargedUnits: CreditUnits;
  /** What limited the spending if something stayed locked; otherwise null. */
  readonly lockedBy: OmissionReason | null;
}

/** An unlocking that happens once: a repeat with the same key returns the first result. */
export interface UnlockOnceCommand extends UnlockCommand {
  readonly once: IdempotencyUse & {
    /** SHA-256 of everything that must be identical in a repeat. */
    readonly fingerprint: string;
    /** JSON of the result, stored for the repeat. */
    readonly material: string;
  };
}

/** The stored result of the first call with the key. */
export interface UnlockOnceReport {
  readonly report: UnlockReport;
  readonly material: string;
  readonly replayed: boolean;
}

interface Spendable {
  readonly units: number;
  readonly boundBy: OmissionReason;
}

const unbounded: Spendable = {
  units: Number.POSITIVE_INFINITY,
  boundBy: 'insufficient_credits',
};

/**
 * The lowest of the balance, the rest of the key's caps, and the limit of this call. The balance
 * is no bound if missing credits are added.
 * @param limitUnits the most this call may spend; null for no limit per call
 */
export function readSpendable(
  database: ReadableDatabase,
  { accountId, keyId }: Pick<UnlockOrder, 'accountId' | 'keyId'>,
  limitUnits: CreditUnits | null,
  at: string,
): Spendable {
  const { availableUnits } = readBalances(database, accountId);
  const bounds: Spendable[] = isUnmetered(database, { accountId, keyId })
    ? [unbounded]
    : [{ ...unbounded, units: availableUnits }];
  if (keyId !== null) {
    const spending = readKeySpending(database, keyId, at);
    const caps = [
      [spending.capDayUnits, spending.spentDayUnits],
      [spending.capMonthUnits, spending.spentMonthUnits],
    ] as const;
    for (const [cap, spent] of caps)
      if (cap !== null) bounds.push({ units: cap - spent, boundBy: 'spending_cap_reached' });
  }
  if (limitUnits !== null) bounds.push({ units: limitUnits, boundBy: 'call_limit_reached' });
  const least = bounds.reduce((one, other) => (other.units < one.units ? other : one));
  return { ...least, units: Math.max(0, least.units) };
}

/** The state of each value while `leftUnits` last. A duplicate is paid once. */
function planUnlock(
  database: ReadableDatabase,
  { accountId, values }: Pick<UnlockOrder, 'accountId' | 'values'>,
  leftUnits: number,
): { states: UnlockState[]; newlyOwned: PersonValue[]; priceUnits: CreditUnits } {
  const paid = new Set<string>();
  const newlyOwned: PersonValue[] = [];
  let priceUnits = 0;
  const states = values.map((value): UnlockState => {
    const name = `${value.kind} ${value.personUuid}`;
    if (paid.has(name) || isOwned(database, accountId, value)) return 'owned';
    const units = lookupPrices[value.kind];
    if (priceUnits + units > leftUnits) return 'locked';
    priceUnits += units;
    paid.add(name);
    newlyOwned.push(value);
    return 'charged';
  });
  return { states, newlyOwned, priceUnits: creditUnits(priceUnits) };
}

/** What a call may spend: by the balance, the key's caps and limits, and the approval. */
const readCallSpendable = (
  database: ReadableDatabase,
  order: UnlockOrder,
  permit: Permit,
  at: string,
): Spendable => {
  const { keyId } = order;
  const limitUnits = keyId === null ? null : readCallLimit(database, keyId, permit);
  return readSpendable(database, order, limitUnits, at);
};

/** What unlocking would do if it were approved. Values that are not covered stay locked. */
export function previewUnlock(
  database: ReadableDatabase,
  order: UnlockOrder,
  now: Date,
): UnlockReport {
  const { units, boundBy } = readCallSpendable(database, order, noPermit, now.toISOString());
  const { states, priceUnits } = planUnlock(database, order, units);
  const lockedBy = states.includes('locked') ? boundBy : null;
  return { states, chargedUnits: priceUnits, lockedBy };
}

function ownAll(
  database: WritableDatabase,
  accountId: number,
  values: readonly PersonValue[],
  paid: { readonly entryId: number; readonly at: string },
): void {
  for (const value of values)
    insertOwned(database, accountId, value, { priceUnits: lookupPrices[value.kind], ...paid });
}

interface HeldCredits {
  readonly leftUnits: number;
  /** The hold's ledger entry; null if nothing is held. */
  readonly entryId: number | null;
}

/**
 * Unlocks values for an account, in order, from a hold. A value that the rest of the hold does not
 * cover stays locked; a cheaper one after it may still be paid. Call in the transaction that counts
 * what was spent from the hold. Throws a SqliteError if the hold is resolved.
 */
export function unlockFromHold(
  database: WritableDatabase,
  order: Pick<UnlockOrder, 'accountId' | 'values'>,
  { leftUnits, entryId }: HeldCredits,
  now: Date,
): Pick<UnlockReport, 'states' | 'chargedUnits'> {
  const { states, newlyOwned, priceUnits } = planUnlock(database, order, leftUnits);
  const paid = entryId === null ? null : { entryId, at: now.toISOString() };
  if (paid) ownAll(database, order.accountId, newlyOwned, paid);
  return { states, chargedUnits: priceUnits };
}

/** The log names the tool or the route, never the person. */
function recordUnlocked(
  database: WritableDatabase,
  { accountId, keyId, subject }: UnlockCommand,
  values: readonly PersonValue[],
  units: CreditUnits,
  at: string,
): void {
  const details: Record<string, string | number> = { by: subject.kind };
  for (const { kind } of values) details[kind] = Number(details[kind] ?? 0) + 1;
  recordAudit(database, {
    action: 'values_unlocked',
    at,
    accountId,
    keyId,
    units,
    details,
    rows: values.length,
    subject: subject.kind === 'tool' ? subject.id : '',
  });
}

/** Unlocks values like `unlock`, with the permit of an approval. Also throws ApprovalNeeded. */
export function unlockAllowed(
  database: WritableDatabase,
  command: UnlockCommand,
  permit: Permit,
  now: Date,
): UnlockReport {
  const { accountId, subject, keyId } = command;
  const at = now.toISOString();
  return inTransaction(database, () => {
    const { units, boundBy } =
      command.whenShort === 'refuse' ? unbounded : readCallSpendable(database, command, permit, at);
    const { states, newlyOwned, priceUnits } = planUnlock(database, command, units);
    const entryId = charge(database, accountId, priceUnits, subject, at, keyId, permit);
    if (entryId !== null) {
      ownAll(database, accountId, newlyOwned, { entryId, at });
      recordUnlocked(database, command, newlyOwned, priceUnits, at);
    }
    const lockedBy = states.includes('locked') ? boundBy : null;
    return { states, chargedUnits: priceUnits, lockedBy };
  });
}

/** What identifies the same unlocking in a repeat. */
export const unlockFingerprint = ({ values, subject, whenShort }: UnlockCommand): string =>
  JSON.stringify([
    values.map(({ kind, personUuid }) => [kind, personUuid]),
    [subject.kind, subject.id],
    whenShort,
  ]);

/**
 * Unlocks values for an account, in order, with one charge for all that it does not own yet. With
 * `whenShort: 'leave_locked'`, a value that the rest of the balance, the key's caps or the approval
 * does not cover stays locked and costs nothing; a cheaper one after it may still be paid. Throws
 * EngineError insufficient_credits or spending_cap_reached with `whenShort: 'refuse'`, and
 * `approval_required`; nothing is charged then.
 */
export const unlock = (
  database: WritableDatabase,
  command: UnlockCommand,
  now: Date,
): UnlockReport =>
  spendAllowed(database, command, unlockFingerprint(command), now, (permit) =>
    unlockAllowed(database, command, permit, now),
  );
