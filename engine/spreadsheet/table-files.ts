/** The two files of a prepared table, input.csv and input.idx: names, form, and writing them. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { inputIndexStride } from '../contract/limits/spreadsheet.ts';
import { createPrivateFolder } from '../platform/private-files.ts';
import { formatRecord } from './format-record.ts';
import { checkRowLength, createTableMeter } from './table-meter.ts';

/**
 * The rows: UTF-8 without a mark, comma, `\n`, quoted only where needed, header first, every record
 * as wide as the header. Named in a table's folder.
 */
export function dataFilePath(dir: string): string {
  return join(dir, 'input.csv');
}

/**
 * Where rows begin: Float64 little endian byte offsets of data row 0, stride, 2·stride …
 * (inputIndexStride), and last the size of input.csv. Named in a table's folder.
 */
export function indexFilePath(dir: string): string {
  return join(dir, 'input.idx');
}

/** Writes one table; either finish or discard ends it. */
export interface TableFilesWriter {
  /**
   * Appends a row; the first is the header. Throws EngineError('validation_error') for a table
   * beyond its limits.
   */
  writeRow(cells: readonly string[]): void;
  /**
   * Makes both files durable under their names; answers the SHA-256 of input.csv in hex. Throws as
   * writeRow does.
   */
  finish(): string;
  /** Leaves nothing behind. May be called at any time, more than once, but not after finish. */
  discard(): void;
}

const pendingCharactersMax = 1_048_576;

/** Writes all of the bytes: one call may write fewer. */
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

/** Makes renames durable; Windows has no such call and needs none. */
function syncFolder(dir: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(dir, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The bytes of input.idx. Offsets are exact to 2^53. */
export function packOffsets(offsets: readonly number[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(offsets.length * 8));
  for (const [place, offset] of offsets.entries()) view.setFloat64(place * 8, offset, true);
  return new Uint8Array(view.buffer);
}

/** The offsets in the bytes of input.idx. */
export function unpackOffsets(bytes: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = 0; at + 8 <= bytes.length; at += 8) offsets.push(bytes.readDoubleLE(at));
  return offsets;
}

/**
 * Makes nothing but the SHA-256 that the rows would have as input.csv.
 * @param bytesMax what the rows may come to
 */
export function createTableHash(bytesMax: number): TableFilesWriter {
  const hash = createHash('sha256');
  const meter = createTableMeter(bytesMax);
  let pending = '';
  function flush(): void {
    // Without an index there are no blocks.
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
 * Begins a table in a folder, which is made where it is missing. Memory does not grow with it.
 * @param bytesMax what its rows may come to
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
    // One buffer for nearly all flushes: a new one each would leave the job's size as garbage.
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
      // An index entry needs the exact offset in bytes, which is only known after a flush.
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
