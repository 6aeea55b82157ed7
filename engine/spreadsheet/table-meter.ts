/** What a table comes to while it grows, and the refusals of one that grows too large. */
import { EngineError } from '../contract/errors.ts';
import { inputIndexStride, tableBlockBytesMax } from '../contract/limits/spreadsheet.ts';

/** Adds up the bytes of one table. */
export interface TableMeter {
  /** The next rows are those of another entry of the index. */
  beginBlock(): void;
  /** Takes bytes of rows. Throws EngineError('validation_error') beyond a limit. */
  add(bytes: number): void;
}

const inWords = (count: number): string => count.toLocaleString('en-US');

const refuseBlock = (): EngineError =>
  new EngineError(
    'validation_error',
    `${inWords(inputIndexStride)} rows of the list hold more than ` +
      `${inWords(tableBlockBytesMax)} bytes of text. Shorten their longest cells and try again.`,
  );

/** Refuses a row that is longer than readers of the table can hold, before it is one text. */
export function checkRowLength(cells: readonly string[]): void {
  let characters = 0;
  for (const cell of cells) characters += cell.length;
  if (characters > tableBlockBytesMax) throw refuseBlock();
}

/** Makes a meter of a table that may come to `bytesMax` bytes. */
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
      throw new EngineError(
        'validation_error',
        `The list comes to more than ${inWords(bytesMax)} bytes once every cell is written out, ` +
          'empty ones too. Remove columns that are not needed, or split it into smaller files.',
      );
    },
  };
}
