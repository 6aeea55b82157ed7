/** The table of an export whose columns were chosen, in their order. */
import { EngineError } from '../../contract/errors.ts';
import { type ExportColumn, nothingChanged } from '../../spreadsheet/export/export-table.ts';
import type { JobRow } from '../job.table.ts';
import { inferredColumns } from './inferred-email.ts';
import { listAddedColumns } from './result-columns.ts';
import type { ResultTable } from './result-table.ts';

const reasonColumn = 'Enrichment reason';

/** The name of an added column; undefined for another one. */
function addedName(column: string): string | undefined {
  if (column === 'reason') return reasonColumn;
  return column === 'guess' ? inferredColumns[0] : /^found:(.+)$/.exec(column)?.[1];
}

/**
 * The places of chosen columns in the full table. Throws `validation_error` for a column that the
 * job does not have.
 */
export function placeColumns(
  job: Pick<JobRow, 'headers'> & Parameters<typeof listAddedColumns>[0],
  columns: readonly string[],
): number[] {
  const added = listAddedColumns(job, false).map(({ name }) => name);
  return columns.map((column, at) => {
    const own = Number(/^input:(\d{1,5})$/.exec(column)?.[1] ?? Number.NaN);
    if (own < job.headers.length) return own;
    const place = added.indexOf(addedName(column) ?? '');
    if (place >= 0) return job.headers.length + place;
    throw new EngineError(
      'validation_error',
      `columns.${at}: this job has no column ${JSON.stringify(column)}.`,
    );
  });
}

/** The chosen columns of a result's table. */
export function pickColumns(
  table: ResultTable,
  job: JobRow,
  chosen: readonly string[],
): ResultTable {
  const places = placeColumns(job, chosen);
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
    readDiff: table.readDiff,
  };
}
