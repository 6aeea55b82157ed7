/** Describes what the user's data services may cost a job, and what they found and cost at its end. */
import type { JobProviders, ProviderQuote } from '../../contract/providers.ts';
import {
  formatCount,
  formatNumber,
  formatServiceCredits,
  formatShare,
  formatTable,
} from './format-text.ts';

/** Lines about what the user's providers may cost, if the directory has none of the rows. */
export const describeQuote = (quote: ProviderQuote): string[] =>
  quote.map(
    ({ provider, at_most: atMost, expected }) =>
      `${provider} may cost at most ${formatServiceCredits(atMost)} of its own credits, and is ` +
      `expected to cost up to ${formatServiceCredits(expected)}.`,
  );

type JobProvider = JobProviders[number];

function describeTotal({ provider, credits, rows, note, ...rest }: JobProvider): string {
  const { credits_open: open, is_cost_reported: isReported, price } = rest;
  const money = price ? `, about ${(credits * price.per_credit).toFixed(2)} ${price.currency}` : '';
  const derived = isReported === false && credits > 0 ? ' (derived: the service reports none)' : '';
  return [
    `${provider}: ${formatNumber(rows, 'row')} asked, ` +
      `${formatServiceCredits(credits)} of its own credits${money}${derived}.`,
    ...(open > 0 ? [`${formatServiceCredits(open)} more may have been charged.`] : []),
    ...(note === null ? [] : [note]),
  ].join(' ');
}

const columns = ['provider', 'field', 'asked', 'found', 'hit rate', 'credits', 'credits a hit'];

/** Lines about what a job found and cost at the user's providers: totals, then a table by field. */
export function describeJobProviders(spent: JobProviders): string[] {
  const rows = spent.flatMap(({ provider, fields }) =>
    fields.map((one) => [
      ...[provider, one.field, formatCount(one.asked), formatCount(one.hits)],
      one.hit_rate === null ? '-' : formatShare(one.hit_rate),
      formatServiceCredits(one.credits),
      one.cost_per_hit === null ? '-' : formatServiceCredits(one.cost_per_hit),
    ]),
  );
  const table = formatTable([columns, ...rows], [2, 3, 4, 5, 6]);
  return [...spent.map(describeTotal), ...(rows.length === 0 ? [] : table)];
}
