// Collects rows from any source into a table: header, widths, labels, warnings and first rows.
import { EngineError } from '../contract/errors.ts';
import {
  cardLinesMax,
  csvWarningsMax,
  headerRowsComparedMax,
  otherLinesShownMax,
  previewCharactersMax,
  previewRowsMax,
  tableBytesMax,
} from '../contract/limits/spreadsheet.ts';
import { type OtherLine, otherLineWords, type Reading } from '../contract/reading/reading.ts';
import { labelColumns } from './label-columns.ts';
import { collectLineNumbers, type LineNumbers } from './line-numbers.ts';
import {
  createRowSorter,
  type FindOptions,
  findTable,
  type Line,
  type RowSorter,
  type SetAside,
} from './reading/find-table.ts';
import { areBlocks, blocksMessage, turnBlocks } from './reading/read-blocks.ts';
import {
  createLinkFill,
  type LinkFill,
  type LinkKind,
  type RowLinks,
} from './reading/row-links.ts';
import { areCards, refuseCards, turnedMessage, turnTable } from './reading/turn-table.ts';
import {
  clipLine,
  createWideLines,
  extraCellsName,
  originNames,
  refuseWide,
  type WideLine,
} from './reading/wide-lines.ts';
import { createTableFiles, createTableHash } from './table-files.ts';

/** A remark for the user about a file that was read successfully. */
export interface TableWarning {
  /** Line of the file, or row of the sheet, from 1. */
  readonly line: number;
  readonly column?: string;
  readonly message: string;
}

export interface WrittenTable {
  /** The header's cells as in the file, including duplicates and empty cells. */
  readonly headers: string[];
  /** The headers for display, made unique and never empty: `Email`, `Email (2)`, `Column 3`. */
  readonly labels: string[];
  readonly rowCount: number;
  /** SHA-256 of the canonical rows (input.csv), in hex. */
  readonly sha256: string;
  /** The first rows, for a preview: at most previewRowsMax of them. */
  readonly firstRows: string[][];
  /** The lines of these rows in the file, from 1. */
  readonly firstLines: readonly number[];
  readonly lines: LineNumbers;
  readonly warnings: TableWarning[];
  /** Those of them that are about the whole file, not about its names or a row. */
  readonly about: TableWarning[];
  /** The line of the header, from 1; null if the list has none. */
  readonly headerLine: number | null;
  /** Number of lines that are no rows and were left out, and the first of them. */
  readonly otherCount: number;
  readonly otherLines: readonly OtherLine[];
  /** Number of lines with more cells than columns, and the first of them. */
  readonly wideCount: number;
  readonly wideLines: readonly WideLine[];
  readonly isSplit: boolean;
}

/** Called for each kept row: its line (from 1), its cells, and the header's. */
export type OnTableRow = (
  line: number,
  cells: readonly string[],
  headers: readonly string[],
) => void;

export interface SplitRow {
  readonly rows: readonly string[][];
  readonly message: string;
}
/** Opens a function that splits rows by what their columns are; it returns null for one person. */
export type OpenRowSplit = (
  headers: readonly string[],
  sample: readonly (readonly string[])[],
) => (cells: readonly string[]) => SplitRow | null;

/** Collects one table. Call either finish or discard at the end. */
export interface TableCollector {
  /**
   * Adds a record and its line (from 1). Refuses a record that is too
   * wide, and a table beyond its limits.
   * @param written the cells as formatRecord writes them, if the caller has this text
   */
  take(cells: string[], line: number, links?: RowLinks | undefined, written?: string): void;
  /** Announces links of the rows, before the first. */
  expectLinks(kinds: readonly LinkKind[]): void;
  /** Makes the table durable. Throws EngineError('bad_rows') without a header or rows. */
  finish(): WrittenTable;
  /** Removes all files. Not after finish. */
  discard(): void;
}

function warnOfHeader(headers: readonly string[], labels: readonly string[], line: number) {
  return headers.flatMap((header, column): TableWarning[] => {
    const label = labels[column]!;
    if (label === header.trim()) return [];
    const message = header.trim()
      ? `The header "${header.trim()}" appears more than once; this column is shown as "${label}".`
      : `The header of column ${column + 1} is empty; it is shown as "${label}".`;
    return [{ line, column: label, message }];
  });
}

/** Cells of a row without empty ones beyond the width of the header. */
function countFilled(cells: readonly string[], width: number): number {
  let filled = cells.length;
  while (filled > width && cells[filled - 1] === '') filled--;
  return filled;
}

const warnOfShortRow = (cells: number, width: number, line: number): TableWarning => ({
  line,
  message: `The row has ${cells} of ${width} cells; the rest are empty.`,
});

function padRow(cells: readonly string[], width: number): string[] {
  const row = cells.slice(0, width);
  while (row.length < width) row.push('');
  return row;
}

