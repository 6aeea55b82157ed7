/**
 * The pipeline step between look-up and unlock: prices the known values that are not owned, and
 * their verification, and holds that amount as far as the balance and the key's caps allow.
 */
import { setImmediate as yieldThread } from 'node:timers/promises';
import { type CreditUnits, creditUnits } from '../contract/credits.ts';
import { lookupPrices } from '../contract/lookup.ts';
import { findHoldEntry, hold } from '../ledger/ledger.ts';
import { readSpendable } from '../ledger/unlock.ts';
import { type HoldBound, notePipelineHold, type PipelineRow } from './pipeline.table.ts';
import { countAddresses, countUnpaidValues } from './pipeline-contact.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';

/** The part of a pipeline's hold that is not spent yet. */
export const leftOfHold = (pipeline: PipelineRow): CreditUnits =>
  creditUnits(pipeline.heldUnits - pipeline.chargedUnits);

/** The ledger entry of a pipeline's hold; null if it has none. */
export const holdEntryOf = ({ database }: PipelineDeps, { holdId }: PipelineRow): number | null =>
  holdId === null ? null : findHoldEntry(database, holdId);

/** Holds the price, or as much of it as can be spent now. For 0 units there is no hold. */
function writeHold(
  { database, now }: PipelineDeps,
  pipeline: PipelineRow,
  verifyUnits: number,
): void {
  const at = now().toISOString();
  const { emails, phones } = countUnpaidValues(database, pipeline);
  const priceUnits = emails * lookupPrices.email + phones * lookupPrices.phone + verifyUnits;
  const { id, accountId, keyId, authorisedUnits } = pipeline;
  const { units, boundBy } = readSpendable(database, pipeline, authorisedUnits, at);
  const heldUnits = creditUnits(Math.min(priceUnits, units));
  const subject = { kind: 'pipeline', id: pipeline.uuid } as const;
  // Its key's limits and approval were checked when the pipeline was accepted.
  const permit = { kind: 'authorised', units: authorisedUnits ?? heldUnits } as const;
  const holdId =
    heldUnits > 0 ? hold(database, accountId, heldUnits, subject, at, keyId, permit) : null;
  const bound: HoldBound = boundBy === 'insufficient_credits' ? boundBy : 'spending_cap_reached';
  const heldShortBy = heldUnits < priceUnits ? bound : null;
  notePipelineHold(database, id, { heldAt: at, holdId, heldUnits, heldShortBy });
}

/**
 * Prices the result of the look-up. The contacts no longer change, so their addresses are counted
 * first; owned values are read in the transaction of the hold.
 */
export async function holdForPipeline(
  deps: PipelineDeps,
  pipeline: PipelineRow,
): Promise<WriteBatch> {
  const verifyUnits = pipeline.verifyPriceUnits
    ? pipeline.verifyPriceUnits * countAddresses(deps.database, pipeline)
    : 0;
  // For 100,000 contacts both counts take a while, so commands are handled between them.
  await yieldThread();
  return () => writeHold(deps, pipeline, verifyUnits);
}
