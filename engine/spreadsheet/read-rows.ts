// Reads any range of rows of a canonical table, as cells or bytes.
import { isAscii } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError } from '../contract/errors.ts';
import { inputIndexStride, tableReadBytesMax } from '../contract/limits/spreadsheet.ts';
import { createRecordSplitter } from './split-records.ts';
import { dataFilePath, type IndexEntry, indexFilePath, readIndex } from './table-files.ts';

export interface RowsFile {
  readonly headers: string[];
  readonly rowCount: number;
  /** Cells of `count` rows from row `first` (0 is the first below the header); fewer at the end. */
  readRange(first: number, count: number): string[][];
  /** The same rows as bytes of input.csv: complete records, for parseRecords. */
  rangeBytes(first: number, count: number): Uint8Array;
  /** Reads everything and yields after each block. Throws `input_damaged`. */
  verify(): Generator<void>;
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

function findSign(bytes: Buffer, sign: number, from: number): number {
  const at = bytes.indexOf(sign, from);
  if (at < 0) throw new Error('input.csv ends in the middle of a row');
  return at;
}

/** Offset after `count` records, each with balanced quotes. Throws within a record. */
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

/** The read calls for the bytes `from` to `to`, each within the limit of a single call. */
export function planReads(from: number, to: number): { at: number; length: number }[] {
  const reads: { at: number; length: number }[] = [];
  for (let at = from; at < to; at += tableReadBytesMax)
    reads.push({ at, length: Math.min(tableReadBytesMax, to - at) });
  return reads;
}

/** The refusal `input_damaged` of a table whose files were changed or lost. */
export class InputDamage extends EngineError {
  readonly what: string;

  /** @param name of the folder: the id of a job, a monitor, a pipeline or an upload */
  constructor(name: string, what: string) {
    super(
      'input_damaged',
      `The rows that were submitted for ${name} are damaged on disk (${what}). Restore a backup, ` +
        'or submit them again.',
    );
    this.what = what;
  }
}

function requireSize(foundBytes: number, indexedBytes: number | undefined): void {
  if (foundBytes !== indexedBytes)
    throw new Error(
      `input.csv has ${foundBytes} bytes instead of the ${indexedBytes} in input.idx: one was ` +
        'changed',
    );
}

interface TableHead {
  /** Identifies the files and their versions. */
  readonly version: string;
  readonly entries: readonly IndexEntry[];
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
  const entries = readIndex(dir);
  requireSize(data.size, entries.at(-1)?.endsAt);
  const readBlocks = createReader(dir, descriptor, entries);
  const [headers = []] = parseRecords(readBlocks(0, 1));
  const last = entries.length - 1;
  const rowCount = (last - 1) * inputIndexStride + countRecords(readBlocks(last, last + 1));
  const head = { version, entries, headers, rowCount };
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

/** What is wrong with a block, numbered as its entry in input.idx. */
const nameBlock = (place: number): string =>
  place === 0
    ? 'the header of input.csv was changed'
    : `a row of input.csv from ${(place - 1) * inputIndexStride + 1} to ` +
      `${place * inputIndexStride} was changed`;

/** Whether the bytes of a block are those that were written. */
const isIntact = (bytes: Uint8Array, entry: IndexEntry | undefined): boolean =>
  entry !== undefined && (entry.isChanging || crc32(bytes) === entry.checksum);

/**
 * Reads whole blocks, numbered as their entries in input.idx: `first` to before `end`. Throws
 * `input_damaged` if their bytes are not those that were written.
 */
type ReadBlocks = (first: number, end: number, allocate?: (length: number) => Buffer) => Buffer;

const createReader =
  (dir: string, descriptor: number, entries: readonly IndexEntry[]): ReadBlocks =>
  (first, end, allocate = Buffer.allocUnsafe) => {
    const startOf = (place: number) => entries[place - 1]?.endsAt ?? 0;
    const [from, to] = [startOf(first), startOf(end)];
    const bytes = allocate(to - from);
    for (const { at, length } of planReads(from, to)) {
      for (let done = 0; done < length; ) {
        const read = readSync(descriptor, bytes, at - from + done, length - done, at + done);
        if (read === 0) throw new Error(`input.csv in ${dir} ended at byte ${at + done}`);
        done += read;
      }
    }
    for (let place = first; place < end; place += 1) {
      const block = bytes.subarray(startOf(place) - from, startOf(place + 1) - from);
      if (isIntact(block, entries[place])) continue;
      // A deletion may have changed the block since the table was opened.
      if (isIntact(block, readIndex(dir)[place])) continue;
      throw new InputDamage(basename(dir), nameBlock(place));
    }
    return bytes;
  };

/**
 * Opens the table that prepareTable or writeRowsTable wrote to a folder. Reads are synchronous and
 * read at most one stride of rows more than requested. Throws if the two files do not match, one
 * cannot be read, or the header or the last rows were changed.
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
  { entries, headers, rowCount }: TableHead,
): RowsFile {
  const readBlocks = createReader(dir, descriptor, entries);

  function readRecords(first: number, count: number, allocate: (length: number) => Buffer): Buffer {
    const end = Math.min(first + count, rowCount);
    if (first >= end) return Buffer.alloc(0);
    const block = Math.floor(first / inputIndexStride);
    const endBlock = Math.ceil(end / inputIndexStride);
    // The first block of input.idx is the header.
    const bytes = readBlocks(block + 1, endBlock + 1, allocate);
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
    *verify() {
      for (let place = 0; place < entries.length; place += 1) {
        readBlocks(place, place + 1, takeScratch);
        yield;
      }
    },
    close: () => closeSync(descriptor),
  };
}
