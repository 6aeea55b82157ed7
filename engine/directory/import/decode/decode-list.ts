// Decodes a file of an import to the canonical table, with its line numbers.
import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { type ImportOptions, importRemarkWords } from '../../../contract/directory.ts';
import {
  importDateRowsMax,
  importFileBytesMax,
  importSliceRows,
  importUnstagedBytesMin,
} from '../../../contract/limits/directory.ts';
import { importTableBytesMax } from '../../../contract/limits/spreadsheet.ts';
import { otherLineWords, textBehindKind } from '../../../contract/reading/reading.ts';
import type { OnTableRow } from '../../../spreadsheet/collect-table.ts';
import { detectFile } from '../../../spreadsheet/detect.ts';
import { type LineNumbers, readLineNumbers } from '../../../spreadsheet/line-numbers.ts';
import { type PreparedTable, prepareTable } from '../../../spreadsheet/prepare-table.ts';
import { openRows } from '../../../spreadsheet/read-rows.ts';

/** What is known of a list once it was read to its end. */
export interface ListEnd {
  /** SHA-256 of the rows, in hex. */
  readonly sha256: string;
  /** The lines that were not read as rows, with the reason. */
  readonly notRead: readonly { readonly line: number; readonly message: string }[];
}

export interface StagedList extends ListEnd {
  readonly fileName: string;
  readonly headers: readonly string[];
  readonly rowCount: number;
  readonly targetDir: string;
  readonly lines: LineNumbers;
}

const chunkBytes = 1_048_576;
const lineFeed = 10;

export interface StageOptions {
  readonly path: string;
  /** The original name of the file; defaults to the name in the path. */
  readonly name?: string | undefined;
  readonly targetDir: string;
  readonly reading: ImportOptions['reading'];
  readonly signal?: AbortSignal | undefined;
}

/** A list that is read once, directly from its file. */
export interface UnreadList {
  readonly path: string;
  readonly fileName: string;
  readonly rowCount: number;
  readonly reading: ImportOptions['reading'];
}

/** What the reading says of the whole file: its sheet, its letters, and what was repaired. */
function describeFile({ about, sheet, sheets, encoding, letters }: PreparedTable) {
  const others = sheets.filter(({ name }) => name !== sheet);
  const found = about.map(({ line, message }) => ({ line, message }));
  if (others.length > 0)
    found.push({
      line: 1,
      message:
        `The sheet ${JSON.stringify(sheet)} was read. The file also has ` +
        `${others.map(({ name }) => JSON.stringify(name)).join(', ')}.`,
    });
  if (letters.isSure || letters.sample === '') return found;
  const likely = letters.others.map((other) => `${other.encoding} (${other.sample})`);
  found.push({
    line: 1,
    message:
      `${importRemarkWords.letters}: it was read as ${encoding} (${letters.sample})` +
      `${likely.length > 0 ? `, and may be ${likely.join(' or ')}` : ''}.`,
  });
  return found;
}

function describeNotRead(table: PreparedTable): ListEnd['notRead'] {
  const others = table.otherLines.map(({ line, kind, text }) => {
    const why = otherLineWords[kind].toLowerCase();
    return { line, message: `${importRemarkWords.notARow} (${why})${textBehindKind(text)}` };
  });
  const wide = table.wideLines.map(({ line }) => ({
    line,
    message: 'Left out, because it has more cells than columns.',
  }));
  const shown = [...others, ...wide].sort((one, other) => one.line - other.line);
  const more = table.otherCount + table.wideCount - shown.length;
  const last = shown.at(-1);
  const file = describeFile(table);
  if (more === 0 || last === undefined) return [...file, ...shown];
  const message = `${more.toLocaleString('en-US')} more lines below this one were left out.`;
  return [...file, ...shown, { line: last.line, message }];
}

/** A long CSV that needs no decoding; null for any other file. Throws the signal's reason. */
export async function findUnread({
  path,
  name,
  reading,
  signal,
}: Omit<StageOptions, 'targetDir'>): Promise<UnreadList | null> {
  const bytes = statSync(path, { throwIfNoEntry: false });
  if (!bytes?.isFile() || bytes.size < importUnstagedBytesMin) return null;
  let lines = 0;
  let isStart = true;
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) {
    signal?.throwIfAborted();
    const piece = chunk as Buffer;
    // Other formats are decoded first.
    if (isStart && detectFile(piece, name).kind !== 'csv') return null;
    isStart = false;
    for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) lines++;
  }
  return { path, fileName: name ?? basename(path), rowCount: Math.max(0, lines - 1), reading };
}

/** Reads such a list to its end, in any encoding. Throws what prepareTable throws. */
export async function readUnread(
  { path, fileName, reading }: UnreadList,
  onRow: OnTableRow,
): Promise<ListEnd> {
  const limits = { bytesMax: importFileBytesMax, tableBytesMax: importTableBytesMax };
  const source = { sourcePath: path, targetDir: null, fileName, reading };
  const table = await prepareTable({ ...source, ...limits, onRow });
  return { sha256: table.sha256, notRead: describeNotRead(table) };
}

/** Decodes a CSV or workbook. Throws what prepareTable throws. Memory is limited to a slice. */
export async function stageList(options: StageOptions): Promise<StagedList> {
  const { path, targetDir, reading, signal } = options;
  const fileName = options.name ?? basename(path);
  const table = await prepareTable({
    sourcePath: path,
    targetDir,
    fileName,
    bytesMax: importFileBytesMax,
    tableBytesMax: importTableBytesMax,
    reading,
    ...(signal && { signal }),
  });
  const { headers, rowCount, sha256, lines } = table;
  const notRead = describeNotRead(table);
  return { fileName, headers, rowCount, sha256, notRead, targetDir, lines };
}

/** The first rows of a decoded list, enough to know its columns and the order of its dates. */
export function readSample({ rowCount, targetDir }: Pick<StagedList, 'rowCount' | 'targetDir'>) {
  const file = openRows(targetDir);
  try {
    return file.readRange(0, Math.min(rowCount, importDateRowsMax));
  } finally {
    file.close();
  }
}

/** Reads a decoded list from its start. Each call of `next` passes a slice of its rows on. */
export function openStaged(list: Pick<StagedList, 'rowCount' | 'targetDir' | 'lines'>): {
  next(take: (cells: readonly string[], line: number) => void): boolean;
  close(): void;
} {
  const file = openRows(list.targetDir);
  const lineOf = readLineNumbers(list.lines);
  let first = 0;
  return {
    next(take) {
      const slice = file.readRange(first, importSliceRows);
      for (const [at, cells] of slice.entries()) take(cells, lineOf(first + at));
      first += slice.length;
      return first < list.rowCount;
    },
    close: file.close,
  };
}
