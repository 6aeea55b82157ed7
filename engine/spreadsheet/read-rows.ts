/** Reads any range of rows of a canonical table, as cells or bytes. */
import { isAscii } from 'node:buffer';
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { inputIndexStride, tableReadBytesMax } from '../contract/limits/spreadsheet.ts';
import { createRecordSplitter } from './split-records.ts';
import { dataFilePath, indexFilePath, unpackOffsets } from './table-files.ts';

/** A canonical table, open for reading. */
export interface RowsFile {
  readonly headers: string[];
  readonly rowCount: number;
  /** Cells of `count` rows from row `first` (0 is the first below the header); fewer at the end. */
  readRange(first: number, count: number): string[][];
  /** The same rows as bytes of input.csv: complete records, for parseRecords. */
  rangeBytes(first: number, count: number): Uint8Array;
  close(): void;
}

const LINE_FEED = 10;
const QUOTE = 34;

/** A Buffer view of the same bytes; also of shared memory. */
function viewBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Parses complete canonical records (comma, `\n`, quoted only where needed), as rangeBytes returns
 * them. Files from outside must go through createRecordReader.
 */
export function parseRecords(bytes: Uint8Array): string[][] {
  const buffer = viewBuffer(bytes);
  const text = isAscii(buffer) ? buffer.toString('latin1') : buffer.toString('utf8');
  const records: string[][] = [];
  const splitter = createRecordSplitter(',', (cells) => records.push(cells));
  splitter.push(text);
  splitter.end();
  return records;
}

/** Index of a character that a complete record must contain. */
function findSign(bytes: Buffer, sign: number, from: number): number {
  const at = bytes.indexOf(sign, from);
  if (at < 0) throw new Error('input.csv ends in the middle of a row');
  return at;
}

/**
 * Offset of the record after `count` records. Quotes are balanced within each canonical record.
 * Throws if the bytes end within a record.
 */
function skipRecords(bytes: Buffer, count: number): number {
  let at = 0;
  let quoteAt = bytes.indexOf(QUOTE);
  for (let skipped = 0; skipped < count && at < bytes.length; skipped++) {
    let lineFeedAt = findSign(bytes, LINE_FEED, at);
    while (quoteAt >= 0 && quoteAt < lineFeedAt) {
      const closingAt = findSign(bytes, QUOTE, quoteAt + 1);
      if (lineFeedAt < closingAt) lineFeedAt = findSign(bytes, LINE_FEED, closingAt);
      quoteAt = bytes.indexOf(QUOTE, closingAt + 1);
    }
    at = lineFeedAt + 1;
  }
  return at;
}

function countRecords(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; count++) at += skipRecords(bytes.subarray(at), 1);
  return count;
}

/**
 * Offsets of input.idx: of every stride-th row, and the size of input.csv at the end. Throws if
 * they are not the ascending offsets of at least one row.
 */
function readOffsets(dir: string): number[] {
  const bytes = readFileSync(indexFilePath(dir));
  const offsets = unpackOffsets(bytes);
  const isWhole = offsets.length * 8 === bytes.length && offsets.length >= 2;
  const ascends = offsets.every((offset, at) => offset > (offsets[at - 1] ?? 0));
  if (!isWhole || !ascends) throw new Error('input.idx is damaged');
  return offsets;
}

/** The read calls for the bytes `from` to `to`, each within the limit of a single call. */
export function planReads(from: number, to: number): { at: number; length: number }[] {
  const reads: { at: number; length: number }[] = [];
  for (let at = from; at < to; at += tableReadBytesMax)
    reads.push({ at, length: Math.min(tableReadBytesMax, to - at) });
  return reads;
}

function requireSize(foundBytes: number, indexedBytes: number | undefined): void {
  if (foundBytes !== indexedBytes)
    throw new Error(
      `input.csv has ${foundBytes} bytes instead of the ${indexedBytes} in input.idx: one was ` +
        'changed',
    );
}

