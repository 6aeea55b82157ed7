// Detects kind, encoding and delimiter of an uploaded file from its first bytes.
import { isAscii } from 'node:buffer';
import { EngineError } from '../contract/errors.ts';
import { type Encoding, encodingNames } from '../contract/reading/encodings.ts';
import type { UploadKind } from '../contract/uploads.ts';
import { createTextDecoder, isAsciiBased } from './decode-text.ts';
import { findMainframePages } from './encoding/byte-tables.ts';
import { createEncodingSurvey } from './encoding/find-encoding.ts';
import { judgeText } from './encoding/judge-text.ts';
import { isUtf7 } from './encoding/utf-7.ts';
import { isMailboxList } from './formats/read-mailboxes.ts';
import { createRecordReader } from './read-records.ts';
import { type AlignedColumns, findAlignedColumns } from './reading/aligned-columns.ts';
import { commentStart, countKnown } from './reading/find-table.ts';
import { plainQuotes, type QuoteStyle } from './split-records.ts';

/** Bytes at the start of a file that detection uses. */
export const detectHeadBytes = 65_536;

const delimiters = [',', ';', '\t', '|'] as const;
/** Further delimiters, if none of the usual ones splits the lines. */
const rareDelimiters = [
  '^',
  '~',
  '§',
  '¦',
  '`',
  '，',
  '；',
  '؛',
  '،',
  '\x1f',
  '\x01',
  ':',
] as const;
/** A space means columns that are aligned with spaces. */
export type Delimiter = (typeof delimiters)[number] | (typeof rareDelimiters)[number] | ' ';

export type FileKind = ReadKind | OtherKind;
export type ReadKind = UploadKind;
type OtherKind =
  | 'xls'
  | 'locked'
  | 'xlsb'
  | 'orc'
  | 'numbers'
  | 'document'
  | 'pdf'
  | 'zip'
  | 'image'
  | 'binary'
  | 'empty'
  | 'mhtml'
  | 'calendar'
  | 'rtf'
  | 'email'
  | 'shortcut'
  | 'sql'
  | 'ldif'
  | 'yaml'
  | 'exchange'
  | 'hollow'
  | 'companion';

/** Encoding and bomBytes have a meaning for texts, the rest for csv only. */
export interface DetectedFile {
  readonly kind: FileKind;
  /** Without a byte order mark, it is only decided by the whole file. */
  readonly encoding: Encoding;
  /** Length of the byte order mark. */
  readonly bomBytes: number;
  readonly delimiter: Delimiter;
  readonly aligned: AlignedColumns | null;
  /** Whether each line is one quoted cell with the whole record. */
  readonly isQuotedTwice: boolean;
  readonly quotes: QuoteStyle;
  /** Whether lines begin and end with the delimiter, as in Markdown. */
  readonly isEdged: boolean;
  /** Whether typographic quotes stand for plain ones: “Ann”, “Lee”. */
  readonly isCurly: boolean;
}

const recordsLookedAt = 100;
/** Most starts have so many records in few pieces of this size. */
const pieceBytes = 8_192;

// Magic bytes of file formats, as Latin-1 text (from the formats' specifications).
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
  ['parquet', 0, 'PAR1'],
  ['orc', 0, 'ORC'],
  ['rtf', 0, '{\\rtf'],
  ['companion', 0, '\x00\x05\x16\x07'],
];

