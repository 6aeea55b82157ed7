/** What a pipeline costs at most, by the prices that it would run with. */
import type { PipelineEstimate } from '../contract/app-pipelines.ts';
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { lookupPrices } from '../contract/lookup.ts';
import type { PipelineKind } from '../contract/pipeline.ts';
import type { ReadableDatabase } from '../sqlite/open.ts';
import { readBalances } from '../store/ledger.ts';

/** What is to be done for each contact. */
interface PipelineWish {
  readonly kinds: readonly PipelineKind[];
  /** null where no email is verified. */
  readonly verifyPriceUnits: CreditUnits | null;
}

/**
 * The most that so many contacts can cost: everything is found of everybody, and owned of nobody.
 * What the balance does not cover is left locked, so that it is never passed.
 */
export function pricePipeline(
  database: ReadableDatabase,
  accountId: number,
  { kinds, verifyPriceUnits }: PipelineWish,
  contacts: number,
): Omit<PipelineEstimate, 'preview'> {
  const prices = [
    ...kinds.map((code) => ({ code, units: lookupPrices[code] })),
    ...(verifyPriceUnits === null
      ? []
      : [{ code: 'email_validation' as const, units: verifyPriceUnits }]),
  ];
  const mostUnits = creditUnits(prices.reduce((sum, { units }) => sum + units, 0) * contacts);
  const { availableUnits } = readBalances(database, accountId);
  return {
    contacts,
    credits_most: formatCredits(mostUnits),
    available_credits: formatCredits(availableUnits),
    sufficient: mostUnits <= availableUnits,
    breakdown: prices.map(({ code, units }) => ({
      code,
      price: formatCredits(units),
      subtotal: formatCredits(creditUnits(units * contacts)),
    })),
  };
}