/** What was read of a table when it was opened. */
interface TableHead {
  /** Identifies the files and their versions. */
  readonly version: string;
  readonly offsets: readonly number[];
  readonly headers: string[];
  readonly rowCount: number;
}

/** The tables that were opened last, by folder: each page of a result opens the same one. */
const heads = new Map<string, TableHead>();
const headsMax = 8;

const versionOf = (files: readonly Stats[]): string =>
  files.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join();

function readHead(dir: string, descriptor: number): TableHead {
  const index = statSync(indexFilePath(dir));
  const data = fstatSync(descriptor);
  const version = versionOf([index, data]);
  const known = heads.get(dir);
  if (known?.version === version) return known;
  const offsets = readOffsets(dir);
  requireSize(data.size, offsets.at(-1));
  const readBytes = createReader(dir, descriptor);
  const [headers = []] = parseRecords(readBytes(0, offsets[0]!));
  const lastBlock = offsets.length - 2;
  const lastBytes = readBytes(offsets[lastBlock]!, offsets[lastBlock + 1]!);
  const rowCount = lastBlock * inputIndexStride + countRecords(lastBytes);
  const head = { version, offsets, headers, rowCount };
  heads.delete(dir);
  heads.set(dir, head);
  for (const oldest of heads.keys()) if (heads.size > headsMax) heads.delete(oldest);
  return head;
}

/** Blocks up to this size are read into memory that is used again. */
const scratchBytes = 262_144;
let scratch: Buffer | null = null;

/** Memory for bytes that are not kept: a new block for each page would be mapped and cleared. */
function takeScratch(length: number): Buffer {
  if (length > scratchBytes) return Buffer.allocUnsafe(length);
  scratch ??= Buffer.allocUnsafeSlow(scratchBytes);
  return scratch.subarray(0, length);
}

/** Reads the bytes `from` to `to` of a file into `bytes`. */
type ReadBytes = (from: number, to: number, bytes?: Buffer) => Buffer;

const createReader =
  (dir: string, descriptor: number): ReadBytes =>
  (from, to, bytes = Buffer.allocUnsafe(to - from)) => {
    for (const { at, length } of planReads(from, to)) {
      for (let done = 0; done < length; ) {
        const read = readSync(descriptor, bytes, at - from + done, length - done, at + done);
        if (read === 0) throw new Error(`input.csv in ${dir} ended at byte ${at + done}`);
        done += read;
      }
    }
    return bytes;
  };

/**
 * Opens the table that prepareTable or writeRowsTable wrote to a folder. Reads are synchronous and
 * read at most one stride of rows more than requested. Throws if the two files do not match, or one
 * cannot be read.
 */
export function openRows(dir: string): RowsFile {
  const descriptor = openSync(dataFilePath(dir), 'r');
  try {
    return readOpened(dir, descriptor, readHead(dir, descriptor));
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function readOpened(
  dir: string,
  descriptor: number,
  { offsets, headers, rowCount }: TableHead,
): RowsFile {
  const readBytes = createReader(dir, descriptor);

  function readRecords(first: number, count: number, allocate: (length: number) => Buffer): Buffer {
    const end = Math.min(first + count, rowCount);
    if (first >= end) return Buffer.alloc(0);
    const block = Math.floor(first / inputIndexStride);
    const endBlock = Math.ceil(end / inputIndexStride);
    const [from, to] = [offsets[block]!, offsets[endBlock]!];
    const bytes = readBytes(from, to, allocate(to - from));
    const skipped = skipRecords(bytes, first - block * inputIndexStride);
    const blockEnds = end === rowCount || end === endBlock * inputIndexStride;
    if (blockEnds) return bytes.subarray(skipped);
    return bytes.subarray(skipped, skipped + skipRecords(bytes.subarray(skipped), end - first));
  }

  return {
    headers,
    rowCount,
    rangeBytes: (first, count) => readRecords(first, count, Buffer.allocUnsafe),
    readRange: (first, count) => parseRecords(readRecords(first, count, takeScratch)),
    close: () => closeSync(descriptor),
  };
}
