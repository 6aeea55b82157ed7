// The table of an export whose columns were chosen, in their order.
import { invalid } from '../../contract/errors.ts';
import { type ExportColumn, nothingChanged } from '../../spreadsheet/export/export-table.ts';
import { inferredColumns } from './inferred-email.ts';
import type { ResultTable, WholeTable } from './result-table.ts';

const reasonColumn = 'Enrichment reason';

function addedName(column: string): string | undefined {
  if (column === 'reason') return reasonColumn;
  return column === 'guess' ? inferredColumns[0] : /^(?:found|own):(.+)$/s.exec(column)?.[1];
}

/**
 * The places of chosen columns in the full table. Throws `validation_error` for a column that the
 * job does not have.
 * @param added the names of the columns behind the caller's
 */
export function placeColumns(
  headers: readonly string[],
  added: readonly string[],
  columns: readonly string[],
): number[] {
  return columns.map((column, at) => {
    const own = Number(/^input:(\d{1,5})$/.exec(column)?.[1] ?? Number.NaN);
    if (own < headers.length) return own;
    const name = addedName(column)?.toLowerCase();
    const place = added.findIndex((header) => header.toLowerCase() === name);
    if (place >= 0) return headers.length + place;
    throw invalid(`columns.${at}: this job has no column ${JSON.stringify(column)}.`);
  });
}

export function pickColumns(
  table: WholeTable,
  headers: readonly string[],
  chosen: readonly string[],
): ResultTable {
  const places = placeColumns(headers, table.added, chosen);
  return {
    columns: places.map(
      (at): ExportColumn => table.columns[at] ?? { name: '', type: 'text', isOwn: true },
    ),
    *rows() {
      for (const stretch of table.rows())
        yield stretch.map(({ cells }) => ({
          cells: places.map((at) => cells[at] ?? ''),
          changed: nothingChanged,
        }));
    },
    changes: null,
    readEnd: table.readEnd,
  };
}
