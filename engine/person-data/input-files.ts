// The rows of a person in stored inputs: input.csv of jobs, monitors, pipelines and uploads. Rows
// are overwritten in place with spaces, so that no offset changes, every hard link of the file is
// changed too, and an interrupted deletion can be repeated.
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { type ColumnMapping, type RowInputField, readMapped } from '../contract/jobs/row-input.ts';
import { inputIndexStride } from '../contract/limits/spreadsheet.ts';
import { readEmailKey, readUrlKey } from '../directory/normalize/match-address.ts';
import { openRows, parseRecords } from '../spreadsheet/read-rows.ts';
import {
  dataFilePath,
  type IndexEntry,
  readIndex,
  writeIndexEntries,
} from '../spreadsheet/table-files.ts';
import { foldWords, type Matcher, type Subject } from './subject.ts';

export interface InputRow {
  /** -1 is the header. */
  readonly row: number;
  /** Null: all of them. Empty: the row has only the person's name, which others may have. */
  readonly columns: readonly number[] | null;
  readonly cells: readonly string[];
}

/** What is known about a row besides its cells: whether it was answered with a person. */
export type RowOwner = (row: number) => 'subject' | 'other' | 'unknown';

function isAbout(
  subject: Subject,
  matcher: Matcher,
  cells: readonly string[],
  mapping: ColumnMapping,
): boolean {
  const cell = (field: RowInputField): string => readMapped(cells, mapping, field);
  if (subject.emails.includes(readEmailKey(cell('email')))) return true;
  if (subject.profiles.includes(readUrlKey(cell('profile_url').trim()))) return true;
  if (cell('phone') !== '' && matcher.hasIdentifier(cell('phone'))) return true;
  return (
    matcher.hasName(`${cell('first_name')} ${cell('last_name')}`) &&
    [cell('company_name'), cell('company_domain')].some(matcher.hasEmployer)
  );
}

function readRow(
  subject: Subject,
  matcher: Matcher,
  cells: readonly string[],
  { mapping, owner }: { mapping: ColumnMapping; owner: ReturnType<RowOwner> },
): readonly number[] | null | undefined {
  if (owner === 'subject') return cells.some((cell) => cell.trim() !== '') ? null : undefined;
  if (owner === 'unknown' && isAbout(subject, matcher, cells, mapping)) return null;
  const columns = cells.flatMap((cell, at) => (matcher.names(cell) ? [at] : []));
  if (columns.length > 0) return columns;
  if (owner === 'other') return undefined;
  const name = [mapping.first_name, mapping.last_name].map((at) => cells[at ?? -1] ?? '').join(' ');
  return [name, ...cells].some(matcher.hasName) ? [] : undefined;
}

export interface InputTable {
  readonly dir: string;
  readonly mapping: ColumnMapping;
  readonly owner: RowOwner;
  readonly ownRows: ReadonlySet<number>;
}

/** Finds the rows of a person. Throws if the files are damaged. */
export function findInputRows(
  subject: Subject,
  matcher: Matcher,
  { dir, mapping, owner, ownRows }: InputTable,
): InputRow[] {
  const table = openRows(dir);
  const found: InputRow[] = [];
  const lastNames = subject.names.map(({ last }) => foldWords(last));
  try {
    const header = table.headers.flatMap((cell, at) => (matcher.names(cell) ? [at] : []));
    if (header.length > 0) found.push({ row: -1, columns: header, cells: table.headers });
    for (let first = 0; first < table.rowCount; first += inputIndexStride) {
      const bytes = table.rangeBytes(first, inputIndexStride);
      const text = Buffer.from(bytes).toString();
      const words = foldWords(text);
      const mayBe =
        [...ownRows].some((row) => row >= first && row < first + inputIndexStride) ||
        matcher.hasIdentifier(text) ||
        lastNames.some((name) => words.includes(name));
      if (!mayBe) continue;
      for (const [at, cells] of parseRecords(bytes).entries()) {
        const row = first + at;
        const columns = readRow(subject, matcher, cells, { mapping, owner: owner(row) });
        if (columns !== undefined) found.push({ row, columns, cells });
      }
    }
  } finally {
    table.close();
  }
  return found;
}

