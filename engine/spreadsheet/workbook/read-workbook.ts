// Reads a sheet of an .xlsx workbook as rows of text. The sheet is read twice: once to measure the
// result, and once to pass its rows on.
import { EngineError, invalid } from '../../contract/errors.ts';
import {
  headerLinesMax,
  inputIndexStride,
  sheetsComparedMax,
  sheetsListedMax,
  workbookCellsMax,
  workbookPartBytesMax,
} from '../../contract/limits/spreadsheet.ts';
import type { ReadList } from '../../contract/reading/reading.ts';
import type { TableWarning } from '../collect-table.ts';
import { isMemberPage } from '../column-values.ts';
import { countKnown } from '../reading/find-table.ts';
import { type LinkKind, linkKinds, type RowLinks } from '../reading/row-links.ts';
import { createTableMeter } from '../table-meter.ts';
import { openParts, type WorkbookParts } from './workbook-parts.ts';
import { refuseTooLarge } from './workbook-refusals.ts';
import {
  createSheetNotes,
  type MergedRows,
  readCells,
  refuseRange,
  type Sheet,
  type SheetNotes,
  type Workbook,
} from './workbook-sheet.ts';
import { readNumberStyles } from './workbook-styles.ts';
import { readSharedTexts, unescapeText } from './workbook-texts.ts';
import { readXml } from './workbook-xml.ts';

/** Ends the reading of a part early. */
class Enough extends Error {}

/** The rows of a range such as A1:F120; null for anything else, or a range of one cell. */
function countRange(range: string): number | null {
  const [, first, last] = /^[A-Z]{1,3}(\d{1,7}):[A-Z]{1,3}(\d{1,7})$/i.exec(range) ?? [];
  if (first === undefined || last === undefined) return null;
  const rows = Number(last) - Number(first) + 1;
  return rows > 0 ? rows : null;
}

/**
 * The number of rows that a sheet states, with its header; null if it states none, 'empty' if it
 * has no cell with content. Stops at the first such cell. Throws what readXml throws.
 */
async function peekSheet(parts: WorkbookParts, { part }: Sheet): Promise<number | null | 'empty'> {
  let rows: number | null = null;
  let isInValue = false;
  try {
    await readXml(parts, part, {
      open(name, attributes) {
        if (name === 'dimension') rows = countRange(attributes.read('ref') ?? '');
        isInValue = name === 'v' || name === 't';
      },
      text(text) {
        if (isInValue && text !== '') throw new Enough();
      },
    });
  } catch (error) {
    if (error instanceof Enough) return rows;
    throw error;
  }
  return 'empty';
}

export interface WorkbookOptions {
  /** Limit of the size of its rows as CSV, in bytes. */
  readonly bytesMax: number;
  /** Called for each row with content, its number in the sheet, from 1, and its links. */
  readonly onRecord: (cells: string[], row: number, links: RowLinks | undefined) => void;
  /** Called before the rows, with the kinds of links that they have. */
  readonly onLinks?: ((kinds: readonly LinkKind[]) => void) | undefined;
  /** The name of the sheet; the first with content if omitted. */
  readonly sheet?: string | undefined;
  readonly listsSheets?: boolean | undefined;
  /** Called with the share of the workbook that was read, 0 to 1; it never falls. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Stops the work with the signal's reason. */
  readonly signal: AbortSignal | undefined;
}

export interface FoundSheets {
  readonly sheet: string | null;
  readonly sheets: ReadList['sheets'];
  /** Formulas without a value in that sheet, and the first of their cells. */
  readonly formulas: number;
  readonly firstFormula: string;
  /** What was left out of the file. */
  readonly warnings?: readonly TableWarning[];
}

const workbookPart = 'xl/workbook.xml';
const relationsPart = 'xl/_rels/workbook.xml.rels';
/** Characters of a sheet's name in an error; programs allow 31. */
const nameCharactersMax = 31;

