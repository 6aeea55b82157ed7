// The maximum cost of a pipeline at the current prices.
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { lookupPrices } from '../contract/lookup.ts';
import type { PipelineEstimate } from '../contract/pipelines/app-pipelines.ts';
import type { PipelineKind } from '../contract/pipelines/pipeline.ts';
import { listUuids } from '../directory/read/read-people.ts';
import { readGuard } from '../ledger/key-guard.ts';
import { isCovered, readBalances, type Spender } from '../ledger/ledger.ts';
import { countOwned } from '../ledger/owned-values.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { NewPipelineRow } from './pipeline.table.ts';

interface PipelineWish {
  readonly kinds: readonly PipelineKind[];
  readonly verifyPriceUnits: CreditUnits | null;
}

const priceContact = ({ kinds, verifyPriceUnits }: PipelineWish): number =>
  kinds.reduce((sum, kind) => sum + lookupPrices[kind], 0) + (verifyPriceUnits ?? 0);

const listPeople = (
  database: ReadableDatabase,
  { source, subjects = [] }: Pick<NewPipelineRow, 'source' | 'subjects'>,
): string[] =>
  source === 'people' ? listUuids(database, subjects as number[]) : (subjects as string[]);

/**
 * The maximum cost of a pipeline for the limits of its key: every value is found, except values
 * that the account already owns. Owned values are not read if the key has no such limits.
 */
export function priceAuthorised(
  database: ReadableDatabase,
  { accountId, keyId }: { readonly accountId: number; readonly keyId: string | null },
  wish: PipelineWish,
  subject: Pick<NewPipelineRow, 'source' | 'subjects' | 'total'>,
): CreditUnits {
  const mostUnits = subject.total * priceContact(wish);
  const guard = keyId === null ? null : readGuard(database, keyId);
  const isBound = guard && (guard.capCallUnits !== null || guard.askAboveUnits !== null);
  if (!isBound) return creditUnits(mostUnits);
  const people = listPeople(database, subject);
  const ownedUnits = wish.kinds.reduce(
    (sum, kind) => sum + lookupPrices[kind] * countOwned(database, accountId, kind, people),
    0,
  );
  return creditUnits(mostUnits - ownedUnits);
}

/**
 * The maximum cost of a number of contacts: every value is found and none is owned. A pipeline
 * never spends more than the balance; values that it does not cover stay locked.
 */
export function pricePipeline(
  database: ReadableDatabase,
  spender: Spender,
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
  const { availableUnits } = readBalances(database, spender.accountId);
  return {
    contacts,
    credits_most: formatCredits(mostUnits),
    available_credits: formatCredits(availableUnits),
    sufficient: isCovered(database, spender, mostUnits),
    breakdown: prices.map(({ code, units }) => ({
      code,
      price: formatCredits(units),
      subtotal: formatCredits(creditUnits(units * contacts)),
    })),
  };
}
