// What one layer is expected to find and to cost in a job, from the estimate of its list.
import type { AppEstimate } from '../../../../engine/contract/jobs/app-jobs.ts';
import type { LayerCode } from '../../../../engine/contract/jobs/layers.ts';

export interface LayerOutlook {
  /** Share of the rows in which it returns data, and their number. */
  readonly share: number;
  readonly rows: number;
  /** Expected credits of the whole list, and of a row with data; null if there is none. */
  readonly credits: number;
  readonly perHit: number | null;
  /** Whether the numbers are those of every row. */
  readonly isExact: boolean;
}

/** The outlook of a selected layer; null without a dry run of it. */
export function readOutlook(
  { row_count: rowCount, preview }: AppEstimate,
  code: LayerCode,
): LayerOutlook | null {
  const share = preview?.found_layers[code];
  if (!preview || share === undefined) return null;
  const isExact = preview.sampled === rowCount;
  const rows = isExact ? Math.round(share * rowCount) : share * rowCount;
  const credits = Number(preview.expected_layers[code] ?? 0);
  return { share, rows, credits, perHit: rows > 0 ? credits / rows : null, isExact };
}

/** Whether a row with data costs clearly more than the price of one row. */
export const isExpensive = ({ perHit }: LayerOutlook, price: string): boolean =>
  perHit !== null && perHit >= 1.5 * Number(price);