/** The names of the columns: of the first line, or numbered. */
function nameHeader(
  cells: readonly string[],
  isHeader: boolean,
  { extraCells, origin }: Pick<CollectOptions, 'extraCells' | 'origin'>,
): string[] {
  const names = isHeader ? [...cells] : cells.map((_cell, at) => `Column ${at + 1}`);
  if (extraCells === 'keep') names.push(extraCellsName);
  if (origin !== undefined) names.push(...originNames);
  return names;
}

/** A line of only white space is not a row, unless the table has a single column. */
function isBlankLine(cells: readonly string[], width: number): boolean {
  return width !== 1 && cells.length === 1 && cells[0]!.trim() === '';
}

export interface CollectOptions {
  /** Whether a single cell of spaces is a blank line. */
  readonly skipBlankLines: boolean;
  readonly bytesMax?: number | undefined;
  readonly onRow?: OnTableRow | undefined;
  /** How the table is found in the lines; by default the first is the header, and no other is. */
  readonly find?: FindOptions | undefined;
  /** What happens to lines between and below the rows that are no rows, if the table is found. */
  readonly otherLines?: Reading['other_lines'] | undefined;
  /** What happens to lines with too many cells; 'refuse' by default. */
  readonly extraCells?: Reading['extra_cells'] | undefined;
  /** Joins extra cells that are kept; a comma by default. */
  readonly delimiter?: string | undefined;
  /** Splits rows that hold several people; by default they stay one row. */
  readonly openSplit?: OpenRowSplit | undefined;
  /** Name of the file in the columns that say where a row is from; undefined adds none. */
  readonly origin?: string | undefined;
}

/** The cells of the columns that say where a row is from, if there are such columns. */
const originCells = (origin: string | undefined, line: number): string[] =>
  origin === undefined ? [] : [origin, String(line)];

/** The row with these cells. Most tables have none, and copy no row. */
const addOrigin = (row: string[], origin: string | undefined, line: number): string[] =>
  origin === undefined ? row : [...row, ...originCells(origin, line)];

function createPreview() {
  const rows: string[][] = [];
  const lines: number[] = [];
  let characters = 0;
  return {
    rows,
    lines,
    add(row: string[], line: number): void {
      if (rows.length >= previewRowsMax || characters > previewCharactersMax) return;
      rows.push(row);
      lines.push(line);
      for (const cell of row) characters += cell.length;
    },
  };
}

const refuseEmpty = (): EngineError =>
  new EngineError(
    'bad_rows',
    'The file is empty. Choose a file with a header line and at least one row.',
  );

const refuseHeaderOnly = (): EngineError =>
  new EngineError(
    'bad_rows',
    'The file has a header line but no rows below it. Add at least one row and try again.',
  );

