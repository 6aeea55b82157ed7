// Parts of the tests of the Enrich screen: an upload, its price, and the controls.
import { page } from 'vitest/browser';
import { creditUnits, formatCredits } from '../../../../engine/contract/credits.ts';
import { estimateExample } from '../../../../engine/contract/examples.ts';
import type { AppEstimate, AppPreview } from '../../../../engine/contract/jobs/app-jobs.ts';
import { type LayerCode, layerByCode, nameLayer } from '../../../../engine/contract/jobs/layers.ts';
import type { Upload } from '../../../../engine/contract/uploads.ts';
import { firstState } from '../../empty-desk.ts';
import type { Answers } from '../../fake-api.ts';
import { uploadExample } from '../../upload-example.ts';

export const people = 'First name,Last name,Company\nAda,Lovelace,Analytical Engines\n';
export const enrichButton = page.getByRole('button', { name: /^Enrich \d/ });

export const makeUpload = (parts: Partial<Upload> = {}): Upload => ({
  ...uploadExample,
  ...parts,
});

export const credits = (number: number) => formatCredits(creditUnits(number * 10_000));

/** The price of rows with these layers, and the wallet's credits. */
export function estimate(rows: number, codes: readonly string[], available: number): AppEstimate {
  const layers = codes.map((code) => layerByCode[code as LayerCode]);
  const perRow = layers.reduce((sum, { defaultPrice }) => sum + Number(defaultPrice), 0);
  return {
    selected_layers: layers.map(({ code }) => code),
    row_count: rows,
    price_per_row: credits(perRow),
    credits_needed: credits(perRow * rows),
    available_credits: credits(available),
    sufficient: perRow * rows <= available,
    breakdown: layers.map(({ code, label, defaultPrice }) => ({
      code,
      label,
      price: defaultPrice,
      subtotal: credits(Number(defaultPrice) * rows),
    })),
  };
}

export const inhabited = {
  ...firstState,
  directory: { ...firstState.directory, people: 3 },
};

export const keepUpload = (upload: Upload, available = 100_000): Answers => ({
  'GET /app/v1/state': () => inhabited,
  'POST /app/v1/uploads': () => upload,
  'POST /app/v1/estimate': ({ sent }) =>
    estimate(upload.row_count, sent.selected_layers, available),
});

export const choose = (name: string, text = people) =>
  page
    .elementLocator(document.querySelector('main input[type=file]')!)
    .upload(new File([text], name));
export const layerBox = (code: LayerCode) =>
  page.getByRole('checkbox', { name: new RegExp(`^${nameLayer(code)},`) });

/** A dry run of three rows, all found. */
export const tried = (parts: Partial<AppPreview>): AppPreview => ({
  ...estimateExample.preview,
  found_layers: {},
  sampled: 3,
  enriched: 3,
  expected_match_rate: 1,
  expected_credits: '1.0000',
  fill_rate: {},
  reasons: {},
  ...parts,
});

/** The price of the example, as the app's own route answers it. */
export const priced: AppEstimate = { ...estimateExample, preview: tried({}) };
