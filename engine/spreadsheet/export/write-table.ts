/** Writes the table of an export in the format that the user wants. */
import type { ExportFormat } from '../../contract/exports/export-formats.ts';
import type { ExportOptions } from '../export-options.ts';
import type { ExportTable, TableOpening } from './export-table.ts';
import { writeCsv } from './write-csv.ts';
import { writeJsonLines } from './write-json-lines.ts';
import { writeParquet } from './write-parquet.ts';
import { writeWorkbook } from './write-workbook.ts';

/** The bytes of an export: text as UTF-8, or bytes. */
export type ExportPiece = string | Uint8Array;

/** The media type of each format. */
export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

const writers: Readonly<
  Record<ExportFormat, (table: ExportTable, options: ExportOptions) => Generator<ExportPiece>>
> = {
  csv: writeCsv,
  xlsx: (table) => writeWorkbook(table),
  jsonl: writeJsonLines,
  parquet: writeParquet,
};

/**
 * Yields the file in chunks of bounded size, however long the table is; some are empty, so that a
 * caller may cancel. Throws what the table throws, and what writeWorkbook throws.
 */
export function* writeTable(opening: TableOpening, options: ExportOptions): Generator<ExportPiece> {
  const table = yield* opening;
  yield* writers[options.format](table, options);
}
