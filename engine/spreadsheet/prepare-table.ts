// Decodes an uploaded file of any supported format and encoding to the canonical table.
import { type FileHandle, open } from 'node:fs/promises';
import { EngineError, invalid } from '../contract/errors.ts';
import {
  csvUploadBytesMax,
  csvWarningsMax,
  tableBytesMax,
} from '../contract/limits/spreadsheet.ts';
import type { Encoding } from '../contract/reading/encodings.ts';
import type { Reading, ReadList } from '../contract/reading/reading.ts';
import {
  collectTable,
  type OnTableRow,
  type OpenRowSplit,
  type TableCollector,
  type TableWarning,
  type WrittenTable,
} from './collect-table.ts';
import { createTextDecoder, type DecodeText, isAsciiBased } from './decode-text.ts';
import {
  type Delimiter,
  type DetectedFile,
  delimiterLine,
  detectFile,
  detectHeadBytes,
  type FileKind,
  findOtherKind,
  type ReadKind,
} from './detect.ts';
import { createEncodingSurvey, type FoundEncoding } from './encoding/find-encoding.ts';
import { createMixedDecoder } from './encoding/mixed-decoder.ts';
import { repairTwice } from './encoding/twice-encoded.ts';
import { type ListReader, type ListSource, noSheets } from './formats/list-reader.ts';
import { readHtml } from './formats/read-html.ts';
import { readJson } from './formats/read-json.ts';
import { readMailboxes } from './formats/read-mailboxes.ts';
import { readOds } from './formats/read-ods.ts';
import { readParquet } from './formats/read-parquet.ts';
import { readVcards } from './formats/read-vcards.ts';
import { readXmlSpreadsheet } from './formats/read-xml-spreadsheet.ts';
import { createRecordReader } from './read-records.ts';
import type { FindOptions } from './reading/find-table.ts';
import { createRecordSplitter } from './split-records.ts';
import { type FoundSheets, readWorkbook } from './workbook/read-workbook.ts';

export type { TableWarning, WrittenTable } from './collect-table.ts';

export interface PrepareOptions {
  readonly sourcePath: string;
  /** Folder for input.csv and input.idx, created if missing; null only passes rows on. */
  readonly targetDir: string | null;
  readonly fileName: string;
  /** Called after each chunk: bytes read so far, total bytes. */
  readonly onProgress?: ((bytesRead: number, bytesTotal: number) => void) | undefined;
  /** Maximum size of the file in bytes; csvUploadBytesMax by default. */
  readonly bytesMax?: number;
  /** Maximum size of the written rows in bytes; tableBytesMax by default. */
  readonly tableBytesMax?: number;
  /** Called for each kept row, in order. */
  readonly onRow?: OnTableRow;
  /** How the list is read; without it, the list has column names and extra cells are refused. */
  readonly reading?: Partial<Reading> | undefined;
  /** Splits rows that hold several people, if the reading says so. */
  readonly openSplit?: OpenRowSplit | undefined;
  /** Whether JSON is read; by default it is, and the public REST API refuses it. */
  readonly readsJson?: boolean;
  /** Stops the work with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface PreparedTable extends WrittenTable {
  readonly kind: ReadKind;
  /** Encoding of the source; utf-8 for a workbook. */
  readonly encoding: Encoding;
  readonly letters: FoundEncoding;
  /** Delimiter of the source; a comma for a workbook. */
  readonly delimiter: Delimiter;
  readonly sourceBytes: number;
  /** The sheet that was read; null for a text file. */
  readonly sheet: string | null;
  /** The sheets with cells; listed only with `reading`. */
  readonly sheets: ReadList['sheets'];
}

const chunkBytes = 1_048_576;

