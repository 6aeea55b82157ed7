// Pays for the values that a tool has found: within the balance and the limits of its key, and once
// per idempotency key. If the price needs approval, the person is asked before it is paid
// (approve-spending.ts).
//
//   found ──dry run──> the price is returned, nothing is paid
//     └──paid in one transaction, or locked; refused if a person denies it
import { createHash } from 'node:crypto';
import type { OmissionReason } from '../../contract/assistants/tools/paying.ts';
import type { ToolName } from '../../contract/assistants/tools.ts';
import { creditUnits, sayCredits, showCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { lookupPrices } from '../../contract/lookup.ts';
import { readGuard } from '../../ledger/key-guard.ts';
import type { PersonValue } from '../../ledger/owned-values.ts';
import { previewUnlock, type UnlockReport } from '../../ledger/unlock.ts';
import { findUnlocked } from '../../ledger/unlock-once.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import type { ToolCall, ToolEnvironment } from './tool-call.ts';

interface PayingArguments {
  readonly idempotency_key?: string | undefined;
  readonly dry_run: boolean;
}

export interface ToolOrder<Material> {
  readonly tool: ToolName;
  readonly args: PayingArguments;
  /** In the order in which the credits are spent. */
  readonly values: readonly PersonValue[];
  /** The result; plain JSON, stored for a repeat with the same idempotency key. */
  readonly material: Material;
}

export interface PaidMaterial<Material> {
  readonly material: Material;
  readonly report: UnlockReport;
}

/** SHA-256 of a call, which a repeat must share. */
function fingerprintOf(tool: ToolName, args: PayingArguments): string {
  const { idempotency_key: _, ...others } = args;
  return createHash('sha256')
    .update(JSON.stringify([tool, others]))
    .digest('hex');
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

function isWithheld({ database, directoryDatabase }: ToolEnvironment, material: unknown): boolean {
  const hidden = readHiddenRows(database, directoryDatabase);
  if (hidden.isEmpty) return false;
  const texts = listTexts(material);
  return hidden.list.namesAny({}, texts) || texts.some(hidden.hasPerson);
}

/** The result of an earlier call with the same key. Throws `idempotency_conflict`. */
export function findEarlierCall<Material>(
  { environment, caller, now }: ToolCall,
  tool: ToolName,
  args: PayingArguments,
): PaidMaterial<Material> | null {
  if (args.idempotency_key === undefined || args.dry_run) return null;
  const use = { keyScope: caller.keyScope, key: args.idempotency_key };
  const earlier = findUnlocked(environment.database, use, fingerprintOf(tool, args), now());
  if (!earlier) return null;
  const material = JSON.parse(earlier.material) as Material;
  return isWithheld(environment, material) ? null : { material, report: earlier.report };
}

function refuseLocked(
  { environment, caller }: ToolCall,
  values: readonly PersonValue[],
  lockedBy: OmissionReason,
): EngineError {
  const leastUnits = creditUnits(Math.min(...values.map(({ kind }) => lookupPrices[kind])));
  const needs = `This needs ${sayCredits(leastUnits)}`;
  if (lockedBy === 'insufficient_credits')
    return new EngineError(
      'insufficient_credits',
      `${needs}, which the wallet does not have. Nothing was charged. check_wallet returns the ` +
        'balance. Ask the user to add credits.',
    );
  const { keyId } = caller;
  const capCallUnits = keyId === null ? null : readGuard(environment.database, keyId).capCallUnits;
  const limit =
    lockedBy === 'call_limit_reached' && capCallUnits !== null
      ? `this client may spend at most ${showCredits(capCallUnits)} in one call`
      : 'less is left of the spending cap of this client’s key';
  return new EngineError(
    'spending_cap_reached',
    `${needs}, and ${limit}. Nothing was charged. Ask the user to raise it in Connections, or ` +
      'request less.',
  );
}

/** Refuses a call that has found values but can return none of them. */
function requireGiven(
  call: ToolCall,
  values: readonly PersonValue[],
  { states, lockedBy }: UnlockReport,
): void {
  if (lockedBy !== null && states.every((state) => state === 'locked'))
    throw refuseLocked(call, values, lockedBy);
}

/**
 * Pays. For a dry run, the report has what would be charged. Throws `insufficient_credits` and
 * `spending_cap_reached` if nothing could be returned or a person denied it, `approval_required` if
 * no person answered, `idempotency_conflict`, and the signal's reason if the client no longer
 * waits. Nothing is charged then.
 */
export async function payValues<Material>(
  call: ToolCall,
  order: ToolOrder<Material>,
): Promise<PaidMaterial<Material>> {
  const { environment, caller, signal, now } = call;
  const { tool, args, values, material } = order;
  const wanted = { accountId: caller.accountId, keyId: caller.keyId, values };
  const plan = previewUnlock(environment.database, wanted, now());
  if (args.dry_run) return { material, report: plan };
  requireGiven(call, values, plan);
  signal.throwIfAborted();
  // An owned value stays owned, so it needs no write and does not wait behind jobs.
  const isFree = plan.states.every((state) => state === 'owned');
  const subject = { kind: 'tool', id: tool } as const;
  const command = { ...wanted, subject, whenShort: 'leave_locked' as const };
  const use = { keyScope: caller.keyScope, key: args.idempotency_key ?? '' };
  const fingerprint = fingerprintOf(tool, args);
  const stored =
    args.idempotency_key === undefined
      ? null
      : findUnlocked(environment.database, use, fingerprint, now());
  // What a suppressed person is part of is not repeated. What was paid for stays owned.
  const isStale = stored !== null && isWithheld(environment, JSON.parse(stored.material));
  if (args.idempotency_key === undefined || isStale) {
    const report = isFree
      ? plan
      : await call.spendAllowed((asking) => environment.writer.unlock({ ...command, asking }));
    requireGiven(call, values, report);
    return { material, report };
  }
  const once = {
    ...use,
    fingerprint,
    material: JSON.stringify(material),
  };
  const paid = await call.spendAllowed((asking) =>
    environment.writer.unlockOnce({ ...command, asking, once }),
  );
  requireGiven(call, values, paid.report);
  return { material: JSON.parse(paid.material) as Material, report: paid.report };
}
