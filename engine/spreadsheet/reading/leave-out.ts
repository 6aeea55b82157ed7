/** Leaves rows out of a list before it becomes a job, and writes them to a table of their own. */
import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { EngineError } from '../../contract/errors.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { inputIndexStride, tableBytesMax } from '../../contract/limits/spreadsheet.ts';
import type { LeaveOutKind } from '../../contract/reading/reading.ts';
import { createRowSorter } from '../inspect-rows.ts';
import type { PreparedInput } from '../prepared-input.ts';
import { openRows, type RowsFile } from '../read-rows.ts';
import { createTableFiles, type TableFilesWriter } from '../table-files.ts';
import { leftOutColumns, leftOutDir } from './wide-lines.ts';

/** A table, and the rows to leave out of it. */
export interface LeaveOutCommand {
  readonly dir: string;
  readonly targetDir: string;
  readonly mapping: ColumnMapping;
  readonly kinds: readonly LeaveOutKind[];
}

const reasons: Readonly<Record<LeaveOutKind, string>> = {
  no_identity: 'No name, email or profile URL',
  duplicates: 'Same as an earlier row',
};

/** Passes the rows of a table on in stretches. */
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

/** Copies the rows that the reading of the list left out. */
async function copyLeftOut(dir: string, target: TableFilesWriter, signal?: AbortSignal) {
  if (!existsSync(leftOutDir(dir))) return;
  const rows = openRows(leftOutDir(dir));
  try {
    await eachRow(rows, signal, (cells) => target.writeRow(cells));
  } finally {
    rows.close();
  }
}

/**
 * Writes a table without the rows of some kinds; these follow the rows that its reading left out,
 * in the folder `left-out`. Throws EngineError('bad_rows') if no row is left, and the signal's
 * reason; the files of the target are then removed.
 */
export async function leaveOutRows(
  { dir, targetDir, mapping, kinds }: LeaveOutCommand,
  signal?: AbortSignal,
): Promise<PreparedInput> {
  const rows = openRows(dir);
  const kept = createTableFiles(targetDir, tableBytesMax);
  const leftOut = createTableFiles(leftOutDir(targetDir), tableBytesMax * 2);
  let rowCount = 0;
  try {
    kept.writeRow(rows.headers);
    leftOut.writeRow([...rows.headers, ...leftOutColumns]);
    await copyLeftOut(dir, leftOut, signal);
    const sort = createRowSorter(rows.rowCount, mapping);
    await eachRow(rows, signal, (cells, row) => {
      const kind = sort(cells);
      if (kind !== null && kinds.includes(kind))
        return leftOut.writeRow([...cells, '', `Row ${row + 1}`, reasons[kind]]);
      kept.writeRow(cells);
      rowCount += 1;
    });
    if (rowCount === 0)
      throw new EngineError('bad_rows', 'Every row would be left out. Keep some of them.');
    leftOut.finish();
    return { dir: targetDir, headers: rows.headers, rowCount, sha256: kept.finish() };
  } catch (error) {
    leftOut.discard();
    kept.discard();
    throw error;
  } finally {
    rows.close();
  }
}
