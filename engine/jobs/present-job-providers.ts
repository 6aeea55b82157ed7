/** What a job spent at each of the user's providers, and which ones it stopped asking. */
import { providerFieldNames } from '../contract/provider.ts';
import type { JobProviders } from '../contract/providers.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readPrices } from '../providers/installed/provider-money.table.ts';
import { listNotes } from '../providers/waterfall/provider-note.table.ts';
import {
  type JobFailures,
  listJobFailures,
  listJobSpending,
} from '../providers/waterfall/provider-request.table.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';
import { type JobField, listJobFields } from '../providers/waterfall/request-field.table.ts';

/** What a provider found by field. The costs add up to `costUnits`, which may be reported. */
function presentFields(
  fields: readonly JobField[],
  costUnits: number,
): JobProviders[number]['fields'] {
  const ordered = providerFieldNames.flatMap((name) =>
    fields.filter(({ field }) => field === name),
  );
  const shares = ordered.map(({ shareUnits }) => shareUnits);
  const hasShares = shares.some((share) => share > 0);
  // A service may charge for what it did not find.
  const weights = hasShares ? shares : ordered.map(({ asked }) => asked);
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0);
  let unitsLeft = costUnits;
  return ordered.map(({ field, asked, hits }, nth) => {
    const weight = weights[nth] ?? 0;
    const units = weightLeft === 0 ? 0 : Math.round((unitsLeft * weight) / weightLeft);
    weightLeft -= weight;
    unitsLeft -= units;
    return {
      field,
      asked,
      hits,
      hit_rate: asked === 0 ? null : hits / asked,
      credits: toCredits(units),
      cost_per_hit: hits === 0 ? null : toCredits(Math.round(units / hits)),
    };
  });
}

const describeFailures = ({ rows, detail }: JobFailures): string =>
  [`${rows} ${rows === 1 ? 'row was' : 'rows were'} not answered.`, detail ?? ''].join(' ').trim();

/** The providers of a job, by id. A provider that was skipped before any request is included. */
export function presentJobProviders(database: ReadableDatabase, jobId: number): JobProviders {
  const spending = listJobSpending(database, jobId);
  const found = listJobFields(database, jobId);
  const prices = readPrices(database);
  const notes = new Map([
    ...listJobFailures(database, jobId).map(
      (one) => [one.provider, describeFailures(one)] as const,
    ),
    ...listNotes(database, jobId).map(({ provider, detail }) => [provider, detail] as const),
  ]);
  const ids = [...new Set([...spending.map(({ provider }) => provider), ...notes.keys()])].sort();
  return ids.map((id) => {
    const own = spending.find(({ provider }) => provider === id);
    const fields = found.filter(({ provider }) => provider === id);
    return {
      provider: id,
      requests: own?.requests ?? 0,
      rows: own?.rows ?? 0,
      credits: toCredits(own?.costUnits ?? 0),
      is_estimated: own?.isEstimated === 1,
      credits_open: toCredits(own?.openUnits ?? 0),
      rows_open: own?.openRows ?? 0,
      uncertain_requests: own?.uncertain ?? 0,
      price: prices.get(id) ?? null,
      fields: presentFields(fields, own?.costUnits ?? 0),
      note: notes.get(id) ?? null,
    };
  });
}
