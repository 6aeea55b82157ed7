/**
 * The dry run of an estimate: up to 1,000 rows spread over the list are matched and projected.
 * Nothing is stored.
 */
import { creditUnits, formatCredits } from '../contract/credits.ts';
import type { InputRepairKind } from '../contract/jobs/input-repairs.ts';
import { type Preview, reasons, rowStatuses } from '../contract/jobs/job.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { repairedRowsShownMax } from '../contract/limits/jobs.ts';
import { createProjection } from '../directory/read/projection.ts';
import { type LayerPrices, priceRow } from '../ledger/price-job.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { DirectoryProvider } from '../providers/directory-provider.ts';
import { listWanted } from '../providers/waterfall/layer-fields.ts';
import { type RowsSample, sampleRows } from '../spreadsheet/sample-rows.ts';
import { suppressRows } from '../suppression/suppress-rows.ts';
import type { SuppressionList } from '../suppression/suppression-list.ts';
import { listLacking } from './matching/list-incomplete.ts';
import { readFields } from './results/result-fields.ts';
import { listRowRepairs } from './results/row-repairs.ts';

/** Input of a dry run. */
export interface PreviewRequest {
  readonly dir: string;
  readonly mapping: ColumnMapping;
  readonly codes: readonly LayerCode[];
  readonly threshold: number;
  readonly chargePolicy: 'row' | 'layers_found';
  readonly prices: LayerPrices;
  readonly pricePerRowUnits: ReturnType<typeof creditUnits>;
  /** Rows of the whole list with the same text as an earlier row, which are not charged. */
  readonly duplicateRows: number;
  /** The suppression list. */
  readonly list: SuppressionList;
}

const share = (part: number, whole: number) =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;

const shares = (counts: ReadonlyMap<string, number>, whole: number) =>
  Object.fromEntries([...counts].map(([name, count]) => [name, share(count, whole)]));

function addAll(counts: Map<string, number>, names: readonly string[]): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** How many rows have a repair of each kind, and the first of these rows. */
function countRepairs(
  rows: RowsSample['rows'],
  mapping: ColumnMapping,
  fields: readonly string[],
): Pick<Preview, 'input_repairs' | 'repaired_rows'> {
  const counts = new Map<InputRepairKind, number>();
  const shown: Preview['repaired_rows'] = [];
  for (const [at, { rowIndex, cells }] of rows.entries()) {
    const repairs = listRowRepairs(cells, mapping, fields[at] ?? '{}');
    for (const kind of new Set(repairs.map((repair) => repair.kind)))
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (repairs.length > 0 && shown.length < repairedRowsShownMax)
      shown.push({ row_index: rowIndex, input_repairs: [...repairs] });
  }
  return { input_repairs: Object.fromEntries(counts), repaired_rows: shown };
}

/**
 * Runs the sample through the provider and projection of a real job. `directory` is a connection to
 * directory.db; only its temporary tables are written.
 */
export function previewRows(
  directory: ReadableDatabase,
  provider: DirectoryProvider,
  request: PreviewRequest,
): Preview {
  const { bytes, rows, sampled, rowCount } = sampleRows(request.dir);
  const projection = createProjection(directory, { schema: 'main', layers: request.codes });
  const matched = provider.answer(bytes, request.mapping, request.threshold);
  const { batch, positions } = suppressRows(request.list, matched, bytes, request.mapping);
  projection.load(batch, 0);
  const fill = new Map<string, number>();
  const missed = new Map<string, number>();
  const open = new Map<string, number>();
  let enriched = 0;
  let chargedUnits = 0;
  const found = directory.prepare(projection.selectSql).all() as {
    status: number;
    reason: number;
    layer_bits: number;
    fields: string | null;
  }[];
  for (const row of found) {
    const isEnriched = rowStatuses[row.status] === 'enriched';
    chargedUnits += priceRow(request, isEnriched, row.layer_bits);
    if (isEnriched) {
      enriched += 1;
      const known = readFields({ fields: row.fields ?? '{}' });
      addAll(fill, Object.keys(known));
      addAll(open, listLacking(known, request.codes));
    } else {
      const reason = reasons[row.reason] || 'no_match';
      addAll(missed, [reason]);
      // Any other reason is final.
      if (reason === 'no_match') addAll(open, listWanted(request.codes));
    }
  }
  const chargedRows = rowCount - request.duplicateRows;
  const expectedUnits = sampled === 0 ? 0 : Math.round((chargedUnits / sampled) * chargedRows);
  return {
    sampled,
    duplicate_rows: request.duplicateRows,
    enriched,
    expected_match_rate: share(enriched, sampled),
    expected_credits: formatCredits(creditUnits(expectedUnits)),
    fill_rate: shares(fill, sampled),
    reasons: shares(missed, sampled),
    open_fields: shares(open, sampled),
    ...countRepairs(
      rows.map((row, at) => (positions.has(at) ? { ...row, cells: [] } : row)),
      request.mapping,
      found.map(({ fields }) => fields ?? '{}'),
    ),
  };
}