const refusals: Record<Exclude<FileKind, ReadKind>, string> = {
  empty: 'The file is empty. Choose a file with a header line and at least one row.',
  xls:
    'The file is an old Excel workbook (.xls) or is protected with a password. Open it in Excel, ' +
    'LibreOffice or Google Sheets, save it as .xlsx without a password or as "CSV UTF-8", and ' +
    'choose the new file.',
  locked:
    'The workbook is protected with a password. Open it in Excel, remove the password in File › ' +
    'Info › Protect Workbook › Encrypt with Password, save it, and choose it again.',
  xlsb:
    'The file is a binary Excel workbook (.xlsb). Open it in Excel, choose File › Save As › ' +
    'Excel Workbook (.xlsx), and choose the new file.',
  numbers:
    'The file is a spreadsheet of Numbers. Open it in Numbers, choose File › Export To › CSV or ' +
    'Excel (.xlsx), and choose the new file.',
  document:
    'The file is a document, not a spreadsheet. Copy its table to a spreadsheet program, save it ' +
    'as .xlsx or CSV, and choose the new file.',
  orc:
    'The file is a table of a data system (ORC). Export it there as CSV or Parquet, and choose ' +
    'the new file.',
  rtf:
    'The file is a text document (RTF). Save its list as "plain text" (.txt) or CSV, and choose ' +
    'the new file.',
  mhtml:
    'The file is a web archive, whatever its name says. Open it in Excel, save it as .xlsx, and ' +
    'choose the new file.',
  calendar: 'The file is a calendar (.ics), not a list of contacts. Choose the list itself.',
  email:
    'The file is an email message. Save its attachment, and choose the attached CSV or .xlsx file.',
  sql:
    'The file is a script of a database (SQL). Export the table there as CSV, and choose the new ' +
    'file.',
  ldif:
    'The file is a directory listing (LDIF). Import it into an address book such as Thunderbird, ' +
    'export the contacts from there as CSV, and choose the new file.',
  hollow:
    'The file has a size but no contents: it was not saved or copied to its end. Export or ' +
    'download the list again.',
  companion:
    'The file is a hidden companion that macOS writes next to a file. Choose the file with the ' +
    'same name without "._" at its start.',
  exchange:
    'The file is a spreadsheet in an old exchange format (SYLK or DIF). Open it in Excel or ' +
    'LibreOffice, save it as .xlsx or "CSV UTF-8", and choose the new file.',
  yaml: 'The file is YAML. Export the list from its source again, as CSV, JSON or .xlsx.',
  shortcut:
    'The file is only a shortcut to a document of Google Drive. Open that in the browser, ' +
    'choose File › Download › Comma Separated Values, and choose the new file.',
  pdf:
    'The file is a PDF, which cannot be read as a table. Export the list from its source again, ' +
    'as CSV or .xlsx, and choose the new file.',
  zip: 'The file is a compressed archive. Unpack it and choose the CSV or .xlsx file inside.',
  image: 'The file is an image. Choose the list itself, saved as CSV or .xlsx.',
  binary:
    'The file is neither text nor a supported workbook. Save the list as CSV or .xlsx ' +
    'and choose the new file.',
};

/** Opens the file, or explains why it cannot be read. */
async function openSource(path: string, fileName: string): Promise<FileHandle> {
  const refuse = (what: string, cause?: unknown) => {
    const detail = `The file "${fileName}" ${what}. Choose a CSV or .xlsx file that you can open.`;
    return new EngineError('validation_error', detail, { cause });
  };
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    const reasons: Record<string, string> = { ENOENT: 'does not exist', EACCES: 'cannot be read' };
    const reason = reasons[error.code ?? ''];
    throw reason ? refuse(reason, error) : error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw refuse('is a folder or a device');
}

/** Passes the whole file on in chunks, each valid only until the next. */
async function readChunks(
  file: FileHandle,
  signal: AbortSignal | undefined,
  onChunk: (bytes: Uint8Array, bytesRead: number) => void,
): Promise<void> {
  const { size } = await file.stat();
  const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size));
  let bytesSoFar = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, buffer.length, bytesSoFar);
    if (bytesRead === 0) return;
    bytesSoFar += bytesRead;
    onChunk(buffer.subarray(0, bytesRead), bytesSoFar);
  }
}

