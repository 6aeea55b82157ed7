/** Writes the table of an export as CSV (docs/rules.md, "Exports"). */

import { protectFormula } from '../../contract/exports/protect-formula.ts';
import { formatRecord } from '../format-record.ts';
import type { ExportTable } from './export-table.ts';

/** How a CSV is written. */
export interface CsvOptions {
  /** Begin with a byte order mark. */
  readonly forExcel: boolean;
  /** Protect the user's own cells from formulas too. */
  readonly protectAll: boolean;
}

/** Yields the CSV, one text for each stretch of rows. */
export function* writeCsv(
  { columns, rows }: ExportTable,
  { forExcel, protectAll }: CsvOptions,
): Generator<string> {
  const names = columns.map(({ name }) => name);
  yield (forExcel ? '\uFEFF' : '') + formatRecord(protectAll ? names.map(protectFormula) : names);
  const isAdded = columns.map(({ isOwn }) => protectAll || !isOwn);
  for (const stretch of rows()) {
    let text = '';
    for (const { cells, changed } of stretch)
      text += formatRecord(
        cells.map((cell, at) =>
          isAdded[at] || changed.includes(at) ? protectFormula(cell) : cell,
        ),
      );
    yield text;
  }
}
