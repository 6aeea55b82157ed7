// Lines of a list with more cells than it has columns, and the lines that are left out of it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../../contract/errors.ts';
import { wideLineCharactersMax, wideLinesShownMax } from '../../contract/limits/spreadsheet.ts';
import { extraCellsWords, type Reading } from '../../contract/reading/reading.ts';
import { refuseLine } from '../split-records.ts';
import { createTableFiles, type TableFilesWriter } from '../table-files.ts';

/** A line with extra cells: its number (from 1), its number of cells, and the start of its text. */
export interface WideLine {
  readonly line: number;
  readonly cells: number;
  readonly text: string;
}

export const extraCellsName = 'Extra cells';

/** Names of the columns that say where a row is from. */
export const originNames = ['Source file', 'Source line'] as const;

/** The folder of the rows that were left out of a table, a canonical table itself. */
export const leftOutDir = (dir: string): string => join(dir, 'left-out');

/** Columns that follow the list's own in a table of rows that were left out. */
export const leftOutColumns = [extraCellsName, 'Place', 'Left out because'] as const;

export const refuseWide = (line: number, filled: number, width: number): EngineError =>
  refuseLine(
    line,
    ` has ${filled} ${extraCellsWords} ${width}. If a value contains the delimiter, put ` +
      'it in quotes. Otherwise remove the extra cell, or add its column to the header.',
  );

export interface WideLines {
  /** Sets the columns of the list. Call before add. */
  begin(headers: readonly string[]): void;
  /** Adds a line. @param origin cells of the columns that say where the line is from */
  add(cells: readonly string[], width: number, line: number, origin: readonly string[]): void;
  leaveOut(
    cells: readonly string[],
    width: number,
    line: number,
    origin: readonly string[],
    why: string,
  ): void;
  count(): number;
  readonly shown: readonly WideLine[];
  /** The refusal of a list without other rows. */
  refuseAll(): EngineError;
  /** Makes the lines that were left out durable. */
  finish(): void;
  discard(): void;
}

export const clipLine = (text: string): string =>
  text.length > wideLineCharactersMax ? `${text.slice(0, wideLineCharactersMax)}…` : text;

/**
 * Starts the collection. Lines that are left out are written to the folder `left-out` of a table.
 * @param targetDir folder of the table; null writes nothing
 */
export function createWideLines(
  targetDir: string | null,
  choice: Reading['extra_cells'],
  bytesMax: number,
): WideLines {
  const shown: WideLine[] = [];
  let count = 0;
  let headers: readonly string[] = [];
  let files: TableFilesWriter | null = null;
  const leaveOut: WideLines['leaveOut'] = (cells, width, line, origin, why) => {
    if (targetDir === null) return;
    if (files === null) {
      files = createTableFiles(leftOutDir(targetDir), bytesMax);
      files.writeRow([...headers, ...leftOutColumns]);
    }
    const own = Array.from({ length: width }, (_cell, at) => cells[at] ?? '');
    files.writeRow([...own, ...origin, cells.slice(width).join(','), `Line ${line}`, why]);
  };
  return {
    shown,
    begin(found) {
      headers = found;
    },
    add(cells, width, line, origin) {
      count++;
      if (choice === 'leave_out') leaveOut(cells, width, line, origin, 'More cells than columns');
      if (shown.length >= wideLinesShownMax) return;
      shown.push({ line, cells: cells.length, text: clipLine(cells.join(', ')) });
    },
    leaveOut,
    count: () => count,
    refuseAll: () =>
      new EngineError(
        'bad_rows',
        `Every row has more cells than the header (${count.toLocaleString('en-US')} lines). Put ` +
          'values that contain the delimiter in quotes, or keep the extra cells in a column.',
      ),
    finish() {
      files?.finish();
    },
    discard() {
      files?.discard();
      if (targetDir !== null) rmSync(leftOutDir(targetDir), { recursive: true, force: true });
    },
  };
}