async function readHead(file: FileHandle): Promise<Uint8Array> {
  const head = Buffer.alloc(detectHeadBytes);
  let length = 0;
  for (let bytesRead = -1; bytesRead !== 0 && length < head.length; length += bytesRead) {
    ({ bytesRead } = await file.read(head, length, head.length - length, length));
  }
  return head.subarray(0, length);
}

async function settleEncoding(
  file: FileHandle,
  head: Uint8Array,
  { kind, encoding, bomBytes }: DetectedFile,
  { reading, signal }: PrepareOptions,
): Promise<FoundEncoding> {
  const given = { encoding, isSure: true, isMixed: false, sample: '', twice: null, others: [] };
  const isText = kind === 'csv' || kind === 'mailboxes';
  if (!isText || reading?.encoding !== undefined || !isAsciiBased(encoding)) return given;
  const survey = createEncodingSurvey();
  if (bomBytes > 0) {
    survey.push(head);
    return { ...given, twice: survey.decide(false).twice };
  }
  if (head.length < detectHeadBytes) survey.push(head);
  else await readChunks(file, signal, (bytes) => survey.push(bytes));
  return survey.decide(true);
}

/** Excel's own first line `sep=;` sets the delimiter and is not a record. */
const isDelimiterLine = (cells: readonly string[], line: number, delimiter: string): boolean =>
  line === 1 && /^sep=/i.test(cells[0] ?? '') && delimiterLine.test(cells.join(delimiter));

/** Text that a program wrote as a formula, to keep its zeros: `="00123"`. */
const textFormula = /^="((?:[^"]|"")*)"$/;

function unwrapFormulas(cells: string[]): string[] {
  for (const [at, cell] of cells.entries())
    if (cell.startsWith('="'))
      cells[at] = cell.replace(textFormula, (_cell, text: string) => text.replaceAll('""', '"'));
  return cells;
}

/** Replaces a bar that is a part of a cell of Markdown: "\\|". */
const hiddenBar = '\ue07c';

function dropEdges(cells: string[]): string[] {
  if (cells.length < 3 || cells[0]?.trim() !== '') return cells;
  const inner = cells.slice(1, cells.at(-1)?.trim() === '' ? -1 : undefined);
  // "||Name||Email||" of a wiki
  const isDoubled = inner.length > 1 && inner.every((cell, at) => (cell === '') === (at % 2 === 0));
  const own = isDoubled ? inner.filter((_cell, at) => at % 2 === 1) : inner;
  return own.map((cell) => cell.trim().replaceAll(hiddenBar, '|'));
}

function splitQuoted(
  cells: string[],
  line: number,
  delimiter: string,
  take: (cells: string[], line: number) => void,
): void {
  const [text = ''] = cells;
  if (cells.length > 1) {
    take(cells, line);
    return;
  }
  const splitter = createRecordSplitter(delimiter, (inner) => take(inner, line));
  splitter.push(text);
  splitter.end();
}

async function collectRecords(
  file: FileHandle,
  source: {
    readonly delimiter: Delimiter;
    readonly encoding: Encoding;
    readonly decode: DecodeText;
    readonly bytes: number;
    readonly detected: DetectedFile;
    readonly isTwice: boolean;
  },
  options: PrepareOptions,
  collector: TableCollector,
): Promise<TableWarning[]> {
  const { delimiter, encoding, decode, isTwice } = source;
  const { aligned, isCurly, isEdged, isQuotedTwice, quotes } = source.detected;
  // Only texts with such a cell are searched for it.
  let hasFormulas = false;
  const take = (cells: string[], line: number, written?: string) => {
    if (isDelimiterLine(cells, line, delimiter)) return;
    if (written !== undefined && !isTwice && !isEdged) {
      collector.take(cells, line, undefined, written);
      return;
    }
    const inner = isEdged ? dropEdges(cells) : cells;
    const read = isTwice ? inner.map(repairTwice) : inner;
    collector.take(hasFormulas ? unwrapFormulas(read) : read, line);
  };
  const reader = createRecordReader({
    delimiter,
    aligned,
    encoding,
    quotes,
    decode(bytes, last) {
      const decoded = decode(bytes, last);
      hasFormulas ||= decoded.text.includes('="');
      if (isEdged) return { ...decoded, text: decoded.text.replaceAll('\\|', hiddenBar) };
      return isCurly ? { ...decoded, text: decoded.text.replace(/[“”„«»]/g, '"') } : decoded;
    },
    onRecord: isQuotedTwice ? (cells, line) => splitQuoted(cells, line, delimiter, take) : take,
  });
  await readChunks(file, options.signal, (bytes, bytesRead) => {
    reader.push(bytes);
    options.onProgress?.(bytesRead, source.bytes);
  });
  reader.end();
  return warnOfNuls(reader.nulCount());
}

