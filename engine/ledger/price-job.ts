// The price of a job: the prices of selected layers, the price of a list of rows, and the estimate
// without a preview (docs/rules.md, "Money" and "Data enrichment").
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError, invalid } from '../contract/errors.ts';
import type { EstimateData, LayersData } from '../contract/jobs/job.ts';
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  layerStatuses,
  layers,
  resolveSelection,
} from '../contract/jobs/layers.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { isCovered, readBalances, type Spender } from './ledger.ts';
import { listRates } from './rate.table.ts';

type EstimateWithoutPreview = Omit<EstimateData, 'preview'>;

/** Units per row of each selected layer. */
export type LayerPrices = Partial<Record<LayerCode, CreditUnits>>;

export interface PricedLayers {
  readonly codes: readonly LayerCode[];
  readonly prices: LayerPrices;
  readonly pricePerRowUnits: CreditUnits;
}

function readLayerRates(database: ReadableDatabase, accountId: number) {
  const rates = listRates(database, accountId);
  return layerCodes.map((code) => {
    const rate = rates.find((one) => one.code === code);
    if (!rate) throw new Error(`account ${accountId} has no rate for ${code}`);
    return { code, priceUnits: rate.priceUnits, active: rate.active };
  });
}
type LayerRates = ReturnType<typeof readLayerRates>;

const listActive = (rates: LayerRates): LayerCode[] =>
  rates.flatMap(({ code, active }) => (active ? code : []));

function priceLayers(rates: LayerRates, codes: readonly LayerCode[]): PricedLayers {
  const selected = rates.filter(({ code }) => codes.includes(code));
  return {
    codes,
    prices: Object.fromEntries(selected.map(({ code, priceUnits }) => [code, priceUnits])),
    pricePerRowUnits: creditUnits(selected.reduce((sum, { priceUnits }) => sum + priceUnits, 0)),
  };
}

type Resolved = ReturnType<typeof resolveSelection>;

function requireLayers(answer: Resolved): LayerCode[] {
  if ('codes' in answer) return answer.codes;
  throw invalid(`selected_layers: ${answer.problem}`);
}

/**
 * Checks a selection by the rules that hold for every account: `["full"]`, or codes in order,
 * each once. Throws `bad_layers` if it is empty and `validation_error` if it breaks a rule.
 */
export function checkSelection(selection: readonly string[]): readonly string[] {
  if (selection.length === 0) throw new EngineError('bad_layers');
  const codes = requireLayers(resolveSelection(selection, layerCodes));
  return selection.includes('full') ? ['full'] : codes;
}

/**
 * Resolves a selection to layers and prices with one read of the account's rates. Throws
 * `bad_layers` if it is empty and `validation_error` if it breaks the rules.
 */
export function resolveLayers(
  database: ReadableDatabase,
  accountId: number,
  selection: readonly string[],
): PricedLayers {
  if (selection.length === 0) throw new EngineError('bad_layers');
  const rates = readLayerRates(database, accountId);
  return priceLayers(rates, requireLayers(resolveSelection(selection, listActive(rates))));
}

export const priceSelection = (
  database: ReadableDatabase,
  accountId: number,
  codes: readonly LayerCode[],
): Omit<PricedLayers, 'codes'> => priceLayers(readLayerRates(database, accountId), codes);

/** The price of a job, which its hold reserves: every row at the price of all its layers. */
export const priceJob = (
  { pricePerRowUnits }: Pick<PricedLayers, 'pricePerRowUnits'>,
  rowCount: number,
): CreditUnits => creditUnits(rowCount * pricePerRowUnits);

/** The price of a list, and whether the spender can pay it. Charges and stores nothing. */
export function estimate(
  database: ReadableDatabase,
  spender: Spender,
  layersOfJob: PricedLayers,
  rowCount: number,
): EstimateWithoutPreview {
  const { codes, prices, pricePerRowUnits } = layersOfJob;
  const { availableUnits } = readBalances(database, spender.accountId);
  const neededUnits = priceJob(layersOfJob, rowCount);
  return {
    selected_layers: [...codes],
    row_count: rowCount,
    price_per_row: formatCredits(pricePerRowUnits),
    credits_needed: formatCredits(neededUnits),
    available_credits: formatCredits(availableUnits),
    sufficient: isCovered(database, spender, neededUnits),
    breakdown: codes.map((code) => {
      const units = prices[code] ?? creditUnits(0);
      return {
        code,
        label: layerByCode[code].label,
        price: formatCredits(units),
        subtotal: formatCredits(creditUnits(units * rowCount)),
      };
    }),
  };
}

