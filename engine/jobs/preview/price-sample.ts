/**
 * The expected price of a list from the enriched rows of its sample, with the rules by which the
 * job charges them. The price is exact if the sample is the whole list.
 */
import { creditUnits, formatCredits } from '../../contract/credits.ts';
import type { Preview } from '../../contract/jobs/job.ts';
import type { RepeatKind } from '../../contract/jobs/repeats.ts';
import { type ChargeRule, chargedLayers, listLayers, priceRow } from '../../ledger/price-job.ts';
import type { EarlierAnswers } from '../repeats/read-earlier.ts';
import { type PersonOfRow, sortRows } from '../repeats/sort-rows.ts';

export interface PricedSample {
  readonly rule: ChargeRule;
  /** The enriched rows, by their position in the sample. */
  readonly enriched: readonly PersonOfRow[];
  /** Positions of the rows that have the text of an earlier row of the sample. */
  readonly repeatedTexts: ReadonlySet<number>;
  readonly sampled: number;
  readonly rowCount: number;
  /** Rows of the whole list with the text of an earlier row. */
  readonly duplicateRows: number;
  readonly earlier: EarlierAnswers;
}

/** Members of the preview about the price. */
type Price = Pick<Preview, 'certainty' | 'expected_credits' | 'expected_layers' | 'savings'>;

const formatUnits = (units: number) => formatCredits(creditUnits(Math.round(units)));

/** How many rows of the list a row of the sample represents. */
interface Weights {
  /** Rows with a text of their own. */
  readonly own: number;
  /** Rows that repeat the text of such a row. */
  readonly repeated: number;
}

/**
 * In a part of a list few of its duplicates are seen, but their number is known: the first row of
 * each text represents both. In a whole list each row represents itself.
 */
function weigh(sample: PricedSample): { readonly rows: readonly PersonOfRow[] } & Weights {
  const { enriched, repeatedTexts, sampled, rowCount, duplicateRows } = sample;
  if (sampled === rowCount) return { rows: enriched, own: 1, repeated: 0 };
  const texts = sampled - repeatedTexts.size;
  return {
    rows: enriched.filter(({ rowIndex }) => !repeatedTexts.has(rowIndex)),
    own: (rowCount - duplicateRows) / texts,
    repeated: duplicateRows / texts,
  };
}

/** Adds up the rows of each kind and what they cost less. */
function createSavings() {
  const sums = new Map<RepeatKind, { rows: number; units: number }>();
  return {
    add(kind: RepeatKind, rows: number, units: number) {
      const sum = sums.get(kind) ?? { rows: 0, units: 0 };
      sums.set(kind, { rows: sum.rows + rows, units: sum.units + units });
    },
    list: (): Price['savings'] =>
      [...sums].flatMap(([kind, { rows, units }]) =>
        rows === 0
          ? []
          : [{ kind, rows: Math.max(1, Math.round(rows)), credits: formatUnits(units) }],
      ),
  };
}

function findCertainty({ sampled, rowCount, earlier }: PricedSample): Price['certainty'] {
  if (!earlier.isComplete) return 'at_most';
  return sampled === rowCount ? 'exact' : 'about';
}

export function priceSample(sample: PricedSample): Price {
  const { rule, earlier } = sample;
  const { rows, own, repeated } = weigh(sample);
  const sorted = sortRows(rows, earlier.known, () => new Map());
  const fullUnits = ({ layerBits }: PersonOfRow): number => priceRow(rule, true, layerBits);
  const savings = createSavings();
  const both = own + repeated;
  for (const { row } of sorted.known) savings.add('known', both, both * fullUnits(row));
  for (const { row } of sorted.duplicates) savings.add('duplicate', both, both * fullUnits(row));
  const wanted = new Map(
    sorted.firsts.map(({ personUuid, layerBits }) => [personUuid, chargedLayers(rule, layerBits)]),
  );
  const paid = earlier.findPaid(wanted);
  const layerUnits = new Map(rule.codes.map((code) => [code, 0]));
  for (const row of sorted.firsts) {
    const units = fullUnits(row);
    savings.add('duplicate', repeated, repeated * units);
    const free = (paid.get(row.personUuid) ?? []).reduce((set, { layers }) => set | layers, 0);
    if (free !== 0)
      savings.add('paid_before', own, own * (units - priceRow(rule, true, row.layerBits, free)));
    for (const code of listLayers(chargedLayers(rule, row.layerBits) & ~free))
      layerUnits.set(code, (layerUnits.get(code) ?? 0) + own * (rule.prices[code] ?? 0));
  }
  const rounded = [...layerUnits].map(([code, units]) => [code, Math.round(units)] as const);
  return {
    certainty: findCertainty(sample),
    expected_credits: formatUnits(rounded.reduce((sum, [, units]) => sum + units, 0)),
    expected_layers: Object.fromEntries(rounded.map(([code, units]) => [code, formatUnits(units)])),
    savings: savings.list(),
  };
}
