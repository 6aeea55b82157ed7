/** Makes of rows given as JSON the one form that all inputs have. */
import { EngineError } from '../contract/errors.ts';
import { csvCellCharactersMax } from '../contract/limits/spreadsheet.ts';
import { collectTable, type WrittenTable } from './collect-table.ts';

/** Refuses a cell that cannot be kept as it is: text as JSON can hold it is wider than a file's. */
function checkGivenCell(cell: string, row: number, header: string): void {
  const refuse = (what: string) => {
    return new EngineError('validation_error', `rows[${row}].${header}: ${what} and try again.`);
  };
  if (cell.length > csvCellCharactersMax) {
    const most = csvCellCharactersMax.toLocaleString('en-US');
    throw refuse(`the text is longer than ${most} characters. Shorten it`);
  }
  if (cell.includes('\0')) throw refuse('the text holds a NUL character. Remove it');
  if (!cell.isWellFormed()) throw refuse('the text holds half a character (\\uD800…). Mend it');
}

/**
 * The cells of a row by their columns, those that are there. Rows that name few of many columns
 * would be a thousand times as large with all of them.
 */
export type SparseRow = { readonly [column: number]: string };

/** Rows that were given, not uploaded. */
export interface GivenRows {
  readonly headers: readonly string[];
  /** A cell that is missing is empty. */
  readonly rows: Iterable<SparseRow>;
  readonly targetDir: string;
}

/**
 * Writes rows given as JSON in the same form. Throws EngineError('bad_rows') without rows and
 * 'validation_error' with the JSON path for text that cannot be kept; nothing is left behind then.
 */
export function writeRowsTable({ headers, rows, targetDir }: GivenRows): WrittenTable {
  const collector = collectTable(targetDir, { skipBlankLines: false });
  try {
    // Rows without any key are rows all the same: they get one nameless, empty column.
    collector.take(headers.length > 0 ? [...headers] : [''], 1);
    let row = 0;
    for (const inputRow of rows) {
      const cells = headers.map((_header, column) => inputRow[column] ?? '');
      for (const [column, cell] of cells.entries())
        checkGivenCell(cell, row, headers[column] ?? '');
      collector.take(headers.length > 0 ? cells : [''], row + 2);
      row++;
    }
    return collector.finish();
  } catch (error) {
    collector.discard();
    throw error;
  }
}
