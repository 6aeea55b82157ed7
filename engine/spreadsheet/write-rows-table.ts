// Writes rows in JSON as a canonical table.
import { invalid } from '../contract/errors.ts';
import { csvCellCharactersMax } from '../contract/limits/spreadsheet.ts';
import { collectTable, type WrittenTable } from './collect-table.ts';

/** Refuses what a file could not have but JSON can. @param place for the error */
export function checkCell(cell: string, place: string): void {
  const refuse = (what: string) => {
    return invalid(`${place}: ${what} and try again.`);
  };
  if (cell.length > csvCellCharactersMax) {
    const most = csvCellCharactersMax.toLocaleString('en-US');
    throw refuse(`the text is longer than ${most} characters. Shorten it`);
  }
  if (cell.includes('\0')) throw refuse('the text contains a NUL character. Remove it');
  if (!cell.isWellFormed())
    throw refuse('the text contains an unpaired surrogate (\\uD800…). Correct it');
}

/** Without empty cells: rows with few of many columns would take a thousand times as much. */
export type SparseRow = { readonly [column: number]: string };

/** Rows from JSON, not from an upload. */
export interface InputRows {
  readonly headers: readonly string[];
  /** A missing cell is empty. */
  readonly rows: Iterable<SparseRow>;
  readonly targetDir: string;
}

/**
 * Writes rows from JSON as a canonical table. Throws EngineError('bad_rows') without rows and
 * 'validation_error' with the JSON path for text that cannot be stored; nothing is left behind
 * then.
 */
export function writeRowsTable({ headers, rows, targetDir }: InputRows): WrittenTable {
  const collector = collectTable(targetDir, { skipBlankLines: false });
  try {
    // Rows without any key are valid: they get one empty column without a name.
    collector.take(headers.length > 0 ? [...headers] : [''], 1);
    let row = 0;
    for (const inputRow of rows) {
      const cells = headers.map((_header, column) => inputRow[column] ?? '');
      for (const [column, cell] of cells.entries())
        checkCell(cell, `rows[${row}].${headers[column] ?? ''}`);
      collector.take(headers.length > 0 ? cells : [''], row + 2);
      row++;
    }
    return collector.finish();
  } catch (error) {
    collector.discard();
    throw error;
  }
}
