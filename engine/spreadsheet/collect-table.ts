/** Rows from any source become a table: header, widths, labels, warnings and first rows. */
import { EngineError } from '../contract/errors.ts';
import {
  csvWarningsMax,
  previewCharactersMax,
  previewRowsMax,
  tableBytesMax,
} from '../contract/limits/spreadsheet.ts';
import { refuseLine } from './split-records.ts';
import { createTableFiles, createTableHash } from './table-files.ts';

/** Something a person should know about a file that was read all the same. */
export interface TableWarning {
  /** Line of the file, or row of the sheet, from 1. */
  readonly line: number;
  /** Label of the column, where one is meant. */
  readonly column?: string;
  readonly message: string;
}

/** What is known of a table once it is written. */
export interface WrittenTable {
  /** The header's cells as they were given: duplicates and empty ones too. */
  readonly headers: string[];
  /** The same made unique and never empty, for showing: `Email`, `Email (2)`, `Column 3`. */
  readonly labels: string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows (input.csv), in hex. */
  readonly sha256: string;
  /** The first rows, for a preview: at most previewRowsMax of them. */
  readonly firstRows: string[][];
  readonly warnings: TableWarning[];
}

/** Told a row that is kept: its line (from 1), its cells, and the header's. */
export type OnTableRow = (
  line: number,
  cells: readonly string[],
  headers: readonly string[],
) => void;

/** Collects one table; either finish or discard ends it. */
export interface TableCollector {
  /**
   * Takes a record and its line (from 1); the first is the header. Refuses one too wide, and a
   * table beyond its limits.
   */
  take(cells: string[], line: number): void;
  /** Makes the table durable. Throws EngineError('bad_rows') where there is no header or no row. */
  finish(): WrittenTable;
  /** Leaves nothing behind; not after finish. */
  discard(): void;
}

/** Labels for showing columns: unique, never empty. */
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

/** What is odd in a header, in words. */
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

/** A row wider than the header: only empty cells may be dropped. */
function cutToWidth(cells: string[], width: number, line: number): string[] {
  let filled = cells.length;
  while (filled > width && cells[filled - 1] === '') filled--;
  if (filled > width) {
    throw refuseLine(
      line,
      ` has ${filled} cells, but the header has ${width}. If a value contains the delimiter, put ` +
        'it in quotes; else remove the extra cell or name its column in the header.',
    );
  }
  return cells.slice(0, width);
}

/** A line that only holds space is no row, unless the table has a single column. */
function isBlankLine(cells: readonly string[], width: number): boolean {
  return width !== 1 && cells.length === 1 && cells[0]!.trim() === '';
}

/**
 * Begins a table in a folder; without one the rows are only handed on. Memory does not grow with
 * the rows.
 * @param options.bytesMax what its rows may come to; tableBytesMax where left out
 * @param options.skipBlankLines whether a lone cell of spaces is a blank line of a file, no row
 * @param options.onRow told each row that is kept
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
          'The file is empty. Choose one with a header line and at least one row.',
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
