// Measures a table while it grows, and refuses one that becomes too large.
import { type EngineError, invalid } from '../contract/errors.ts';
import { inputIndexStride, tableBlockBytesMax } from '../contract/limits/spreadsheet.ts';

export interface TableMeter {
  beginBlock(): void;
  /** Adds bytes of rows. Throws EngineError('validation_error') beyond a limit. */
  add(bytes: number): void;
}

const inWords = (count: number): string => count.toLocaleString('en-US');

const refuseBlock = (): EngineError =>
  invalid(
    `${inWords(inputIndexStride)} rows of the list have more than ` +
      `${inWords(tableBlockBytesMax)} bytes of text. Shorten their longest cells and try again.`,
  );

/** Refuses a row that is too long for readers of the table, before it becomes one string. */
export function checkRowLength(cells: readonly string[]): void {
  let characters = 0;
  for (const cell of cells) characters += cell.length;
  if (characters > tableBlockBytesMax) throw refuseBlock();
}

/** Creates a meter of a table of at most `bytesMax` bytes. */
export function createTableMeter(bytesMax: number): TableMeter {
  let tableBytes = 0;
  let blockBytes = 0;
  return {
    beginBlock() {
      blockBytes = 0;
    },
    add(bytes) {
      tableBytes += bytes;
      blockBytes += bytes;
      if (blockBytes > tableBlockBytesMax) throw refuseBlock();
      if (tableBytes <= bytesMax) return;
      throw invalid(
        `The list has more than ${inWords(bytesMax)} bytes with every cell written out, ` +
          'including empty ones. Remove unneeded columns, or split it into smaller files.',
      );
    },
  };
}