export function describeLayers(database: ReadableDatabase, accountId: number): LayersData {
  const rates = readLayerRates(database, accountId);
  const full = resolveSelection(['full'], listActive(rates));
  const codes = 'codes' in full ? full.codes : [];
  return {
    layers: layers.map((layer, at) => ({
      code: layer.code,
      label: layer.label,
      description: layer.description,
      active: rates[at]?.active ?? false,
      requires: [...layer.requires],
      fields: [...layer.fields],
      price: formatCredits(rates[at]?.priceUnits ?? creditUnits(0)),
    })),
    full: {
      selected_layers: codes,
      price_per_row: formatCredits(priceLayers(rates, codes).pricePerRowUnits),
    },
  };
}

/** The status of a layer from the two-bit codes stored with a result. */
export function readLayerStatus(layerBits: number, code: LayerCode) {
  return layerStatuses[(layerBits >> (2 * layerCodes.indexOf(code))) & 3] ?? 'not_found';
}

export interface ChargeRule {
  readonly chargePolicy: 'row' | 'layers_found';
  readonly codes: readonly LayerCode[];
  readonly prices: LayerPrices;
  readonly pricePerRowUnits: CreditUnits;
}

/** A set of layers as bits, in the order of layerCodes. */
export const layerSet = (codes: readonly LayerCode[]): number =>
  codes.reduce((set, code) => set | (1 << layerCodes.indexOf(code)), 0);

export const listLayers = (set: number): LayerCode[] =>
  layerCodes.filter((_code, at) => (set >> at) & 1);

/** The layers that an enriched row pays for: all, or with `layers_found` those with data. */
export const chargedLayers = (
  { chargePolicy, codes }: Pick<ChargeRule, 'chargePolicy' | 'codes'>,
  layerBits: number,
): number =>
  layerSet(
    chargePolicy === 'row'
      ? codes
      : codes.filter((code) => readLayerStatus(layerBits, code) === 'enriched'),
  );

/**
 * The price of one row: 0 unless it is enriched; then the full price per row, or with
 * `layers_found` the prices of the layers that returned data (docs/rules.md, "Money").
 * @param freeLayers set of the layers that the row is not charged for ("Repeated people")
 */
export function priceRow(
  job: ChargeRule,
  enriched: boolean,
  layerBits: number,
  freeLayers = 0,
): CreditUnits {
  if (!enriched) return creditUnits(0);
  if (job.chargePolicy === 'row' && freeLayers === 0) return job.pricePerRowUnits;
  const charged = listLayers(chargedLayers(job, layerBits) & ~freeLayers);
  return creditUnits(charged.reduce((sum, code) => sum + (job.prices[code] ?? 0), 0));
}

/** Numbers of rows by the set of layers that they pay for; a negative number takes rows away. */
export type PaidSets = Map<number, number>;

export function addPaid(sets: PaidSets, layersPaid: number, rows: number): void {
  if (layersPaid !== 0) sets.set(layersPaid, (sets.get(layersPaid) ?? 0) + rows);
}

/** What rows pay for each layer, in units. */
export function priceSets(
  { prices }: Pick<ChargeRule, 'prices'>,
  sets: PaidSets,
): Map<LayerCode, number> {
  const units = new Map<LayerCode, number>();
  for (const [set, rows] of sets)
    for (const code of listLayers(set))
      units.set(code, (units.get(code) ?? 0) + rows * (prices[code] ?? 0));
  return units;
}

export const sumLayers = (units: ReadonlyMap<LayerCode, number>): number =>
  [...units.values()].reduce((sum, one) => sum + one, 0);
