/**
 * The step of a pipeline between looking up and unlocking: what is known and not owned is priced,
 * with the verifying behind it, and set aside, as far as the balance and the key's caps reach.
 */
import { setImmediate as yieldThread } from 'node:timers/promises';
import { type CreditUnits, creditUnits } from '../contract/credits.ts';
import { lookupPrices } from '../contract/lookup.ts';
import { findHoldEntry, hold } from '../ledger/ledger.ts';
import { readSpendable } from '../ledger/unlock.ts';
import { type HoldBound, notePipelineHold, type PipelineRow } from './pipeline.table.ts';
import { countAddresses, countUnpaidValues } from './pipeline-contact.table.ts';
import type { PipelineDeps, WriteBatch } from './pipeline-deps.ts';

/** What of a pipeline's hold is not spent yet. */
export const leftOfHold = (pipeline: PipelineRow): CreditUnits =>
  creditUnits(pipeline.heldUnits - pipeline.chargedUnits);

/** The ledger entry of a pipeline's hold; null where it holds nothing. */
export const holdEntryOf = ({ database }: PipelineDeps, { holdId }: PipelineRow): number | null =>
  holdId === null ? null : findHoldEntry(database, holdId);

/** Holds the price, or what of it can be spent now. A hold of nothing is none. */
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
  // Its key was asked about, and held against its limits, when the pipeline was accepted.
  const permit = { kind: 'authorised', units: authorisedUnits ?? heldUnits } as const;
  const holdId =
    heldUnits > 0 ? hold(database, accountId, heldUnits, subject, at, keyId, permit) : null;
  const bound: HoldBound = boundBy === 'insufficient_credits' ? boundBy : 'spending_cap_reached';
  const heldShortBy = heldUnits < priceUnits ? bound : null;
  notePipelineHold(database, id, { heldAt: at, holdId, heldUnits, heldShortBy });
}

/**
 * Prices what a pipeline has found. Who its contacts are does not change any more, so that their
 * addresses are counted beforehand; what the account owns is read in the transaction of the hold.
 */
export async function holdForPipeline(
  deps: PipelineDeps,
  pipeline: PipelineRow,
): Promise<WriteBatch> {
  const verifyUnits = pipeline.verifyPriceUnits
    ? pipeline.verifyPriceUnits * countAddresses(deps.database, pipeline)
    : 0;
  // Of 100,000 contacts both counts take a while: commands are heard between them.
  await yieldThread();
  return () => writeHold(deps, pipeline, verifyUnits);
}