/** Says that a file had NUL characters, as one has that was not written to its end. */
function warnOfNuls(count: number): TableWarning[] {
  if (count === 0) return [];
  const characters =
    count === 1 ? 'One NUL character was' : `${count.toLocaleString('en-US')} NUL characters were`;
  return [
    {
      line: 1,
      message: `${characters} left out. If rows are missing, export the list again.`,
    },
  ];
}

/**
 * Decodes an uploaded file (CSV of any supported encoding and delimiter, or a sheet of an .xlsx,
 * the first with content by default) to the canonical table of table-files.ts, which is durable
 * when this resolves. Empty lines are skipped and short rows filled; anything that would lose or
 * guess text is refused. Throws EngineError('bad_rows') for a file without header or rows, and
 * 'validation_error', with the line if known, for everything else; no file is left behind then.
 * Memory is constant for CSV of any size, and grows with the shared strings of a workbook.
 */
export async function prepareTable(options: PrepareOptions): Promise<PreparedTable> {
  const file = await openSource(options.sourcePath, options.fileName);
  try {
    const { size: bytes } = await file.stat();
    const bytesMax = options.bytesMax ?? csvUploadBytesMax;
    if (bytes > bytesMax) {
      const most = bytesMax.toLocaleString('en-US');
      throw invalid(
        `The file has ${bytes.toLocaleString('en-US')} bytes; the maximum is ${most}. Split it ` +
          'into smaller files and enrich them one by one.',
      );
    }
    const head = await readHead(file);
    const detected = detectFile(head, options.fileName, options.reading?.encoding);
    const kind = requireReadable(detected.kind, options);
    const { delimiter } = detected;
    const letters = await settleEncoding(file, head, detected, options);
    const mixed = letters.isMixed ? createMixedDecoder(letters.encoding) : null;
    const decode = mixed?.decode ?? createTextDecoder(letters.encoding);
    const isTwice = letters.twice !== null;
    const source = { delimiter, encoding: letters.encoding, decode, bytes, detected, isTwice };
    let found = noSheets;
    let ofText: TableWarning[] = [];
    const table = await writeTable(options, { kind, delimiter }, async (collector) => {
      if (kind === 'csv') ofText = await collectRecords(file, source, options, collector);
      else {
        found = await readers[kind](describeSource(options, source), collector);
        options.signal?.throwIfAborted();
        options.onProgress?.(bytes, bytes);
      }
    });
    const encoding = mixed?.encoding() ?? letters.encoding;
    const about = [
      ...(mixed?.warnings() ?? []),
      ...warnOfTwice(letters),
      ...ofText,
      ...warnOfFormulas(found),
      ...(found.warnings ?? []),
    ];
    const warnings = [...about, ...table.warnings].slice(0, csvWarningsMax);
    const read = { kind, encoding, letters, delimiter, sourceBytes: bytes };
    const { sheet, sheets } = found;
    return { ...table, warnings, about: [...about, ...table.about], ...read, sheet, sheets };
  } finally {
    await file.close();
  }
}

const describeSource = (
  { sourcePath, reading, signal, onProgress, tableBytesMax: limit }: PrepareOptions,
  { bytes, encoding }: { readonly bytes: number; readonly encoding: Encoding },
): ListSource => ({
  path: sourcePath,
  bytes,
  encoding,
  sheet: reading?.sheet,
  listsSheets: reading !== undefined,
  tableBytesMax: limit ?? tableBytesMax,
  signal,
  onProgress: (share) => onProgress?.(Math.floor(share * bytes), bytes),
});

