/** What an uploaded file is, told from its first bytes: kind, encoding and delimiter. */
import { EngineError } from '../contract/errors.ts';
import { createEncodingSurvey, createTextDecoder, type Encoding } from './decode-text.ts';
import { createRecordReader } from './read-records.ts';

/** Bytes at the head of a file that detection looks at. */
export const detectHeadBytes = 65_536;

/** The delimiters that are detected, the likeliest first. */
const delimiters = [',', ';', '\t', '|'] as const;
/** A delimiter that is detected. */
export type Delimiter = (typeof delimiters)[number];

/** What a file can be; only csv and xlsx are read. */
export type FileKind = 'csv' | 'xlsx' | 'xls' | 'pdf' | 'zip' | 'image' | 'binary' | 'empty';

/** What was found. Of a file that is no csv, encoding, bomBytes and delimiter say nothing. */
export interface DetectedFile {
  readonly kind: FileKind;
  /** UTF-8 or Windows-1252 without a byte order mark is only settled over the whole file. */
  readonly encoding: Encoding;
  /** Length of the byte order mark. */
  readonly bomBytes: number;
  readonly delimiter: Delimiter;
}

const recordsLookedAt = 100;

// First bytes, as Latin-1 text, that say what a file is (the formats' own specifications).
const signatures: readonly (readonly [kind: FileKind, at: number, bytes: string])[] = [
  ['pdf', 0, '%PDF-'],
  ['xls', 0, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['zip', 0, 'PK\x03\x04'],
  ['zip', 0, 'PK\x05\x06'],
  ['zip', 0, '\x1f\x8b\x08'],
  ['zip', 0, '7z\xbc\xaf\x27\x1c'],
  ['zip', 0, 'Rar!\x1a\x07'],
  ['zip', 4, '1AY&SY'],
  ['image', 0, '\x89PNG\r\n'],
  ['image', 0, '\xff\xd8\xff'],
  ['image', 0, 'GIF87a'],
  ['image', 0, 'GIF89a'],
  ['image', 8, 'WEBPVP8'],
  ['image', 0, 'II*\0'],
  ['image', 0, 'MM\0*'],
  ['image', 4, 'ftypheic'],
  ['image', 4, 'ftypavif'],
  ['binary', 0, 'SQLite format 3\0'],
  ['binary', 0, 'PAR1'],
];

/** A workbook is a zip with a folder xl/; one whose parts lie deeper is known by its file name. */
function looksLikeWorkbook(latin: string, fileName: string | undefined): boolean {
  const names: string[] = [];
  for (let at = 0; at >= 0; at = latin.indexOf('PK\x03\x04', at + 1)) {
    names.push(latin.slice(at + 30, at + 70));
  }
  if (names.some((name) => name.startsWith('xl/'))) return true;
  if (names.some((name) => /^(?:word|ppt|META-INF)\/|^mimetype/.test(name))) return false;
  return /\.xls[xm]$/i.test(fileName ?? '');
}

/** More than one control character in twenty, and more than a few: no text that people write. */
function looksBinary(bytes: Uint8Array): boolean {
  const textControls = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b];
  let controls = 0;
  for (const byte of bytes) if (byte < 0x20 && !textControls.includes(byte)) controls++;
  return controls > Math.max(4, bytes.length / 20);
}

/** UTF-16 without a mark shows in the zeros of its Western characters. */
function guessUtf16(head: Uint8Array): Encoding | null {
  const pairs = Math.min(head.length >> 1, 2048);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let at = 0; at < pairs * 2; at += 2) {
    if (head[at] === 0) evenZeros++;
    if (head[at + 1] === 0) oddZeros++;
  }
  if (pairs < 2) return null;
  if (oddZeros > pairs * 0.4 && evenZeros < pairs * 0.05) return 'utf-16le';
  return evenZeros > pairs * 0.4 && oddZeros < pairs * 0.05 ? 'utf-16be' : null;
}

function detectEncoding(head: Uint8Array): { encoding: Encoding; bomBytes: number } {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return { encoding: 'utf-8', bomBytes: 3 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', bomBytes: 2 };
  const utf16 = guessUtf16(head);
  if (utf16) return { encoding: utf16, bomBytes: 0 };
  const survey = createEncodingSurvey();
  survey.push(head);
  return { encoding: survey.decide(false), bomBytes: 0 };
}

/** Cells of each record at the head of the file, as one delimiter would cut them. */
function countCells(head: Uint8Array, encoding: Encoding, delimiter: Delimiter): number[] {
  const counts: number[] = [];
  const onRecord = (cells: string[]) => counts.push(cells.length);
  const reader = createRecordReader({ delimiter, encoding, onRecord });
  try {
    reader.push(head);
    reader.end();
  } catch (error) {
    // The head may end inside a quote; what is wrong in earnest is told when the file is read.
    if (!(error instanceof EngineError)) throw error;
  }
  return counts.slice(0, recordsLookedAt);
}

/** The delimiter that cuts the header and most evenly cuts the records like it. */
function detectDelimiter(head: Uint8Array, encoding: Encoding): Delimiter {
  const start = createTextDecoder(encoding)(head.subarray(0, 32), false).text;
  const declared = /^sep=([,;\t|])[\r\n]/i.exec(start)?.[1];
  if (declared) return declared as Delimiter;
  let best: { delimiter: Delimiter; evenness: number; cells: number } | null = null;
  for (const delimiter of delimiters) {
    const counts = countCells(head, encoding, delimiter);
    const cells = counts[0] ?? 1;
    if (cells < 2) continue;
    const evenness = counts.filter((count) => count === cells).length / counts.length;
    const better =
      !best || evenness > best.evenness || (evenness === best.evenness && cells > best.cells);
    if (better) best = { delimiter, evenness, cells };
  }
  return best?.delimiter ?? ',';
}

/**
 * Tells what a file is from its head (the first 64 KiB are enough). Never throws: whatever is text
 * is csv, and its faults are told when it is read.
 * @param fileName decides only where the bytes leave a zip or a workbook open
 */
export function detectFile(head: Uint8Array, fileName?: string): DetectedFile {
  const looked = head.subarray(0, detectHeadBytes);
  const latin = Buffer.from(looked.buffer, looked.byteOffset, looked.byteLength).toString('latin1');
  const found = (kind: FileKind): DetectedFile => {
    return { kind, encoding: 'utf-8', bomBytes: 0, delimiter: ',' };
  };
  const signed = signatures.find(([, at, bytes]) => latin.startsWith(bytes, at))?.[0];
  if (signed === 'zip' && looksLikeWorkbook(latin, fileName)) return found('xlsx');
  if (signed) return found(signed);
  const { encoding, bomBytes } = detectEncoding(looked);
  if (looked.length === bomBytes) return { ...found('empty'), encoding, bomBytes };
  const utf16 = encoding === 'utf-16le' || encoding === 'utf-16be';
  if (!utf16 && looksBinary(looked)) return found('binary');
  return { kind: 'csv', encoding, bomBytes, delimiter: detectDelimiter(looked, encoding) };
}
