/** The series of the spending chart: what is compared, over which time. */
import type { SpendReport, SpendStep } from '../../../engine/contract/wallet/wallet-spend.ts';
import { nameSpendPart } from '../../../engine/contract/wallet/wallet-words.ts';

/** What the chart compares. */
export type SpendView = 'parts' | 'clients' | 'providers';

/** One line of the legend, with an amount per period. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly total: number;
  readonly amounts: readonly number[];
}

/** Series with a colour of their own; the smaller ones are one. */
const coloursMax = 6;

const largestFirst = (series: readonly Series[]): Series[] =>
  [...series].sort((one, other) => other.total - one.total);

/** The series of a view, the largest first. Credits as numbers, for bars only. */
export function listSeries(
  report: SpendReport,
  view: SpendView,
  titles: ReadonlyMap<string, string>,
): Series[] {
  if (view === 'providers')
    return largestFirst(
      report.providers.map(({ provider, total, by_period: amounts }) => ({
        id: provider,
        name: titles.get(provider) ?? provider,
        total,
        amounts,
      })),
    );
  const named =
    view === 'parts'
      ? report.parts.map((one) => ({ ...one, id: one.part, name: nameSpendPart(one.part) }))
      : report.clients.map((one) => ({ ...one, name: one.name ?? 'You, in this app' }));
  return largestFirst(
    named.map(({ id, name, total, by_period }) => ({
      id,
      name,
      total: Number(total),
      amounts: by_period.map(Number),
    })),
  );
}

/** The series that are drawn: the largest, and the sum of the others. */
export function groupSeries(series: readonly Series[]): readonly Series[] {
  if (series.length <= coloursMax + 1) return series;
  const rest = series.slice(coloursMax);
  const amounts = (rest[0]?.amounts ?? []).map((_amount, at) =>
    rest.reduce((sum, one) => sum + (one.amounts[at] ?? 0), 0),
  );
  const total = rest.reduce((sum, one) => sum + one.total, 0);
  return [...series.slice(0, coloursMax), { id: 'other', name: 'Other', total, amounts }];
}

const dayMs = 86_400_000;
const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Periods that the chart shows. */
export const shownPeriods: Readonly<Record<SpendStep, number>> = { day: 30, week: 26, month: 12 };

/** The days that the chart covers, in UTC. */
export function rangeOf(step: SpendStep, now: number): { since: string; until: string } {
  const until = isoDay(now);
  if (step === 'month') {
    const [year = 0, month = 0] = until.split('-').map(Number);
    return { since: isoDay(Date.UTC(year, month - shownPeriods.month, 1)), until };
  }
  const days = (shownPeriods[step] - 1) * (step === 'week' ? 7 : 1);
  return { since: isoDay(now - days * dayMs), until };
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** "Nov 2026", "Week of 23 Nov 2026", "23 Nov 2026". */
export function namePeriod(start: string, step: SpendStep): string {
  const at = new Date(start);
  if (step === 'month') return monthFormat.format(at);
  return step === 'week' ? `Week of ${dayFormat.format(at)}` : dayFormat.format(at);
}