/** How texts that are no table begin, after white space. Some services name them .xls or .csv. */
const textStarts: readonly (readonly [kind: FileKind, start: RegExp])[] = [
  ['html', /^<(?:!doctype html|html|head|body|meta|table|style|script)\b/i],
  ['xml', /^<(?:\?xml|!--|\w+ xmlns)/i],
  // A file of Google Drive holds only the address of its document.
  ['shortcut', /^\{\s*"(?:url|doc_id|resource_id)"/],
  [
    'json',
    /^(?:```(?:json\w*|js|javascript)?\s*|export\s+default\s+|(?:const|let|var)\s+\w+\s*=\s*)?(?:(?:\[\s*)?\{\s*"|\[\s*\[\s*"|\[\s*"vcard"\s*,)/,
  ],
  [
    'sql',
    /^(?:(?:--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/;?)\s*)*(?:INSERT INTO|CREATE TABLE|DROP TABLE|SET NAMES)\b/i,
  ],
  ['ldif', /^(?:version:\s*1\s+)?dn::?\s/i],
  ['yaml', /^---\s*\n(?:[-\w]|#)|^- \w+:(?:\s|$)/],
  // Spreadsheets of the eighties: SYLK and DIF.
  ['exchange', /^ID;P\w*(?:;|\s)|^TABLE\s+0,1\s/],
  ['vcard', /^BEGIN:VCARD\b/i],
  ['calendar', /^BEGIN:VCALENDAR\b/i],
  ['mhtml', /^MIME-Version:[\s\S]*?^Content-Type:\s*multipart\/related/im],
  [
    'email',
    /^(?:Return-Path|Received|Delivered-To|MIME-Version|From|Message-ID): [^\n]*\r?\n(?:[A-Z][\w-]+:|\s)/i,
  ],
];

/** Extensions of files that are never lists, and what a file with this name is expected to be. */
const otherNames: readonly (readonly [what: string, extensions: RegExp])[] = [
  ['an image', /\.(?:png|jpe?g|gif|bmp|webp|tiff?|heic|avif|svg|ico)$/i],
  ['a PDF', /\.pdf$/i],
  ['a document', /\.(?:docx?|pptx?|odt|odp|rtf|pages|key)$/i],
  ['audio or video', /\.(?:mp[34]|m4[av]|wav|flac|mov|avi|mkv)$/i],
  ['an archive', /\.(?:zip|gz|tar|tgz|7z|rar)$/i],
  ['a program', /\.(?:exe|msi|dll|dmg|iso|bin)$/i],
];

/** What a file is by its name, such as "an image", if that is no list; otherwise null. */
export const findOtherKind = (fileName: string): string | null =>
  otherNames.find(([, extensions]) => extensions.test(fileName))?.[0] ?? null;

/** What a zip is by its first parts, or by its name if they do not say so. */
function findZipKind(latin: string, fileName: string | undefined): FileKind {
  const names: string[] = [];
  for (let at = 0; at >= 0; at = latin.indexOf('PK\x03\x04', at + 1)) {
    names.push(latin.slice(at + 30, at + 70));
  }
  const has = (pattern: RegExp) => names.some((name) => pattern.test(name));
  if (has(/^xl\/[\w/]+\.bin/)) return 'xlsb';
  if (has(/^xl\//)) return 'xlsx';
  if (has(/^mimetype/)) {
    // Most programs store the type unpacked.
    const type = /opendocument\.([a-z]+)/.exec(latin.slice(0, 200))?.[1];
    if (type !== undefined) return type === 'spreadsheet' ? 'ods' : 'document';
    return /\.(?:od[tpgf]|epub)$/i.test(fileName ?? '') ? 'document' : 'ods';
  }
  if (has(/^Index\/|^Index\.zip|^Metadata\/|\.iwa/))
    return /\.(?:pages|key)$/i.test(fileName ?? '') ? 'document' : 'numbers';
  if (has(/^(?:word|ppt)\//)) return 'document';
  if (/\.ods$/i.test(fileName ?? '')) return 'ods';
  if (/\.numbers$/i.test(fileName ?? '')) return 'numbers';
  if (/\.xlsb$/i.test(fileName ?? '')) return 'xlsb';
  return /\.xls[xm]$/i.test(fileName ?? '') ? 'xlsx' : 'zip';
}

/** Text has few control characters: one in twenty; none if NUL fills its fields or blocks. */
function looksBinary(bytes: Uint8Array): boolean {
  // Also those between cells and records, and at the end of a file of DOS.
  const textControls = [0x01, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b, 0x1e, 0x1f];
  let controls = 0;
  let nuls = 0;
  for (const byte of bytes) {
    if (byte === 0) nuls++;
    else if (byte < 0x20 && !textControls.includes(byte)) controls++;
  }
  return nuls > 0 ? controls > 0 : controls > Math.max(4, bytes.length / 20);
}

/** The bytes without NUL characters at the end, with which programs fill the last block. */
function trimBlock(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.length - end < blockBytesMin ? bytes : bytes.subarray(0, end);
}

/** UTF-32 ends with fewer NUL characters. */
const blockBytesMin = 4;

/** UTF-16 without a mark is recognised by the zero bytes of its Latin characters. */
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

/** UTF-32 without a mark is recognised in the same way. */
function guessUtf32(head: Uint8Array): Encoding | null {
  const looked = head.subarray(0, 4096);
  const units = looked.length >> 2;
  const zeros = [0, 0, 0, 0];
  for (let at = 0; at < units * 4; at++) if (looked[at] === 0) zeros[at % 4]!++;
  if (units < 2 || zeros[1]! < units * 0.9 || zeros[2]! < units * 0.9) return null;
  return zeros[0]! < zeros[3]! ? 'utf-32le' : 'utf-32be';
}

function guessMainframePage(head: Uint8Array): Encoding | null {
  let best: { encoding: Encoding; score: number } | null = null;
  for (const encoding of findMainframePages(head.subarray(0, 4096))) {
    const { text } = createTextDecoder(encoding)(head, false);
    // Other pages have § where one has @.
    const score = judgeText(text, 1) + (text.match(/@/g)?.length ?? 0);
    if (best === null || score > best.score) best = { encoding, score };
  }
  return best?.encoding ?? null;
}

function detectEncoding(head: Uint8Array): { encoding: Encoding; bomBytes: number } {
  const [first, second, third, fourth] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return { encoding: 'utf-8', bomBytes: 3 };
  if (first === 0xff && second === 0xfe && third === 0 && fourth === 0)
    return { encoding: 'utf-32le', bomBytes: 4 };
  if (first === 0 && second === 0 && third === 0xfe && fourth === 0xff)
    return { encoding: 'utf-32be', bomBytes: 4 };
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', bomBytes: 2 };
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', bomBytes: 2 };
  const wide = guessUtf32(head) ?? guessUtf16(head) ?? guessMainframePage(head);
  if (wide) return { encoding: wide, bomBytes: 0 };
  if (isAscii(head) && isUtf7(Buffer.from(head).toString('latin1')))
    return { encoding: 'utf-7', bomBytes: 0 };
  const survey = createEncodingSurvey();
  survey.push(head);
  return { encoding: survey.decide(false).encoding, bomBytes: 0 };
}

/** A line of a printed table, "+-----+-----+", or a comment above the list. */
const isAside = (cells: readonly string[]): boolean =>
  commentStart.test(cells[0] ?? '') || /^[\s+|:=-]{3,}$/.test(cells.join(''));

/** The records at the start of a file, with a delimiter, without lines that are none. */
function readStart(
  head: Uint8Array,
  encoding: Encoding,
  delimiter: Delimiter,
  quotes: QuoteStyle = plainQuotes,
): string[][] {
  const records: string[][] = [];
  const onRecord = (cells: string[]) => {
    if (!isAside(cells)) records.push(cells);
  };
  const reader = createRecordReader({ delimiter, encoding, quotes, onRecord });
  try {
    for (let at = 0; at < head.length && records.length < recordsLookedAt; at += pieceBytes)
      reader.push(head.subarray(at, at + pieceBytes));
    if (records.length < recordsLookedAt) reader.end();
  } catch (error) {
    // The start of the file may end inside quotes. Real errors are reported when the file is read.
    if (!(error instanceof EngineError)) throw error;
  }
  return records.slice(0, recordsLookedAt);
}

/** The number of cells that most records have, and their share; notes have a single cell. */
function findUsualWidth(records: readonly string[][]): { cells: number; evenness: number } {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  const [best = [1, 0]] = [...counts].sort(([one, often], [other, oftenOther]) =>
    oftenOther === often ? other - one : oftenOther - often,
  );
  return { cells: best[0], evenness: best[1] / Math.max(1, records.length) };
}

type Splitting = Pick<
  DetectedFile,
  'delimiter' | 'aligned' | 'isEdged' | 'isQuotedTwice' | 'quotes' | 'isCurly'
>;

const unsplit = {
  aligned: null,
  isEdged: false,
  isQuotedTwice: false,
  quotes: plainQuotes,
  isCurly: false,
};

/** Whether lines are those of a table in Markdown or of a wiki: "| Ann | ann@ola.example |". */
const areEdged = (records: readonly string[][]): boolean => {
  const wide = records.filter(({ length }) => length > 1);
  return (
    wide.length > 1 &&
    wide.every(
      (cells) => cells.length > 2 && cells[0]?.trim() === '' && cells.at(-1)?.trim() === '',
    )
  );
};

function chooseDelimiter(
  readings: readonly (readonly [Delimiter, string[][]])[],
): Delimiter | null {
  let best: { delimiter: Delimiter; evenness: number; cells: number } | null = null;
  // Below notes, the first record does not have the cells of a row.
  for (const isByHeader of [true, false]) {
    if (best !== null) break;
    for (const [delimiter, records] of readings) {
      const usual = findUsualWidth(records);
      const cells = isByHeader ? (records[0]?.length ?? 1) : usual.cells;
      if (cells < 2) continue;
      const evenness = records.filter(({ length }) => length === cells).length / records.length;
      const better =
        !best || evenness > best.evenness || (evenness === best.evenness && cells > best.cells);
      if (better) best = { delimiter, evenness, cells };
    }
    // A header that no row resembles is a note with a comma.
    if (isByHeader && best !== null && best.evenness < headerEvennessMin) {
      const even = readings.map(([, records]) => findUsualWidth(records));
      if (even.some(({ cells, evenness }) => cells > 1 && evenness > rowEvennessMin)) best = null;
    }
  }
  return best?.delimiter ?? null;
}

/** Shares of records: a header that fewer resemble, and rows of which more are alike. */
const headerEvennessMin = 0.3;
const rowEvennessMin = 0.6;

/** The line of Excel that names the delimiter, quoted or not. */
export const delimiterLine = /^"?sep=([,;\t|])"?;*,*$/i;

const evennessOf = (records: readonly string[][]): number => findUsualWidth(records).evenness;

/** How cells are quoted, if another style than the plain one splits the lines as evenly. */
function findQuotes(
  head: Uint8Array,
  encoding: Encoding,
  delimiter: Delimiter,
): Pick<Splitting, 'quotes' | 'isCurly'> {
  const text = createTextDecoder(encoding)(head, false).text;
  const plain = readStart(head, encoding, delimiter);
  const names = plain[0] ?? [];
  const isWrapped = (pattern: RegExp): boolean =>
    names.length > 1 && names.every((cell) => pattern.test(cell));
  const styles: QuoteStyle[] = [];
  if (isWrapped(/^\s*'.*'\s*$/s))
    styles.push({ quote: "'", isSpaced: true, isEscaped: text.includes("\\'") });
  const isSpaced = text.includes(`${delimiter} "`);
  // A backslash before the last quote of a cell may be its text: "C:\\".
  const isEscaped = /[^"]\\"[^",;\t|\r\n]/.test(text);
  if (isSpaced || isEscaped) styles.push({ quote: '"', isSpaced, isEscaped });
  const even = evennessOf(plain);
  const quotes = styles.find(
    (style) => evennessOf(readStart(head, encoding, delimiter, style)) >= even,
  );
  return { quotes: quotes ?? plainQuotes, isCurly: isWrapped(/^\s*[“„«].*[”“»]\s*$/s) };
}

/** A line of a list of addresses, whose colon is no delimiter. */
const addressLine = /^\s*(?:https?:\/\/|mailto:\S+@|tel:[+\d])/i;

/** Finds how lines are split: by the declared delimiter, else by the most even one. */
function detectSplitting(head: Uint8Array, encoding: Encoding): Splitting {
  const start = createTextDecoder(encoding)(head.subarray(0, 64), false).text;
  const [firstLine = ''] = start.split(/[\r\n]/, 1);
  const declared = start === firstLine ? undefined : delimiterLine.exec(firstLine)?.[1];
  if (declared) return { ...unsplit, delimiter: declared as Delimiter };
  const readWith = (bytes: Uint8Array, given: Encoding, list: readonly Delimiter[]) =>
    list.map((delimiter) => [delimiter, readStart(bytes, given, delimiter)] as const);
  const readings = readWith(head, encoding, delimiters);
  const findRare = () =>
    rareDelimiters.find((delimiter) => {
      const records = readStart(head, encoding, delimiter);
      const [first = []] = records;
      const isSplit = first.length > 1 && !addressLine.test(first.join(delimiter));
      return isSplit && records.length > 1 && evennessOf(records) === 1;
    });
  const isSplitByUsual = readings.some(([, records]) => (records[0]?.length ?? 0) > 1);
  const rare = isSplitByUsual ? undefined : findRare();
  if (rare !== undefined && rare !== ':') return { ...unsplit, delimiter: rare };
  const chosen = chooseDelimiter(readings);
  // Cells of aligned columns may have commas: "Lee, Ann".
  const isNamed = readings.some(
    ([delimiter, records]) =>
      delimiter === chosen && records.some((cells) => countKnown(cells) > 1),
  );
  if (!isNamed) {
    const aligned = findAlignedColumns(createTextDecoder(encoding)(head, false).text);
    if (aligned !== null) return { ...unsplit, delimiter: ' ', aligned };
  }
  const chosenRecords = readings.find(([delimiter]) => delimiter === chosen)?.[1] ?? [];
  if (chosen === '|' && areEdged(chosenRecords))
    return { ...unsplit, delimiter: chosen, isEdged: true };
  if (chosen !== null)
    return { ...unsplit, delimiter: chosen, ...findQuotes(head, encoding, chosen) };
  // Each line as one quoted cell, which holds the delimiters and doubled quotes.
  const lines = (readings[0]?.[1] ?? []).map((cells) => cells.join(','));
  const isQuoted = createTextDecoder(encoding)(head.subarray(0, 4096), false).text.startsWith('"');
  const inner = Buffer.from(lines.join('\n'));
  const within =
    isQuoted && lines.length > 1 ? chooseDelimiter(readWith(inner, 'utf-8', delimiters)) : null;
  if (within !== null) return { ...unsplit, delimiter: within, isQuotedTwice: true };
  return { ...unsplit, delimiter: rare ?? findRare() ?? ',' };
}

const atSign = 0x40;

function decodeLines(head: Uint8Array, encoding: Encoding): string {
  const { text } = createTextDecoder(encoding)(head, false);
  const isCut = head.length >= detectHeadBytes;
  return isCut ? text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf(';')) + 1) : text;
}

/** The encoding that a web page or XML names; null if it names none that is known. */
function findDeclared(start: string): Encoding | null {
  const name = /(?:charset|encoding)\s*=\s*["']?([\w-]+)/i.exec(start)?.[1]?.toLowerCase();
  if (name === undefined || name.startsWith('utf-16')) return null;
  try {
    const { encoding } = new TextDecoder(name);
    return encodingNames.find((known) => known === encoding) ?? null;
  } catch {
    return null;
  }
}

/**
 * Detects a file's format from its start (the first 64 KiB). Never throws: any other text is csv,
 * and its errors are reported when it is read.
 * @param fileName used only to distinguish a zip from a workbook
 * @param chosen the encoding that the user said
 */
export function detectFile(head: Uint8Array, fileName?: string, chosen?: Encoding): DetectedFile {
  const start = head.subarray(0, detectHeadBytes);
  const looked = trimBlock(start);
  const latin = Buffer.from(looked.buffer, looked.byteOffset, looked.byteLength).toString('latin1');
  const found = (kind: FileKind): DetectedFile => ({
    kind,
    encoding: 'utf-8',
    bomBytes: 0,
    delimiter: ',',
    ...unsplit,
  });
  const signed = signatures.find(([, at, bytes]) => latin.startsWith(bytes, at))?.[0];
  if (signed === 'zip' && latin.startsWith('PK')) return found(findZipKind(latin, fileName));
  // A workbook with a password is an older container with this entry, named in UTF-16.
  if (signed === 'xls' && latin.includes('E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e'))
    return found('locked');
  if (signed) return found(signed);
  const detected = detectEncoding(looked);
  const { bomBytes } = detected;
  const encoding = chosen ?? detected.encoding;
  if (looked.length === 0 && start.length > 0) return found('hollow');
  if (looked.length === bomBytes) return { ...found('empty'), encoding, bomBytes };
  if (isAsciiBased(encoding) && looksBinary(start)) return found('binary');
  const text = createTextDecoder(encoding)(
    looked.subarray(bomBytes, 2_048),
    false,
  ).text.trimStart();
  const other = textStarts.find(([, pattern]) => pattern.test(text))?.[0];
  if (other)
    return { ...found(other), encoding: chosen ?? findDeclared(text) ?? encoding, bomBytes };
  if (looked.includes(atSign) && isMailboxList(decodeLines(looked, encoding)))
    return { ...found('mailboxes'), encoding, bomBytes };
  return { kind: 'csv', encoding, bomBytes, ...detectSplitting(looked, encoding) };
}
