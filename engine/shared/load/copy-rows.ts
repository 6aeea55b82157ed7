// Streams rows into PostgreSQL with COPY, as fast as the server takes them.
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** A cell of a row. Arrays are of numbers, or of numbers as texts. */
export type Cell = string | number | null | Buffer | readonly (number | string)[];

const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};
const escaped = /[\\\t\n\r]/g;

function writeCell(cell: Cell): string {
  if (cell === null) return '\\N';
  // PostgreSQL has no text with the character 0.
  if (typeof cell === 'string')
    return cell.replaceAll('\0', '').replace(escaped, (found) => escapes[found]!);
  if (Buffer.isBuffer(cell)) return `\\\\x${cell.toString('hex')}`;
  if (typeof cell === 'object') return `{${cell.join(',')}}`;
  return String(cell);
}

/** A COPY that runs. A connection has one at a time. */
export interface RowCopy {
  add(cells: readonly Cell[]): void;
  /** Adds a row of numbers that is written already: lines of COPY's text format. */
  addText(lines: string): void;
  /** Waits until the server keeps up. */
  drain(): Promise<void>;
  end(): Promise<void>;
}

const chunkLength = 1 << 18;

/** Starts a COPY. @param into the table and its columns, as SQL */
export function startCopy(client: PoolClient, into: string): RowCopy {
  const stream = client.query(copyFrom(`COPY ${into} FROM STDIN`));
  const done = finished(stream);
  // A failure is thrown by the next call that waits.
  done.catch(() => undefined);
  let lines: string[] = [];
  let length = 0;
  let isFull = false;
  const flush = (): void => {
    if (length === 0) return;
    isFull = !stream.write(lines.join(''));
    lines = [];
    length = 0;
  };
  const addText = (text: string): void => {
    lines.push(text);
    length += text.length;
    if (length >= chunkLength) flush();
  };
  return {
    add: (cells) => addText(`${cells.map(writeCell).join('\t')}\n`),
    addText,
    async drain() {
      if (isFull) await Promise.race([once(stream, 'drain'), done]);
      isFull = false;
    },
    async end() {
      flush();
      stream.end();
      await done;
    },
  };
}
