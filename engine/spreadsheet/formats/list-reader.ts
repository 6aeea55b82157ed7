// What every reader of a format takes and gives, and the limits that all share.
import { EngineError, invalid } from '../../contract/errors.ts';
import {
  csvColumnsMax,
  headerLinesMax,
  sheetsListedMax,
  workbookCellsMax,
} from '../../contract/limits/spreadsheet.ts';
import type { Encoding } from '../../contract/reading/encodings.ts';
import type { TableCollector } from '../collect-table.ts';
import { countKnown } from '../reading/find-table.ts';
import type { FoundSheets } from '../workbook/read-workbook.ts';
import { checkCell } from '../write-rows-table.ts';

export interface ListSource {
  readonly path: string;
  /** Size of the file in bytes. */
  readonly bytes: number;
  readonly encoding: Encoding;
  /** The table that the user chose, if the file has several. */
  readonly sheet: string | undefined;
  readonly listsSheets: boolean;
  /** Limit of the size of the rows as CSV, in bytes. */
  readonly tableBytesMax: number;
  readonly signal: AbortSignal | undefined;
  /** Called with the share of the file that was read, 0 to 1. */
  readonly onProgress: (share: number) => void;
}

export type ListSink = Pick<TableCollector, 'take' | 'expectLinks'>;

/**
 * Reads a file and passes its rows on with their numbers, from 1. Throws
 * EngineError('validation_error') for a file that is damaged or beyond a limit, and the signal's
 * reason.
 */
export type ListReader = (source: ListSource, sink: ListSink) => Promise<FoundSheets>;

/** A file without sheets. */
export const noSheets: FoundSheets = { sheet: null, sheets: [], formulas: 0, firstFormula: '' };

/** Refuses a file. `what` is a sentence. */
export const refuseFile = (
  what: string,
  remedy = 'Export the list from its source again, as CSV or .xlsx.',
  cause?: unknown,
): EngineError => new EngineError('validation_error', `${what} ${remedy}`, { cause });

/** Checks the cells of rows that are no text of a CSV, and their number. */
export function createRowCheck(): (cells: readonly string[], row: number) => void {
  let count = 0;
  return (cells, row) => {
    count += cells.length;
    if (cells.length > csvColumnsMax)
      throw refuseFile(
        `Row ${row} has more than ${csvColumnsMax.toLocaleString('en-US')} columns.`,
      );
    if (count > workbookCellsMax)
      throw refuseFile(
        `The table has more than ${workbookCellsMax.toLocaleString('en-US')} cells.`,
      );
    for (const [at, cell] of cells.entries())
      if (cell.length > 32_767 || cell.includes('\0') || !cell.isWellFormed())
        checkCell(cell, `Row ${row}, column ${at + 1}`);
  };
}

export interface TableEvents {
  open(name: string): void;
  row(cells: string[], row: number): void;
  formula(cell: string): void;
  close(about: { readonly isHidden: boolean }): void;
}

interface TableFacts {
  readonly name: string;
  rows: number;
  known: number;
  isHidden: boolean;
}

async function surveyTables(scan: (events: TableEvents) => Promise<void>): Promise<TableFacts[]> {
  const tables: TableFacts[] = [];
  await scan({
    open(name) {
      tables.push({ name, rows: 0, known: 0, isHidden: false });
    },
    row(cells) {
      const table = tables.at(-1);
      if (table === undefined) return;
      table.rows++;
      if (table.rows <= headerLinesMax) table.known = Math.max(table.known, countKnown(cells));
    },
    formula: () => undefined,
    close({ isHidden }) {
      const table = tables.at(-1);
      if (table !== undefined) table.isHidden = isHidden;
    },
  });
  return tables;
}

function chooseTable(tables: readonly TableFacts[], name: string | undefined): TableFacts | null {
  const filled = tables.filter(({ rows }) => rows > 0);
  if (name === undefined) {
    const visible = filled.filter(({ isHidden }) => !isHidden);
    const [best = null] = [...visible].sort((one, other) => other.known - one.known);
    return best !== null && best.known > 1 ? best : (visible[0] ?? filled[0] ?? null);
  }
  const named = tables.find((table) => table.name === name);
  if (named !== undefined) return named;
  const names = tables.slice(0, 20).map((table) => JSON.stringify(table.name));
  throw invalid(
    `The file has no sheet ${JSON.stringify(name)}. Its sheets are ${names.join(', ')}.`,
  );
}

/**
 * Reads one table of a file with several: the named one, else the visible one with the most known
 * column names, else the first with rows. The file is read twice.
 * @param whatIfEmpty the sentence about a file without rows
 */
export async function readOneTable(
  { sheet, listsSheets }: ListSource,
  { take }: ListSink,
  whatIfEmpty: string,
  scan: (events: TableEvents) => Promise<void>,
): Promise<FoundSheets> {
  const tables = await surveyTables(scan);
  const chosen = chooseTable(tables, sheet);
  if (chosen === null) throw refuseFile(whatIfEmpty);
  const check = createRowCheck();
  let at = -1;
  let formulas = 0;
  let firstFormula = '';
  const isChosen = () => tables[at] === chosen;
  await scan({
    open: () => {
      at++;
    },
    row(cells, row) {
      if (!isChosen()) return;
      check(cells, row);
      take(cells, row);
    },
    formula(cell) {
      if (!isChosen()) return;
      if (formulas === 0) firstFormula = cell;
      formulas++;
    },
    close: () => undefined,
  });
  const sheets = tables
    .filter(({ rows }) => listsSheets && rows > 0)
    .slice(0, sheetsListedMax)
    .map(({ name, rows }) => ({ name, rows }));
  return { sheet: chosen?.name ?? null, sheets, formulas, firstFormula };
}
