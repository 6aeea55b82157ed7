/** Copies the selected cells of a grid as tab-separated text, which spreadsheets paste as cells. */
import type { ClipboardEvent } from 'react';
import { protectFormula } from '../../../engine/contract/exports/protect-formula.ts';
import { countOf, showCount } from '../numbers.ts';
import { showFailure, showSuccess } from '../toast.ts';
import type { CellRange } from './active-cell.ts';
import { formatCell } from './format-cell.ts';

/** Rows that are copied at once; more are saved as a file. */
const copiedRowsMax = 10_000;

/** Reads a cell; undefined while its row is not loaded. Columns are counted as displayed. */
export type ReadPlacedCell = (row: number, place: number) => string | undefined;

/** The text of a range; null if a row is not loaded. */
function writeRange(range: CellRange, read: ReadPlacedCell): string | null {
  const lines: string[] = [];
  const isOne = range.firstRow === range.lastRow && range.firstColumn === range.lastColumn;
  for (let row = range.firstRow; row <= range.lastRow; row += 1) {
    const cells: string[] = [];
    for (let column = range.firstColumn; column <= range.lastColumn; column += 1) {
      const text = read(row, column);
      if (text === undefined) return null;
      // A single value is mostly pasted into a text.
      cells.push(isOne ? protectFormula(text) : formatCell(text));
    }
    lines.push(cells.join('\t'));
  }
  return lines.join('\n');
}

function describeCopy({ firstRow, lastRow, firstColumn, lastColumn }: CellRange): string {
  const cells = (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1);
  return cells === 1 ? 'The cell was copied.' : `${countOf(cells, 'cell')} were copied.`;
}

/** Where the cells are read from. */
interface CopySource {
  readonly read: ReadPlacedCell;
  /** Loads rows; returns how their cells are read. */
  readonly load?: ((first: number, last: number) => Promise<ReadPlacedCell>) | undefined;
}

/** Answers the copy command of the browser. Cells whose rows are not loaded are copied later. */
export function copyRange(event: ClipboardEvent, range: CellRange, { read, load }: CopySource) {
  const rows = range.lastRow - range.firstRow + 1;
  event.preventDefault();
  if (rows > copiedRowsMax) {
    const most = showCount(copiedRowsMax);
    showFailure(
      'Nothing was copied',
      new Error(
        `At most ${most} rows can be copied at once. Select fewer, or save them as a file.`,
      ),
    );
    return;
  }
  const text = writeRange(range, read);
  if (text !== null) {
    event.clipboardData.setData('text/plain', text);
    showSuccess(describeCopy(range));
    return;
  }
  void load?.(range.firstRow, range.lastRow)
    .then((readLoaded) => navigator.clipboard.writeText(writeRange(range, readLoaded) ?? ''))
    .then(
      () => showSuccess(describeCopy(range)),
      (error: unknown) => showFailure('Nothing was copied', error),
    );
}
