// What a waterfall may cost before it starts, per provider, in the credits of each service.
import { hitRateAskedMin } from '../../contract/limits/waterfall.ts';
import {
  type ProviderField,
  providerFieldNames,
  type SharedCost,
} from '../../contract/provider.ts';
import type { ProviderQuote } from '../../contract/providers.ts';
import { findShared } from './cost-terms.ts';
import type { WaterfallOrder } from './plan-person.ts';
import type { ProviderTally } from './provider-answer.table.ts';

/** Rows for which no earlier step found the field: at most, and expected. */
interface OpenRows {
  atMost: number;
  expected: number;
}

/** The share of rows that a provider finds; null if it was hardly asked. */
function hitRateOf(tallies: readonly ProviderTally[], provider: string, field: ProviderField) {
  const tally = tallies.find((one) => one.provider === provider && one.field === field);
  return tally && tally.asked >= hitRateAskedMin ? tally.hits / tally.asked : null;
}

/** The share of rows that the directory leaves open, by field; 1 for any other field. */
export type OpenShares = Readonly<Record<string, number>>;

/** The costs that fields share, by provider and by one of the fields of each. */
type SharedRows = Map<string, OpenRows & { readonly credits: number }>;

/** Counts the rows of a field with a common cost, which they pay once for all of its fields. */
function addShared(
  all: SharedRows,
  { fields, costMaxCredits: credits }: SharedCost,
  provider: string,
  { atMost, expected }: OpenRows,
): void {
  const name = `${provider} ${fields[0]}`;
  const known = all.get(name);
  all.set(name, {
    credits,
    atMost: Math.max(atMost, known?.atMost ?? 0),
    expected: Math.max(expected, known?.expected ?? 0),
  });
}

/** Quotes a job. A field that costs only if it is found is expected to cost its share of hits. */
export function quoteProviders(
  order: WaterfallOrder,
  tallies: readonly ProviderTally[],
  wanted: readonly ProviderField[],
  { rows, openShares }: { readonly rows: number; readonly openShares: OpenShares },
): ProviderQuote {
  const quotes = new Map<string, { at_most: number; expected: number }>();
  const rowsOf = new Map<string, OpenRows>();
  const sharedRows: SharedRows = new Map();
  for (const field of providerFieldNames.filter((name) => wanted.includes(name))) {
    const open: OpenRows = { atMost: rows, expected: rows * (openShares[field] ?? 1) };
    for (const { provider } of order.steps.filter((step) => step.field === field)) {
      const terms = order.terms.get(provider);
      const cost = terms?.fields[field]?.costMaxCredits ?? 0;
      const rate = hitRateOf(tallies, provider, field);
      const shared = terms && findShared(terms, field);
      const found = { atMost: open.atMost, expected: open.expected * (rate ?? 1) };
      if (shared) addShared(sharedRows, shared, provider, found);
      const quote = quotes.get(provider) ?? { at_most: 0, expected: 0 };
      quote.at_most += open.atMost * cost;
      quote.expected += open.expected * (rate ?? 1) * cost;
      quotes.set(provider, quote);
      const asked = rowsOf.get(provider) ?? { atMost: 0, expected: 0 };
      asked.expected = Math.max(asked.expected, open.expected);
      asked.atMost = rows;
      rowsOf.set(provider, asked);
      open.expected *= 1 - (rate ?? 0);
    }
  }
  return [...quotes].map(([provider, quote]) => {
    const perRow = order.terms.get(provider)?.rowCostMaxCredits ?? 0;
    const asked = rowsOf.get(provider) ?? { atMost: 0, expected: 0 };
    for (const [name, { credits, atMost, expected }] of sharedRows)
      if (name.startsWith(`${provider} `)) {
        quote.at_most += atMost * credits;
        quote.expected += expected * credits;
      }
    return {
      provider,
      at_most: quote.at_most + asked.atMost * perRow,
      // Shares of a sample are not exact.
      expected: Math.round((quote.expected + asked.expected * perRow) * 10) / 10,
    };
  });
}