function warnOfTwice({ twice }: FoundEncoding): TableWarning[] {
  if (twice === null) return [];
  return [
    {
      line: 1,
      message:
        `Letters that another program had encoded twice were repaired: "${twice.wrong}" is read ` +
        `as "${twice.right}". Choose the encoding UTF-8 to keep them as they are.`,
    },
  ];
}

/** Says that formulas have no value, as programs write them that do not calculate. */
function warnOfFormulas({ formulas, firstFormula }: FoundSheets): TableWarning[] {
  if (formulas === 0) return [];
  const cells =
    formulas === 1
      ? 'One cell has a formula without a value and is empty'
      : `${formulas.toLocaleString('en-US')} cells have a formula without a value and are empty`;
  return [
    {
      line: Number(/\d+$/.exec(firstFormula)?.[0] ?? 1),
      message:
        `${cells}, the first in ${firstFormula}. ` +
        'Open the workbook in a spreadsheet program, save it, and choose it again.',
    },
  ];
}

/**
 * The kind of a file that can be read. Throws for any other, and for text with the name of another
 * kind: it is more likely the wrong file than a list, and what its lines lack would be misleading.
 */
function requireReadable(
  kind: FileKind,
  { fileName, readsJson = true }: Pick<PrepareOptions, 'fileName' | 'readsJson'>,
): ReadKind {
  if (kind === 'json' && !readsJson)
    throw invalid('The file is JSON. Export the list from its source again, as CSV or .xlsx.');
  if (kind === 'csv' || kind === 'json') {
    const other = findOtherKind(fileName);
    if (other === null) return kind;
    throw invalid(
      `The file is text, but its name "${fileName}" is that of ${other}. Choose the list itself, ` +
        `saved as CSV or .xlsx. If this file is the list, rename it so that it ends in .${kind}.`,
    );
  }
  if (kind in readers) return kind as ReadKind;
  const refusal = refusals[kind as Exclude<FileKind, ReadKind>];
  throw new EngineError(kind === 'empty' ? 'bad_rows' : 'validation_error', refusal);
}

const readers: Readonly<Record<Exclude<ReadKind, 'csv'>, ListReader>> = {
  xlsx: (source, sink) =>
    readWorkbook(source.path, {
      bytesMax: source.tableBytesMax,
      signal: source.signal,
      sheet: source.sheet,
      listsSheets: source.listsSheets,
      onRecord: sink.take,
      onLinks: sink.expectLinks,
      onProgress: source.onProgress,
    }),
  json: readJson,
  ods: readOds,
  xml: readXmlSpreadsheet,
  html: readHtml,
  vcard: readVcards,
  mailboxes: readMailboxes,
  parquet: readParquet,
};

const describeFind = (reading: Partial<Reading> | undefined): FindOptions => ({
  header: reading?.header ?? 'yes',
  headerLine: reading?.header_line,
});

async function writeTable(
  { targetDir, onRow, openSplit, tableBytesMax: bytesMax, reading, fileName }: PrepareOptions,
  { kind, delimiter }: { readonly kind: ReadKind; readonly delimiter: Delimiter },
  collect: (collector: TableCollector) => Promise<void>,
): Promise<WrittenTable> {
  const collector = collectTable(targetDir, {
    skipBlankLines: true,
    bytesMax,
    onRow,
    delimiter,
    // The keys of such files are their columns.
    ...(/^(?:json|vcard|parquet|mailboxes)$/.test(kind) ? {} : { find: describeFind(reading) }),
    otherLines: reading?.other_lines,
    extraCells: reading?.extra_cells,
    openSplit: reading?.several_people === 'split' ? openSplit : undefined,
    ...(reading?.origin === 'columns' && { origin: fileName }),
  });
  try {
    await collect(collector);
    return collector.finish();
  } catch (error) {
    collector.discard();
    throw error;
  }
}
