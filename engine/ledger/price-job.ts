/**
 * What a job costs: layer selection, prices, estimate without a sample (docs/rules.md, "Money" and
 * "Data enrichment").
 */
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { LayersData } from '../contract/jobs/job.ts';
import {
  type LayerCode,
  layerByCode,
  layerCodes,
  layerStatuses,
  layers,
  resolveSelection,
} from '../contract/jobs/layers.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { EstimateWithoutPreview } from './estimate.ts';
import { readBalances } from './ledger.ts';
import { listRates } from './rate.table.ts';

/** Units per row of each selected layer. */
export type LayerPrices = Partial<Record<LayerCode, CreditUnits>>;

function layerRates(database: ReadableDatabase, accountId: number) {
  const rates = listRates(database, accountId);
  return layerCodes.map((code) => {
    const rate = rates.find((one) => one.code === code);
    if (!rate) throw new Error(`account ${accountId} has no rate for ${code}`);
    return { code, priceUnits: rate.priceUnits, active: rate.active };
  });
}

/** The layers that an account has switched on, in order. */
function listActiveLayers(database: ReadableDatabase, accountId: number): LayerCode[] {
  return layerRates(database, accountId)
    .filter((rate) => rate.active)
    .map((rate) => rate.code);
}

/**
 * The codes that a selection stands for, in order. Throws `bad_layers` where it is empty and
 * `validation_error` where it breaks the rules.
 */
export function resolveLayers(
  database: ReadableDatabase,
  accountId: number,
  selection: readonly string[],
): LayerCode[] {
  if (selection.length === 0) throw new EngineError('bad_layers');
  const answer = resolveSelection(selection, listActiveLayers(database, accountId));
  if ('problem' in answer)
    throw new EngineError('validation_error', `selected_layers: ${answer.problem}`);
  return answer.codes;
}

/** Prices of a selection: per layer and their sum, per row. */
export function priceSelection(
  database: ReadableDatabase,
  accountId: number,
  codes: readonly LayerCode[],
): { prices: LayerPrices; pricePerRowUnits: CreditUnits } {
  const prices: LayerPrices = {};
  let sum = 0;
  for (const { code, priceUnits } of layerRates(database, accountId)) {
    if (!codes.includes(code)) continue;
    prices[code] = priceUnits;
    sum += priceUnits;
  }
  return { prices, pricePerRowUnits: creditUnits(sum) };
}

/** What a list would cost and whether the wallet covers it. Charges and stores nothing. */
export function estimate(
  database: ReadableDatabase,
  accountId: number,
  codes: readonly LayerCode[],
  rowCount: number,
): EstimateWithoutPreview {
  const { prices, pricePerRowUnits } = priceSelection(database, accountId, codes);
  const { availableUnits } = readBalances(database, accountId);
  const neededUnits = creditUnits(rowCount * pricePerRowUnits);
  return {
    selected_layers: [...codes],
    row_count: rowCount,
    price_per_row: formatCredits(pricePerRowUnits),
    credits_needed: formatCredits(neededUnits),
    available_credits: formatCredits(availableUnits),
    sufficient: availableUnits >= neededUnits,
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

/** The account's rate card, as GET /layers/ answers it. */
export function describeLayers(database: ReadableDatabase, accountId: number): LayersData {
  const rates = layerRates(database, accountId);
  const active = rates.filter((rate) => rate.active).map((rate) => rate.code);
  const full = resolveSelection(['full'], active);
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
      price_per_row: formatCredits(priceSelection(database, accountId, codes).pricePerRowUnits),
    },
  };
}

/** The status of a layer in the two-bit codes kept with a result. */
export function readLayerStatus(layerBits: number, code: LayerCode) {
  return layerStatuses[(layerBits >> (2 * layerCodes.indexOf(code))) & 3] ?? 'not_found';
}

/**
 * What one row costs: nothing unless it is enriched; the whole price per row, or under
 * `layers_found` the prices of the layers that returned data (docs/rules.md, "Money").
 */
export function priceRow(
  job: {
    readonly chargePolicy: 'row' | 'layers_found';
    readonly codes: readonly LayerCode[];
    readonly prices: LayerPrices;
    readonly pricePerRowUnits: CreditUnits;
  },
  enriched: boolean,
  layerBits: number,
): CreditUnits {
  if (!enriched) return creditUnits(0);
  if (job.chargePolicy === 'row') return job.pricePerRowUnits;
  const found = job.codes.filter((code) => readLayerStatus(layerBits, code) === 'enriched');
  return creditUnits(found.reduce((sum, code) => sum + (job.prices[code] ?? 0), 0));
}