const [LINE_FEED, QUOTE, COMMA, SPACE] = [10, 34, 44, 32];

function findCellEnds(record: Buffer): number[] {
  const ends: number[] = [];
  let isQuoted = false;
  for (const [at, byte] of record.entries()) {
    if (byte === QUOTE) isQuoted = !isQuoted;
    else if (byte === COMMA && !isQuoted) ends.push(at);
  }
  return [...ends, record.length];
}

/** Overwrites cells of a record with spaces. A quoted cell becomes a plain one. */
function blankCells(record: Buffer, columns: readonly number[] | null): void {
  let start = 0;
  for (const [column, end] of findCellEnds(record).entries()) {
    if (columns === null || columns.includes(column)) record.fill(SPACE, start, end);
    start = end + 1;
  }
}

/** The end of the record that begins at `start`: after its line feed. */
function findRecordEnd(bytes: Buffer, start: number): number {
  let isQuoted = false;
  for (let at = start; at < bytes.length; at += 1) {
    if (bytes[at] === QUOTE) isQuoted = !isQuoted;
    else if (bytes[at] === LINE_FEED && !isQuoted) return at + 1;
  }
  return bytes.length;
}

function readBlock(descriptor: number, from: number, to: number): Buffer {
  const bytes = Buffer.alloc(to - from);
  for (let done = 0; done < bytes.length; )
    done += readSync(descriptor, bytes, done, bytes.length - done, from + done);
  return bytes;
}

const placeOf = (row: number): number => (row < 0 ? 0 : 1 + Math.floor(row / inputIndexStride));

function blankRows(block: Buffer, rows: readonly Pick<InputRow, 'row' | 'columns'>[]): void {
  for (const { row, columns } of rows) {
    let start = 0;
    for (let skipped = Math.max(row, 0) % inputIndexStride; skipped > 0; skipped -= 1)
      start = findRecordEnd(block, start);
    blankCells(block.subarray(start, findRecordEnd(block, start) - 1), columns);
  }
}

/**
 * Overwrites cells of rows in place. Row -1 is the header. Synced to disk before it returns. After
 * a kill in between, input.idx says which blocks it was changing, and a repeat ends the change.
 */
export function blankInputRows(
  dir: string,
  rows: readonly Pick<InputRow, 'row' | 'columns'>[],
): void {
  const entries = readIndex(dir);
  const blocks = new Map<number, { entry: IndexEntry; rows: (typeof rows)[number][] }>();
  for (const row of rows) {
    const place = placeOf(row.row);
    const entry = entries[place];
    if (!entry) continue;
    const block = blocks.get(place) ?? { entry, rows: [] };
    block.rows.push(row);
    blocks.set(place, block);
  }
  const writeEntries = (change: (entry: IndexEntry) => IndexEntry) =>
    writeIndexEntries(
      dir,
      new Map([...blocks].map(([place, { entry }]) => [place, change(entry)])),
    );
  writeEntries((entry) => ({ ...entry, isChanging: true }));
  const checksums = new Map<IndexEntry, number>();
  const descriptor = openSync(dataFilePath(dir), 'r+');
  try {
    for (const [place, { entry, rows: own }] of blocks) {
      const from = entries[place - 1]?.endsAt ?? 0;
      const bytes = readBlock(descriptor, from, entry.endsAt);
      blankRows(bytes, own);
      writeSync(descriptor, bytes, 0, bytes.length, from);
      checksums.set(entry, crc32(bytes));
    }
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  writeEntries((entry) => ({
    ...entry,
    checksum: checksums.get(entry) ?? entry.checksum,
    isChanging: false,
  }));
}
