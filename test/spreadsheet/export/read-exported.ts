// Reads workbooks that the product wrote, with its own reader and with an independent one.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
import { onTestFinished } from 'vitest';
import type { ExportColumn, ExportTable } from '../../../engine/spreadsheet/export/export-table.ts';
import { readWorkbook } from '../../../engine/spreadsheet/workbook/read-workbook.ts';

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-export-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const tableOf = (
  columns: readonly (string | ExportColumn)[],
  rows: readonly (readonly string[])[],
): ExportTable => ({
  columns: columns.map((column) =>
    typeof column === 'string' ? { name: column, type: 'text', isOwn: true } : column,
  ),
  *rows() {
    yield rows.map((cells) => ({ cells, changed: [] }));
  },
  changes: null,
});

/** The rows of the first sheet as the product reads them. */
export async function readOwn(path: string): Promise<string[][]> {
  const rows: string[][] = [];
  const onRecord = (cells: string[]) => rows.push(cells);
  await readWorkbook(path, { bytesMax: 1e9, onRecord, signal: undefined });
  return rows;
}

/** A sheet as read-excel-file reads it: texts, numbers and dates. */
export const readOther = async (path: string, sheet: number | string = 1): Promise<unknown[][]> =>
  (await readSheet(path, sheet, { trim: false })) as unknown as unknown[][];

/** Writes the pieces of a workbook to a file; returns its path and the text of its parts. */
export function writePieces(pieces: Iterable<string | Uint8Array>, folder = makeFolder()) {
  const path = join(folder, 'list.xlsx');
  const bytes = Buffer.concat(
    [...pieces].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
  );
  writeFileSync(path, bytes);
  const parts = Object.fromEntries(
    Object.entries(unzipSync(bytes)).map(([name, part]) => [name, strFromU8(part)]),
  );
  return { path, parts, bytes };
}