/** Without a folder, rows are only passed on. Memory does not grow with the rows. */
export function collectTable(targetDir: string | null, options: CollectOptions): TableCollector {
  const { bytesMax = tableBytesMax, extraCells = 'refuse', delimiter = ',', origin } = options;
  const files =
    targetDir === null ? createTableHash(bytesMax) : createTableFiles(targetDir, bytesMax);
  const wide = createWideLines(targetDir, extraCells, bytesMax);
  const preview = createPreview();
  const lineNumbers = collectLineNumbers();
  let warnings: TableWarning[] = [];
  const about: TableWarning[] = [];
  let headers: string[] | null = null;
  let labels: string[] = [];
  let headerLine: number | null = null;
  let rowCount = 0;
  let otherCount = 0;
  const otherLines: OtherLine[] = [];
  /** Columns of the file, without the one of extra cells. */
  let width = 0;
  /** The first lines, until the header is found among them; null after that. */
  let waiting: Line[] | null = [];
  /** Whether the column names may be in the first column: the user said neither. */
  const canTurn =
    options.find !== undefined &&
    options.find.headerLine === undefined &&
    options.find.header !== 'no';
  let isOfCards = false;
  let sorter: RowSorter | null = null;
  let linkKinds: readonly LinkKind[] = [];
  let linkFill: LinkFill | null = null;
  let splitRow: ReturnType<OpenRowSplit> | null = null;
  let isSplit = false;

  function fitRow(cells: string[], line: number): string[] | null {
    const filled = countFilled(cells, width);
    if (filled > width) {
      if (extraCells === 'refuse') throw refuseWide(line, filled, width);
      wide.add(cells.slice(0, filled), width, line, originCells(origin, line));
      if (extraCells === 'leave_out') return null;
    } else if (cells.length < width && warnings.length < csvWarningsMax)
      warnings.push(warnOfShortRow(cells.length, width, line));
    const row = padRow(cells, width);
    return extraCells === 'keep' ? [...row, cells.slice(width, filled).join(delimiter)] : row;
  }

  function addRow(row: string[], line: number, written?: string): void {
    files.writeRow(row, written);
    preview.add(row, line);
    lineNumbers.note(line);
    rowCount++;
    if (headers !== null) options.onRow?.(line, row, headers);
  }

  function takeCells(
    given: string[],
    line: number,
    links: RowLinks | undefined,
    written: string | undefined,
  ): void {
    if (headers === null) return;
    const cells = linkFill ? linkFill.fill(given, links) : given;
    const isWhole = cells.length === width && extraCells !== 'keep';
    const fitted = isWhole ? cells : fitRow(cells, line);
    if (fitted === null) return;
    const row = addOrigin(fitted, origin, line);
    const people = splitRow?.(row) ?? null;
    if (people === null) {
      addRow(row, line, row === given ? written : undefined);
      return;
    }
    isSplit = true;
    if (warnings.length < csvWarningsMax) warnings.push({ line, message: people.message });
    for (const person of people.rows) addRow(person, line);
  }

  const takeRow = ({ cells, line, links, written }: Line): void =>
    takeCells(cells, line, links, written);

  function setAside({ cells, line, kind }: SetAside): void {
    otherCount++;
    wide.leaveOut(cells, width, line, originCells(origin, line), otherLineWords[kind]);
    if (otherLines.length >= otherLinesShownMax) return;
    otherLines.push({ line, kind, text: clipLine(cells.filter(Boolean).join(', ')) });
  }

  function begin(isWhole: boolean): void {
    const given = waiting ?? [];
    const isOfBlocks = isWhole && canTurn && areBlocks(given, delimiter);
    const turned = isOfBlocks
      ? turnBlocks(given, delimiter)
      : isWhole && canTurn
        ? turnTable(given)
        : null;
    const lines = turned ?? given;
    const [first] = lines;
    waiting = null;
    if (first === undefined) return;
    const { find } = options;
    const found = find
      ? findTable(lines, find)
      : { headerLine: first.line, header: first.cells, setAside: [], rows: lines.slice(1) };
    headerLine = found.headerLine;
    linkFill = linkKinds.length > 0 ? createLinkFill(found.header, linkKinds) : null;
    const names = linkFill?.header ?? found.header;
    width = names.length;
    headers = nameHeader(names, headerLine !== null, { extraCells, origin });
    labels = labelColumns(headers);
    warnings = warnOfHeader(headers, labels, headerLine ?? first.line).slice(0, csvWarningsMax);
    if (turned) about.push({ line: 1, message: isOfBlocks ? blocksMessage : turnedMessage });
    warnings.unshift(...about);
    files.writeRow(headers);
    wide.begin(headers);
    const sample = found.rows.map(({ cells }) => cells);
    splitRow = options.openSplit?.(headers, sample) ?? null;
    for (const line of found.setAside) setAside(line);
    if (find && options.otherLines !== 'keep') sorter = createRowSorter(found, takeRow, setAside);
    for (const line of found.rows) takeLine(line);
  }

  const isBlank = (cells: readonly string[]) => options.skipBlankLines && isBlankLine(cells, width);

  const takeLine = (line: Line): void => {
    if (isBlank(line.cells)) return;
    if (sorter) sorter.take(line);
    else takeRow(line);
  };

  const linesWaitingMax = options.find ? headerRowsComparedMax : 0;

  /** Waits for the end of a list with one contact after the other. */
  function beginUnlessCards(lines: readonly Line[]): void {
    if (lines.length === linesWaitingMax + 1)
      isOfCards = canTurn && (areCards(lines) || areBlocks(lines.slice(0, -1), delimiter));
    if (!isOfCards) begin(false);
    else if (lines.length > cardLinesMax) throw refuseCards();
  }

  return {
    expectLinks(kinds) {
      linkKinds = kinds;
    },
    take(cells, line, links, written) {
      if (waiting === null) {
        if (sorter?.isPlainRow(cells, line)) takeCells(cells, line, links, written);
        else takeLine({ cells, line, links, written });
        return;
      }
      if (waiting.length === 0 && isBlank(cells)) return;
      waiting.push({ cells, line, links, written });
      if (waiting.length > linesWaitingMax) beginUnlessCards(waiting);
    },
    finish() {
      if (waiting !== null) begin(true);
      sorter?.end();
      if (headers === null) throw refuseEmpty();
      if (rowCount === 0) throw wide.count() > 0 ? wide.refuseAll() : refuseHeaderOnly();
      wide.finish();
      const sha256 = files.finish();
      const found = { wideCount: wide.count(), wideLines: wide.shown, firstRows: preview.rows };
      const { rows, offsets } = lineNumbers;
      const numbers = { firstLines: preview.lines, lines: { rows, offsets } };
      const others = { otherCount, otherLines, isSplit, ...numbers };
      const said = { warnings, about, headerLine };
      return { headers, labels, rowCount, sha256, ...said, ...found, ...others };
    },
    discard() {
      wide.discard();
      files.discard();
    },
  };
}