function checkPart(parts: WorkbookParts, part: string): void {
  const bytes = parts.sizeOf(part) ?? 0;
  if (bytes <= workbookPartBytesMax) return;
  const [found, most] = [bytes, workbookPartBytesMax].map((count) => count.toLocaleString('en-US'));
  throw refuseTooLarge(`The workbook's ${part} unpacks to ${found} bytes; the maximum is ${most}.`);
}

/** Part names by relation id for sheets, and by kind for parts that exist once. */
async function readRelations(parts: WorkbookParts): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  checkPart(parts, relationsPart);
  await readXml(parts, relationsPart, {
    open(name, attributes) {
      const target = name === 'Relationship' ? attributes.read('Target') : undefined;
      if (target === undefined) return;
      const kind = attributes.read('Type')?.split('/').at(-1) ?? '';
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      // Chart sheets have no cells.
      found.set(kind === 'worksheet' ? `sheet ${attributes.read('Id')}` : kind, part);
    },
  });
  return found;
}

/**
 * The workbook's sheets in order, and the data that their cells refer to. Calls `onSheets` before
 * the texts, which may be most of the bytes, are read.
 */
async function readBook(
  parts: WorkbookParts,
  onSheets: (textBytes: number, sheets: readonly Sheet[]) => Promise<void>,
): Promise<Workbook & { readonly sheets: Sheet[] }> {
  const relations = await readRelations(parts);
  const sheets = new Map<string, Sheet>();
  let countsFrom1904: boolean | null = null;
  checkPart(parts, workbookPart);
  await readXml(parts, workbookPart, {
    open(name, attributes) {
      if (name === 'workbookPr')
        countsFrom1904 ??= /^(?:1|true)$/.test(attributes.read('date1904') ?? '');
      if (name !== 'sheet') return;
      const part = relations.get(`sheet ${attributes.read('id')}`);
      const title = unescapeText(attributes.read('name') ?? '').slice(0, nameCharactersMax);
      // A part that is referenced twice is read once, so that the cost is limited by the size of
      // the parts.
      const isHidden = /hidden/i.test(attributes.read('state') ?? '');
      if (part !== undefined && !sheets.has(part))
        sheets.set(part, { name: title, part, isHidden });
    },
  });
  const ordered = [...sheets.values()].sort(
    (one, other) => Number(one.isHidden) - Number(other.isHidden),
  );
  const stylesPart = relations.get('styles') ?? 'xl/styles.xml';
  const textsPart = relations.get('sharedStrings') ?? 'xl/sharedStrings.xml';
  await onSheets(parts.sizeOf(textsPart) ?? 0, ordered);
  checkPart(parts, stylesPart);
  return {
    parts,
    sheets: ordered,
    countsFrom1904: countsFrom1904 ?? false,
    numberStyles: await readNumberStyles(parts, stylesPart),
    texts: await readSharedTexts(parts, textsPart),
  };
}

/** The number of a sheet's columns, 0 without content. Throws if its rows are too large. */
async function measureSheet(
  book: Workbook,
  sheet: Sheet,
  bytesMax: number,
  notes: SheetNotes,
): Promise<number> {
  const meter = createTableMeter(bytesMax);
  let rows = 0;
  let lastRow = 0;
  let columns = 0;
  let widest: [row: number, column: number] = [0, 0];
  const take = (row: number, column: number, value: string | number): void => {
    if (row > lastRow) {
      // The header comes before the first block.
      if (rows > 0 && (rows - 1) % inputIndexStride === 0) meter.beginBlock();
      rows++;
      lastRow = row;
    }
    if (column > columns) {
      columns = column;
      widest = [row, column];
    }
    if (rows * columns > workbookCellsMax) throw refuseRange(sheet, widest, [rows, columns]);
    meter.add(typeof value === 'number' ? book.texts.bytesOf(value) : value.length);
  };
  await readCells(book, sheet, take, notes);
  return columns;
}

