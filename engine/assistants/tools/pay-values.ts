/**
 * Pays for the values that a tool has found: within the balance and the limits of its key; once
 * under an idempotency key. Where a person has to allow the price, they are asked before it is paid
 * (approve-spending.ts).
 *
 *   found ──dry run──> told the price, nothing paid
 *     └──paid in one transaction, or locked; refused where a person says no
 */
import { createHash } from 'node:crypto';
import type { OmissionReason } from '../../contract/assistants/tools/paying.ts';
import type { ToolName } from '../../contract/assistants/tools.ts';
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { lookupPrices } from '../../contract/lookup.ts';
import { readGuard } from '../../ledger/key-guard.ts';
import type { PersonValue } from '../../ledger/owned-values.ts';
import type { UnlockReport } from '../../ledger/unlock.commands.ts';
import { previewUnlock } from '../../ledger/unlock.ts';
import { findUnlocked } from '../../ledger/unlock-once.ts';
import type { ToolCall } from './tool-call.ts';

/** The options of a paying call, parsed. */
interface PayingArguments {
  readonly idempotency_key?: string | undefined;
  readonly dry_run: boolean;
}

/** What is to be paid for. */
export interface ToolOrder<Material> {
  readonly tool: ToolName;
  readonly args: PayingArguments;
  /** In the order in which the credits are spent. */
  readonly values: readonly PersonValue[];
  /** What was found; plain JSON, kept for a repeat under the same idempotency key. */
  readonly material: Material;
}

/** What was found, and what became of each value of it. */
export interface PaidMaterial<Material> {
  readonly material: Material;
  readonly report: UnlockReport;
}

/** SHA-256 of a call: what a repeat has in common with the first. */
function fingerprintOf(tool: ToolName, args: PayingArguments): string {
  const { idempotency_key: _, ...others } = args;
  return createHash('sha256')
    .update(JSON.stringify([tool, others]))
    .digest('hex');
}

/**
 * What an earlier call under the same idempotency key found and paid; null where there was none.
 * Throws `idempotency_conflict`.
 */
export function findEarlierCall<Material>(
  { environment, caller, now }: ToolCall,
  tool: ToolName,
  args: PayingArguments,
): PaidMaterial<Material> | null {
  if (args.idempotency_key === undefined || args.dry_run) return null;
  const use = { keyScope: caller.keyScope, key: args.idempotency_key };
  const earlier = findUnlocked(environment.database, use, fingerprintOf(tool, args), now());
  return earlier && { material: JSON.parse(earlier.material) as Material, report: earlier.report };
}

/** Why a call that could give nothing at all is refused. */
function refuseLocked(
  { environment, caller }: ToolCall,
  values: readonly PersonValue[],
  lockedBy: OmissionReason,
): EngineError {
  const leastUnits = creditUnits(Math.min(...values.map(({ kind }) => lookupPrices[kind])));
  const needs = `This needs ${formatCredits(leastUnits)} credits`;
  if (lockedBy === 'insufficient_credits')
    return new EngineError(
      'insufficient_credits',
      `${needs}, which the wallet does not have. Nothing was charged. check_wallet tells the ` +
        'balance; ask the person to add credits.',
    );
  const { keyId } = caller;
  const capCallUnits = keyId === null ? null : readGuard(environment.database, keyId).capCallUnits;
  const limit =
    lockedBy === 'call_limit_reached' && capCallUnits !== null
      ? `this client may spend at most ${formatCredits(capCallUnits)} in one call`
      : 'the spending cap of this client’s key leaves less';
  return new EngineError(
    'spending_cap_reached',
    `${needs}, and ${limit}. Nothing was charged. Ask the person to raise it in Connections, or ` +
      'ask for less.',
  );
}

/** Refuses a call that has found something and can give nothing of it. */
function requireGiven(
  call: ToolCall,
  values: readonly PersonValue[],
  { states, lockedBy }: UnlockReport,
): void {
  if (lockedBy !== null && states.every((state) => state === 'locked'))
    throw refuseLocked(call, values, lockedBy);
}

/**
 * Pays. Of a dry run the report tells what would be charged. Throws `insufficient_credits` and
 * `spending_cap_reached` where nothing could be given or the person said no, `approval_required`
 * where they did not answer, `idempotency_conflict`, and the signal's reason where nobody waits any
 * more. Nothing is charged then.
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
  // What is owned stays so: it needs no writer, and waits behind no job.
  const isFree = plan.states.every((state) => state === 'owned');
  const subject = { kind: 'tool', id: tool } as const;
  const command = { ...wanted, subject, whenShort: 'leave_locked' as const };
  if (args.idempotency_key === undefined) {
    const report = isFree
      ? plan
      : await call.spendAllowed((asking) => environment.writer.unlock({ ...command, asking }));
    requireGiven(call, values, report);
    return { material, report };
  }
  const once = {
    keyScope: caller.keyScope,
    key: args.idempotency_key,
    fingerprint: fingerprintOf(tool, args),
    material: JSON.stringify(material),
  };
  const paid = await call.spendAllowed((asking) =>
    environment.writer.unlockOnce({ ...command, asking, once }),
  );
  requireGiven(call, values, paid.report);
  return { material: JSON.parse(paid.material) as Material, report: paid.report };
}
