/** The rows that were left out of a job, as a file. */
import { EngineError } from '../../contract/errors.ts';
import type { ExportFormat } from '../../contract/jobs/app-jobs.ts';
import { inputIndexStride } from '../../contract/limits/spreadsheet.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type ExportRow,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../../spreadsheet/export/export-table.ts';
import { type ExportPiece, writeTable } from '../../spreadsheet/export/write-table.ts';
import { checkSheetRows } from '../../spreadsheet/export/write-workbook.ts';
import type { ExportOptions } from '../../spreadsheet/export-options.ts';
import { openLeftOut } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { leftOutColumns } from '../../spreadsheet/reading/wide-lines.ts';
import { getJob, type JobRow } from '../job.table.ts';
import { nameExport } from './export-result.ts';

/** Contents of an export of the rows that were left out. */
export interface LeftOutExport extends ExportOptions {
  /** UUID of the job. */
  readonly leftOutOf: string;
}

/** The name of the file. */
export const nameLeftOut = (job: JobRow, format: ExportFormat): string =>
  nameExport(job, format, 'left-out');

function* readRows(rows: RowsFile): Generator<readonly ExportRow[]> {
  for (let first = 0; first < rows.rowCount; first += inputIndexStride)
    yield rows
      .readRange(first, inputIndexStride)
      .map((cells) => ({ cells, changed: nothingChanged }));
}

function* openTable(rows: RowsFile): TableOpening {
  const own = rows.headers.slice(0, -leftOutColumns.length);
  const added = leftOutColumns.map((name) => ({ name, type: 'text' }) as const);
  return { columns: listColumns(own, added), rows: () => readRows(rows), changes: null };
}

function* writeAndClose(rows: RowsFile, command: LeftOutExport): Generator<ExportPiece> {
  try {
    yield* writeTable(openTable(rows), command);
  } finally {
    rows.close();
  }
}

/** Opens the export. Throws `not_found` if no row was left out of the job. */
export function exportLeftOut(
  database: ReadableDatabase,
  folder: string,
  command: LeftOutExport,
): { fileName: string; rows: number; pieces: Generator<ExportPiece> } {
  const job = getJob(database, command.accountId, command.leftOutOf);
  const rows = job && openLeftOut(folder, job.uuid);
  if (!job || !rows) throw new EngineError('not_found', 'No row was left out of this job.');
  if (command.format === 'xlsx') checkSheetRows(rows.rowCount);
  return {
    fileName: nameLeftOut(job, command.format),
    rows: rows.rowCount,
    pieces: writeAndClose(rows, command),
  };
}
