// Revises a list before it becomes a job: corrected cells replace those of the file, and rows that
// are left out become a table of their own.
import { existsSync, rmSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../../contract/errors.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { inputIndexStride, tableBytesMax } from '../../contract/limits/spreadsheet.ts';
import type { Corrections, LeaveOutKind } from '../../contract/reading/reading.ts';
import { createRowSorter, identifyRow } from '../inspect-rows.ts';
import type { PreparedInput } from '../prepared-input.ts';
import { openRows, type RowsFile } from '../read-rows.ts';
import { createTableFiles } from '../table-files.ts';
import { leftOutColumns, leftOutDir } from './wide-lines.ts';

export interface ReviseCommand {
  readonly dir: string;
  readonly targetDir: string;
  readonly mapping: ColumnMapping;
  readonly kinds: readonly LeaveOutKind[];
  readonly corrections: Corrections;
}

const reasons: Readonly<Record<LeaveOutKind, string>> = {
  no_identity: 'No name, email or profile URL',
  duplicates: 'Same as an earlier row',
};

export async function eachRow(
  rows: RowsFile,
  signal: AbortSignal | undefined,
  take: (cells: string[], row: number) => void,
): Promise<void> {
  for (let first = 0; first < rows.rowCount; first += inputIndexStride) {
    await setImmediate();
    signal?.throwIfAborted();
    for (const [at, cells] of rows.readRange(first, inputIndexStride).entries())
      take(cells, first + at);
  }
}

async function copyLeftOut(
  dir: string,
  take: (cells: string[]) => void,
  signal: AbortSignal | undefined,
) {
  if (!existsSync(leftOutDir(dir))) return;
  const rows = openRows(leftOutDir(dir));
  try {
    await eachRow(rows, signal, take);
  } finally {
    rows.close();
  }
}

/** Returns the function that replaces the corrected cells of a row. The last correction counts. */
function createCorrector(corrections: Corrections, columnCount: number) {
  const byRow = new Map<number, Corrections>();
  for (const one of corrections)
    if (one.column < columnCount) byRow.set(one.row, [...(byRow.get(one.row) ?? []), one]);
  return (cells: string[], row: number) => {
    for (const { column, value } of byRow.get(row) ?? []) cells[column] = value;
  };
}

/**
 * Writes a table with corrected cells, and without the rows of some kinds; these follow the rows
 * that its reading left out, in the folder `left-out`. Throws EngineError('bad_rows') if no row is
 * left, and the signal's reason; the files of the target are then removed.
 */
export async function reviseRows(
  { dir, targetDir, mapping, kinds, corrections }: ReviseCommand,
  signal?: AbortSignal,
): Promise<PreparedInput> {
  const rows = openRows(dir);
  const correct = createCorrector(corrections, rows.headers.length);
  const kept = createTableFiles(targetDir, tableBytesMax);
  const leftOut = createTableFiles(leftOutDir(targetDir), tableBytesMax * 2);
  let rowCount = 0;
  let leftOutCount = 0;
  const leave = (cells: string[]) => {
    leftOut.writeRow(cells);
    leftOutCount += 1;
  };
  try {
    kept.writeRow(rows.headers);
    leftOut.writeRow([...rows.headers, ...leftOutColumns]);
    await copyLeftOut(dir, leave, signal);
    const sort = createRowSorter(rows.rowCount);
    await eachRow(rows, signal, (cells, row) => {
      correct(cells, row);
      const kind = sort(identifyRow(cells, mapping));
      if (kind !== null && kinds.includes(kind))
        return leave([...cells, '', `Row ${row + 1}`, reasons[kind]]);
      kept.writeRow(cells);
      rowCount += 1;
    });
    if (rowCount === 0)
      throw new EngineError('bad_rows', 'Every row would be left out. Keep some of them.');
    if (leftOutCount > 0) leftOut.finish();
    else {
      leftOut.discard();
      rmSync(leftOutDir(targetDir), { recursive: true });
    }
    return { dir: targetDir, headers: rows.headers, rowCount, sha256: kept.finish() };
  } catch (error) {
    leftOut.discard();
    kept.discard();
    throw error;
  } finally {
    rows.close();
  }
}
