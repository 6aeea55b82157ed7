// Writes the table of an export in the format that the user wants.
import type { ExportFormat } from '../../contract/exports/export-formats.ts';
import { protectFormula } from '../../contract/exports/protect-formula.ts';
import type { ExportOptions } from '../export-options.ts';
import { formatRecord } from '../format-record.ts';
import { labelColumns } from '../label-columns.ts';
import type { ExportTable, TableOpening } from './export-table.ts';
import { writeParquet } from './write-parquet.ts';
import { writeWorkbook } from './write-workbook.ts';

const plainNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

/** Yields one text for each stretch of rows. Texts stay texts; empty cells are null. */
export function* writeJsonLines({ columns, rows }: ExportTable): Generator<string> {
  const names = labelColumns(columns.map(({ name }) => name)).map((name) => JSON.stringify(name));
  for (const stretch of rows()) {
    let text = '';
    for (const { cells } of stretch) {
      const members = names.map((name, at) => {
        const cell = cells[at] ?? '';
        if (cell === '') return `${name}:null`;
        const isNumber = columns[at]?.type === 'number' && plainNumber.test(cell);
        return `${name}:${isNumber ? cell : JSON.stringify(cell.toWellFormed())}`;
      });
      text += `{${members.join(',')}}\n`;
    }
    yield text;
  }
}

interface CsvOptions {
  /** Begin with a byte order mark. */
  readonly forExcel: boolean;
  /** Protect the user's own cells from formulas too. */
  readonly protectAll: boolean;
}

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

/** The bytes of an export: text as UTF-8, or bytes. */
export type ExportPiece = string | Uint8Array;

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
