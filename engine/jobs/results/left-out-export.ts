// The rows that were left out of a job, as a file. Those that are suppressed now are blank.
import { notFound } from '../../contract/errors.ts';
import type { ExportFormat } from '../../contract/exports/export-formats.ts';
import { inputIndexStride } from '../../contract/limits/spreadsheet.ts';
import { openDirectoryReadable } from '../../directory/open-directory.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type ExportRow,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../../spreadsheet/export/export-table.ts';
import { type ExportPiece, writeTable } from '../../spreadsheet/export/write-table.ts';
import { checkSheetRows } from '../../spreadsheet/export/write-workbook.ts';
import type { ExportSources, OpenedExport } from '../../spreadsheet/export-calls.ts';
import type { ExportOptions } from '../../spreadsheet/export-options.ts';
import { openLeftOut } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { extraCellsName, leftOutColumns } from '../../spreadsheet/reading/wide-lines.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import { getJob, type JobRow } from '../job.table.ts';
import { nameExport } from './export-result.ts';
import { showRow } from './hide-suppressed.ts';
import type { TableSources } from './result-table.ts';

export interface LeftOutExport extends ExportOptions {
  readonly kind: 'left out';
  /** UUID of the job. */
  readonly jobId: string;
}

export const nameLeftOut = (job: JobRow, format: ExportFormat): string =>
  nameExport(job, format, 'left-out');

/** The columns that say where a row was and why it was left out: not the caller's own. */
const reasonColumns = leftOutColumns.length - leftOutColumns.indexOf(extraCellsName) - 1;

function* readRows(
  { database, directory, rows }: TableSources,
  job: JobRow,
): Generator<readonly ExportRow[]> {
  for (let first = 0; first < rows.rowCount; first += inputIndexStride) {
    // Read for each stretch, so that an export honours what is suppressed while it is written.
    const hidden = readHiddenRows(database, directory);
    yield rows.readRange(first, inputIndexStride).map((all) => {
      const shown = showRow(hidden, job, null, all.slice(0, -reasonColumns)).cells;
      return { cells: [...shown, ...all.slice(-reasonColumns)], changed: nothingChanged };
    });
  }
}

function* openTable(sources: TableSources, job: JobRow): TableOpening {
  const own = sources.rows.headers.slice(0, -leftOutColumns.length);
  const added = leftOutColumns.map((name) => ({ name, type: 'text' }) as const);
  return { columns: listColumns(own, added), rows: () => readRows(sources, job), changes: null };
}

function* writeAndClose(
  database: ReadableDatabase,
  folder: string,
  rows: RowsFile,
  job: JobRow,
  command: LeftOutExport,
): Generator<ExportPiece> {
  const directory = openDirectoryReadable(folder);
  try {
    yield* writeTable(openTable({ database, directory, rows }, job), command);
  } finally {
    directory.close();
    rows.close();
  }
}

/** Opens the export. Throws `not_found` if no row was left out of the job. */
export function exportLeftOut(
  { database, folder }: ExportSources,
  command: LeftOutExport,
): OpenedExport {
  const { accountId } = command;
  const job = getJob(database, accountId, command.jobId);
  const rows = job && openLeftOut(folder, job.uuid);
  if (!job || !rows) throw notFound('No row was left out of this job.');
  if (command.format === 'xlsx') checkSheetRows(rows.rowCount);
  return {
    fileName: nameLeftOut(job, command.format),
    rows: rows.rowCount,
    pieces: writeAndClose(database, folder, rows, job, command),
    note: {
      action: 'result_exported',
      accountId,
      subject: job.uuid,
      details: { rows_left_out: true },
    },
  };
}