/** Fills the cells of merged rows with the value of their first row. At most one per column. */
function createMergedFill(merged: readonly MergedRows[]): (cells: string[], row: number) => void {
  const spans = [...merged].sort((one, other) => one.first - other.first);
  const active = new Map<number, { readonly last: number; readonly value: string }>();
  let next = 0;
  return (cells, row) => {
    for (const [column, { last, value }] of active) {
      if (row > last) active.delete(column);
      else if (cells[column - 1] === '') cells[column - 1] = value;
    }
    for (; (spans[next]?.first ?? Number.POSITIVE_INFINITY) <= row; next++) {
      const { column, first, last } = spans[next]!;
      if (first === row) active.set(column, { last, value: cells[column - 1] ?? '' });
    }
  };
}

/** The address in a link: of a mailbox, or of a person's profile; null for any other. */
function readLink(target: string): RowLinks | null {
  const mail = /^mailto:([^?\s]+@[^?\s]+)/i.exec(target.trim())?.[1];
  if (mail !== undefined) {
    try {
      return { email: decodeURIComponent(mail) };
    } catch {
      return { email: mail };
    }
  }
  return isMemberPage(target) ? { profile: target.trim() } : null;
}

async function readLinks(
  parts: WorkbookParts,
  { part }: Sheet,
  { links }: SheetNotes,
): Promise<Map<number, RowLinks>> {
  const targets = new Map<string, string>();
  const nameAt = part.lastIndexOf('/') + 1;
  const relations = `${part.slice(0, nameAt)}_rels/${part.slice(nameAt)}.rels`;
  if (links.length > 0 && parts.sizeOf(relations) !== undefined) {
    checkPart(parts, relations);
    await readXml(parts, relations, {
      open(name, attributes) {
        if (name !== 'Relationship') return;
        targets.set(attributes.read('Id') ?? '', attributes.read('Target') ?? '');
      },
    });
  }
  const found = new Map<number, RowLinks>();
  for (const { row, id = '', address } of links) {
    const link = readLink(address ?? targets.get(id) ?? '');
    if (link !== null) found.set(row, { ...link, ...found.get(row) });
  }
  return found;
}

/** The most names of columns that one of the first rows of a sheet has. */
async function countNames(book: Workbook, sheet: Sheet): Promise<number> {
  const rows = new Map<number, string[]>();
  try {
    await readCells(book, sheet, (row, _column, value) => {
      if (!rows.has(row) && rows.size === headerLinesMax) throw new Enough();
      const text = typeof value === 'number' ? book.texts.textOf(value) : value;
      rows.set(row, [...(rows.get(row) ?? []), text]);
    });
  } catch (error) {
    // A damaged sheet is refused when it is read.
    if (!(error instanceof Enough) && !(error instanceof EngineError)) throw error;
  }
  return Math.max(0, ...[...rows.values()].map(countKnown));
}

/** The sheets: first the visible one whose first rows have the most known names. */
async function preferNamed(book: Workbook & { readonly sheets: Sheet[] }): Promise<Sheet[]> {
  const visible = book.sheets.filter(({ isHidden }) => !isHidden).slice(0, sheetsComparedMax);
  if (visible.length < 2) return book.sheets;
  let best: Sheet | undefined;
  let most = 1;
  for (const sheet of visible) {
    const names = await countNames(book, sheet);
    if (names > most) best = sheet;
    most = Math.max(most, names);
  }
  if (best === undefined) return book.sheets;
  return [best, ...book.sheets.filter((sheet) => sheet !== best)];
}

async function handOnRows(
  book: Workbook,
  sheet: Sheet,
  columns: number,
  links: ReadonlyMap<number, RowLinks>,
  merged: readonly MergedRows[],
  onRecord: WorkbookOptions['onRecord'],
): Promise<void> {
  const fillMerged = createMergedFill(merged);
  const pass = (cells: string[], row: number): void => {
    fillMerged(cells, row);
    onRecord(cells, row, links.get(row));
  };
  let lastRow = 0;
  let cells: string[] = [];
  await readCells(book, sheet, (row, column, value) => {
    if (row > lastRow) {
      if (lastRow > 0) pass(cells, lastRow);
      lastRow = row;
      cells = new Array<string>(columns).fill('');
    }
    cells[column - 1] = typeof value === 'number' ? book.texts.textOf(value) : value;
  });
  if (lastRow > 0) pass(cells, lastRow);
}

