/** Collects rows from any source into a table: header, widths, labels, warnings and first rows. */
import { EngineError } from '../contract/errors.ts';
import {
  csvWarningsMax,
  previewCharactersMax,
  previewRowsMax,
  tableBytesMax,
} from '../contract/limits/spreadsheet.ts';
import { refuseLine } from './split-records.ts';
import { createTableFiles, createTableHash } from './table-files.ts';

/** A remark for the user about a file that was read successfully. */
export interface TableWarning {
  /** Line of the file, or row of the sheet, from 1. */
  readonly line: number;
  /** Label of the column, if the warning is about one. */
  readonly column?: string;
  readonly message: string;
}

/** Data of a written table. */
export interface WrittenTable {
  /** The header's cells as in the file, including duplicates and empty cells. */
  readonly headers: string[];
  /** The headers for display, made unique and never empty: `Email`, `Email (2)`, `Column 3`. */
  readonly labels: string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows (input.csv), in hex. */
  readonly sha256: string;
  /** The first rows, for a preview: at most previewRowsMax of them. */
  readonly firstRows: string[][];
  readonly warnings: TableWarning[];
}

/** Called for each kept row: its line (from 1), its cells, and the header's. */
export type OnTableRow = (
  line: number,
  cells: readonly string[],
  headers: readonly string[],
) => void;

/** Collects one table. Call either finish or discard at the end. */
export interface TableCollector {
  /**
   * Adds a record and its line (from 1); the first is the header. Refuses a record that is too
   * wide, and a table beyond its limits.
   */
  take(cells: string[], line: number): void;
  /** Makes the table durable. Throws EngineError('bad_rows') without a header or rows. */
  finish(): WrittenTable;
  /** Removes all files. Not after finish. */
  discard(): void;
}

/** Display labels of columns: unique, never empty. */
function labelColumns(headers: readonly string[]): string[] {
  const taken = new Set<string>();
  return headers.map((header, column) => {
    const name = header.trim() || `Column ${column + 1}`;
    let label = name;
    for (let copy = 2; taken.has(label); copy++) label = `${name} (${copy})`;
    taken.add(label);
    return label;
  });
}

/** Warnings about a header. */
function warnOfHeader(headers: readonly string[], labels: readonly string[], line: number) {
  return headers.flatMap((header, column): TableWarning[] => {
    const label = labels[column]!;
    if (label === header.trim()) return [];
    const message = header.trim()
      ? `The header "${header.trim()}" appears more than once; this column is shown as "${label}".`
      : `The header of column ${column + 1} is empty; it is shown as "${label}".`;
    return [{ line, column: label, message }];
  });
}

/** Cuts a row to the width of the header. Only empty cells may be dropped. */
function cutToWidth(cells: string[], width: number, line: number): string[] {
  let filled = cells.length;
  while (filled > width && cells[filled - 1] === '') filled--;
  if (filled > width) {
    throw refuseLine(
      line,
      ` has ${filled} cells, but the header has ${width}. If a value contains the delimiter, put ` +
        'it in quotes. Otherwise remove the extra cell, or add its column to the header.',
    );
  }
  return cells.slice(0, width);
}

/** A line of only white space is not a row, unless the table has a single column. */
function isBlankLine(cells: readonly string[], width: number): boolean {
  return width !== 1 && cells.length === 1 && cells[0]!.trim() === '';
}

/**
 * Starts a table in a folder; without a folder, rows are only passed on. Memory does not grow with
 * the rows.
 * @param options.bytesMax limit of the table's size; tableBytesMax by default
 * @param options.skipBlankLines whether a single cell of spaces is a blank line
 * @param options.onRow called for each kept row
 */
export function collectTable(
  targetDir: string | null,
  options: {
    readonly skipBlankLines: boolean;
    readonly bytesMax?: number | undefined;
    readonly onRow?: OnTableRow | undefined;
  },
): TableCollector {
  const { bytesMax = tableBytesMax } = options;
  const files =
    targetDir === null ? createTableHash(bytesMax) : createTableFiles(targetDir, bytesMax);
  const firstRows: string[][] = [];
  let previewCharacters = 0;
  let warnings: TableWarning[] = [];
  let headers: string[] | null = null;
  let labels: string[] = [];
  let rowCount = 0;

  function keepForPreview(row: string[]): void {
    if (firstRows.length >= previewRowsMax || previewCharacters > previewCharactersMax) return;
    firstRows.push(row);
    for (const cell of row) previewCharacters += cell.length;
  }

  function fitRow(cells: string[], width: number, line: number): string[] {
    if (cells.length > width) return cutToWidth(cells, width, line);
    const row = cells.slice();
    while (row.length < width) row.push('');
    if (warnings.length < csvWarningsMax) {
      const message = `The row has ${cells.length} of ${width} cells; the rest are empty.`;
      warnings.push({ line, message });
    }
    return row;
  }

  return {
    take(cells, line) {
      if (headers === null) {
        if (options.skipBlankLines && isBlankLine(cells, 0)) return;
        headers = cells;
        labels = labelColumns(cells);
        warnings = warnOfHeader(cells, labels, line).slice(0, csvWarningsMax);
        files.writeRow(cells);
        return;
      }
      if (options.skipBlankLines && isBlankLine(cells, headers.length)) return;
      const row = cells.length === headers.length ? cells : fitRow(cells, headers.length, line);
      files.writeRow(row);
      keepForPreview(row);
      rowCount++;
      options.onRow?.(line, row, headers);
    },
    finish() {
      if (headers === null) {
        throw new EngineError(
          'bad_rows',
          'The file is empty. Choose a file with a header line and at least one row.',
        );
      }
      if (rowCount === 0) {
        throw new EngineError(
          'bad_rows',
          'The file has a header line but no rows below it. Add at least one row and try again.',
        );
      }
      return { headers, labels, rowCount, sha256: files.finish(), firstRows, warnings };
    },
    discard: files.discard,
  };
}
