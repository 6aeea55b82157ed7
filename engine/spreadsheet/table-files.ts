/** The two files of a canonical table, input.csv and input.idx: names, format, and writing. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inputIndexStride } from '../contract/limits/spreadsheet.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { formatRecord } from './format-record.ts';
import { checkRowLength, createTableMeter } from './table-meter.ts';

/**
 * Path of the rows in a table's folder: UTF-8 without a mark, comma, `\n`, quoted only where
 * needed, header first, every record as wide as the header.
 */
export function dataFilePath(dir: string): string {
  return join(dir, 'input.csv');
}

/**
 * Path of the offset index in a table's folder: Float64 little-endian byte offsets of data row 0,
 * stride, 2·stride … (inputIndexStride), and the size of input.csv at the end.
 */
export function indexFilePath(dir: string): string {
  return join(dir, 'input.idx');
}

/** Writes one table. Call either finish or discard at the end. */
export interface TableFilesWriter {
  /**
   * Appends a row; the first is the header. Throws EngineError('validation_error') for a table
   * beyond its limits.
   */
  writeRow(cells: readonly string[]): void;
  /**
   * Makes both files durable under their names. Returns the SHA-256 of input.csv in hex. Throws
   * like writeRow.
   */
  finish(): string;
  /** Removes all files. May be called at any time and repeatedly, but not after finish. */
  discard(): void;
}

const pendingCharactersMax = 1_048_576;

/** Writes all of the bytes; a single call may write fewer. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  let done = 0;
  while (done < bytes.length) done += writeSync(descriptor, bytes, done);
}

function writeWhole(path: string, bytes: Uint8Array): void {
  const descriptor = openSync(path, 'w', 0o600);
  try {
    writeAll(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes renames durable. Windows has no such call and does not need it. */
function syncFolder(dir: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(dir, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Encodes the bytes of input.idx. Offsets are exact up to 2^53. */
export function packOffsets(offsets: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(offsets.length * 8));
  for (const [place, offset] of offsets.entries()) view.setFloat64(place * 8, offset, true);
  return new Uint8Array(view.buffer);
}

/** Decodes the offsets of input.idx. */
export function unpackOffsets(bytes: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8) offsets.push(bytes.readDoubleLE(at));
  return offsets;
}

/**
 * Computes only the SHA-256 that the rows would have as input.csv.
 * @param bytesMax limit of the size of the rows
 */
export function createTableHash(bytesMax: number): TableFilesWriter {
  const hash = createHash('sha256');
  const meter = createTableMeter(bytesMax);
  let pending = '';
  function flush(): void {
    // There are no blocks without an index.
    meter.beginBlock();
    meter.add(pending.length);
    hash.update(pending);
    pending = '';
  }
  return {
    writeRow(cells) {
      checkRowLength(cells);
      pending += formatRecord(cells, '\n');
      if (pending.length > pendingCharactersMax) flush();
    },
    finish() {
      flush();
      return hash.digest('hex');
    },
    discard: () => undefined,
  };
}

/**
 * Starts a table in a folder, which is created if missing. Memory does not grow with its size.
 * @param bytesMax limit of the size of the rows
 */
export function createTableFiles(dir: string, bytesMax: number): TableFilesWriter {
  createPrivateFolder(dir);
  const dataPath = dataFilePath(dir);
  const indexPath = indexFilePath(dir);
  const dataDraft = `${dataPath}.partial`;
  const indexDraft = `${indexPath}.partial`;
  const descriptor = openSync(dataDraft, 'w', 0o600);
  const hash = createHash('sha256');
  const meter = createTableMeter(bytesMax);
  const offsets: number[] = [];
  const scratch = Buffer.allocUnsafe(pendingCharactersMax * 4);
  let pending = '';
  let writtenBytes = 0;
  let rows = -1;
  let isOpen = true;
  const made = [dataDraft, indexDraft];

  function flush(): void {
    // A shared buffer for almost all flushes; new ones would leave garbage of the size of the
    // table.
    const fits = pending.length * 3 <= scratch.length;
    const bytes = fits ? scratch.subarray(0, scratch.write(pending)) : Buffer.from(pending);
    pending = '';
    meter.add(bytes.length);
    hash.update(bytes);
    writeAll(descriptor, bytes);
    writtenBytes += bytes.length;
  }

  function close(): void {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  }

  return {
    writeRow(cells) {
      // An index entry needs the exact byte offset, which is known only after a flush.
      const begins = rows >= 0 && rows % inputIndexStride === 0;
      if (begins || pending.length > pendingCharactersMax) flush();
      if (begins) {
        offsets.push(writtenBytes);
        meter.beginBlock();
      }
      checkRowLength(cells);
      pending += formatRecord(cells, '\n');
      rows++;
    },
    finish() {
      flush();
      fsyncSync(descriptor);
      close();
      writeWhole(indexDraft, packOffsets([...offsets, writtenBytes]));
      made.push(dataPath, indexPath);
      renameSync(dataDraft, dataPath);
      renameSync(indexDraft, indexPath);
      syncFolder(dir);
      return hash.digest('hex');
    },
    discard() {
      close();
      for (const path of made) rmSync(path, { force: true });
    },
  };
}