/** The first sheet with cells, or that cannot be read; only a choice of several is looked at. */
async function findFilled(
  parts: WorkbookParts,
  sheets: readonly Sheet[],
): Promise<Sheet | undefined> {
  if (sheets.length < 2) return sheets[0];
  for (const sheet of sheets) {
    const rows = await peekSheet(parts, sheet).catch(() => null);
    if (rows !== 'empty') return sheet;
  }
  return undefined;
}

/** Reports the share of the bytes that will be read. The total is known once the parts are. */
function createShare(onProgress: WorkbookOptions['onProgress']) {
  let done = 0;
  let total = Number.POSITIVE_INFINITY;
  let reported = 0;
  return {
    read(bytes: number): void {
      done += bytes;
      reported = Math.max(reported, Math.min(1, done / total));
      onProgress?.(reported);
    },
    expect(bytes: number): void {
      total = done + bytes;
    },
  };
}

/** The sheets to try in order: the named one, or all. Throws if no sheet has the name. */
function chooseSheets(sheets: readonly Sheet[], name: string | undefined): readonly Sheet[] {
  if (name === undefined) return sheets;
  const named = sheets.filter((sheet) => sheet.name === name);
  if (named.length > 0) return named;
  const names = sheets.slice(0, 20).map((sheet) => JSON.stringify(sheet.name));
  throw invalid(
    `The workbook has no sheet ${JSON.stringify(name)}. Its sheets are ${names.join(', ')}.`,
  );
}

/** The sheets with cells. A sheet states its own number of rows at its start. */
async function listSheets(book: Workbook & { readonly sheets: Sheet[] }) {
  const found: { name: string; rows: number | null }[] = [];
  for (const sheet of book.sheets.slice(0, sheetsListedMax)) {
    // A damaged sheet is refused when it is read, not while another one is.
    const rows = await peekSheet(book.parts, sheet).catch((error: unknown) => {
      if (error instanceof EngineError) return 'empty' as const;
      throw error;
    });
    if (rows !== 'empty') found.push({ name: sheet.name, rows });
  }
  return found;
}

/**
 * Reads a sheet, by default the visible one with the most known column names, else the first with
 * content, and passes its rows on, without empty rows, with their row numbers (from 1). Text is
 * unchanged, numbers are written in plain digits, days as yyyy-mm-dd, formulas as their last value;
 * a failed formula (#N/A) is an empty cell. Only one row and the shared strings are in memory.
 * Throws EngineError('validation_error') for a workbook that cannot be read, has no such sheet or
 * is beyond a limit, before any row is passed on, and the signal's reason.
 */
export async function readWorkbook(path: string, options: WorkbookOptions): Promise<FoundSheets> {
  const { bytesMax, onRecord, signal } = options;
  const share = createShare(options.onProgress);
  const parts = await openParts(path, signal, share.read);
  try {
    const book = await readBook(parts, async (textBytes, all) => {
      const sheet = await findFilled(parts, chooseSheets(all, options.sheet));
      // It is read twice.
      share.expect(textBytes + 2 * (sheet ? (parts.sizeOf(sheet.part) ?? 0) : 0));
    });
    const ordered = options.sheet === undefined ? await preferNamed(book) : book.sheets;
    const chosen = chooseSheets(ordered, options.sheet);
    const sheets = options.listsSheets ? await listSheets(book) : [];
    for (const sheet of chosen) {
      const notes = createSheetNotes();
      const columns = await measureSheet(book, sheet, bytesMax, notes);
      if (columns === 0) continue;
      const links = await readLinks(parts, sheet, notes);
      const kinds = linkKinds.filter((kind) => [...links.values()].some((link) => kind in link));
      options.onLinks?.(kinds);
      await handOnRows(book, sheet, columns, links, notes.merged, onRecord);
      const { formulas, firstFormula } = notes;
      return { sheet: sheet.name, sheets, formulas, firstFormula };
    }
    return { sheet: options.sheet ?? null, sheets, formulas: 0, firstFormula: '' };
  } finally {
    parts.close();
  }
}
