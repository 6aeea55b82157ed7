// The two files of a canonical table, input.csv and input.idx: names, format, and writing.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
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
 * Path of the index in a table's folder: an entry of 16 bytes, little-endian, for the header and
 * for each block of inputIndexStride rows. It has the offset in input.csv where the block ends
 * (Float64; negative while the block is changed), the CRC-32 of the block, and the CRC-32 of both
 * and of the number of the entry. A whole entry is written at once, because it crosses no sector.
 */
export function indexFilePath(dir: string): string {
  return join(dir, 'input.idx');
}

/** Writes one table. Call either finish or discard at the end. */
export interface TableFilesWriter {
  /**
   * Appends a row; the first is the header. Throws EngineError('validation_error') for a table
   * beyond its limits.
   * @param written the cells as formatRecord writes them, if the caller has this text
   */
  writeRow(cells: readonly string[], written?: string): void;
  /** Syncs both files. Returns the SHA-256 of input.csv in hex. Throws like writeRow. */
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

/** What input.idx says about a block of input.csv: the header, or the rows of a stride. */
export interface IndexEntry {
  /** Offset of the byte after the block, exact up to 2^53. */
  readonly endsAt: number;
  /** CRC-32 of its bytes. */
  readonly checksum: number;
  /** Whether a change of the block has not ended; the checksum is then not valid. */
  readonly isChanging: boolean;
}

const entryBytes = 16;

function packEntry({ endsAt, checksum, isChanging }: IndexEntry, place: number): Buffer {
  const bytes = Buffer.alloc(entryBytes);
  bytes.writeDoubleLE(isChanging ? -endsAt : endsAt, 0);
  bytes.writeUInt32LE(checksum, 8);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 12), place), 12);
  return bytes;
}

/** Encodes the bytes of input.idx. */
export const packIndex = (entries: readonly IndexEntry[]): Buffer =>
  Buffer.concat(entries.map(packEntry));

/** Throws if an entry was changed, or the entries lack a header or a row. */
export function readIndex(dir: string): IndexEntry[] {
  const bytes = readFileSync(indexFilePath(dir));
  const entries: IndexEntry[] = [];
  let isWhole = bytes.length % entryBytes === 0 && bytes.length >= 2 * entryBytes;
  for (let at = 0; isWhole && at < bytes.length; at += entryBytes) {
    const offset = bytes.readDoubleLE(at);
    const endsAt = Math.abs(offset);
    isWhole =
      bytes.readUInt32LE(at + 12) === crc32(bytes.subarray(at, at + 12), entries.length) &&
      endsAt > (entries.at(-1)?.endsAt ?? 0);
    entries.push({ endsAt, checksum: bytes.readUInt32LE(at + 8), isChanging: offset < 0 });
  }
  if (!isWhole) throw new Error('input.idx is damaged');
  return entries;
}

/** Whether two tables have the same rows, by the lengths and checksums of their blocks. */
export function haveSameRows(oneDir: string, otherDir: string): boolean {
  const [one, other] = [indexFilePath(oneDir), indexFilePath(otherDir)];
  return existsSync(one) && existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** Replaces entries in place, so that every hard link of the file has them. Synced. */
export function writeIndexEntries(dir: string, entries: ReadonlyMap<number, IndexEntry>): void {
  const descriptor = openSync(indexFilePath(dir), 'r+');
  try {
    for (const [place, entry] of entries)
      writeSync(descriptor, packEntry(entry, place), 0, entryBytes, place * entryBytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The line of a row. Throws for a row that is too long. */
function formatRow(cells: readonly string[], written: string | undefined): string {
  checkRowLength(written === undefined ? cells : [written]);
  return written === undefined ? formatRecord(cells, '\n') : `${written}\n`;
}

/** The SHA-256 that the rows would have as input.csv. @param bytesMax size of the rows */
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
    writeRow(cells, written) {
      pending += formatRow(cells, written);
      if (pending.length > pendingCharactersMax) flush();
    },
    finish() {
      flush();
      return hash.digest('hex');
    },
    discard: () => undefined,
  };
}

/** A table in a new folder. Memory does not grow with it. @param bytesMax size of the rows */
export function createTableFiles(dir: string, bytesMax: number): TableFilesWriter {
  createPrivateFolder(dir);
  const dataPath = dataFilePath(dir);
  const indexPath = indexFilePath(dir);
  const dataDraft = `${dataPath}.partial`;
  const indexDraft = `${indexPath}.partial`;
  const descriptor = openSync(dataDraft, 'w', 0o600);
  const hash = createHash('sha256');
  const meter = createTableMeter(bytesMax);
  const entries: IndexEntry[] = [];
  let scratch = Buffer.alloc(0);
  let pending = '';
  let writtenBytes = 0;
  let checksum = 0;
  let rows = -1;
  let isOpen = true;
  const made = [dataDraft, indexDraft];

  function flush(): void {
    // One buffer for almost all flushes; new ones would leave garbage of the size of the table.
    if (pending.length * 3 > scratch.length) scratch = Buffer.allocUnsafe(pending.length * 4);
    const bytes = scratch.subarray(0, scratch.write(pending));
    pending = '';
    meter.add(bytes.length);
    hash.update(bytes);
    checksum = crc32(bytes, checksum);
    writeAll(descriptor, bytes);
    writtenBytes += bytes.length;
  }

  function endBlock(): void {
    entries.push({ endsAt: writtenBytes, checksum, isChanging: false });
    checksum = 0;
  }

  function close(): void {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  }

  return {
    writeRow(cells, written) {
      // An index entry needs the exact byte offset, which is known only after a flush.
      const begins = rows >= 0 && rows % inputIndexStride === 0;
      if (begins || pending.length > pendingCharactersMax) flush();
      if (begins) {
        endBlock();
        meter.beginBlock();
      }
      pending += formatRow(cells, written);
      rows++;
    },
    finish() {
      flush();
      fsyncSync(descriptor);
      close();
      endBlock();
      writeWhole(indexDraft, packIndex(entries));
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
