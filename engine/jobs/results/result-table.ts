// The table of a job's result as it is exported, with or without overwrite rules.
import { crc32 } from 'node:zlib';
import { EngineError, notFound } from '../../contract/errors.ts';
import { rowStatuses } from '../../contract/jobs/job.ts';
import { readMapped } from '../../contract/jobs/row-input.ts';
import { listSources } from '../../directory/read/list-sources.ts';
import {
  listOwnLists,
  type OwnRecord,
  readOwnRecords,
  recordOfRow,
} from '../../directory/read/own-lists.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type ExportChange,
  type ExportRow,
  type ExportTable,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../../spreadsheet/export/export-table.ts';
import type { ExportEnd } from '../../spreadsheet/export-calls.ts';
import type { ExportOptions } from '../../spreadsheet/export-options.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import type { JobRow } from '../job.table.ts';
import { readColumnRules } from '../overwrite/column-rules.ts';
import { createDiffCounter, type DiffCounter } from '../overwrite/count-diff.ts';
import {
  type CellDecision,
  createRowDecider,
  type DecideRow,
} from '../overwrite/overwrite-rows.ts';
import { type DescribedRepeat, describeRepeats, notRepeated } from '../repeats/repeat-row.table.ts';
import { type ShownRow, showRow } from './hide-suppressed.ts';
import { listColumnsOfRows, type OwnColumn } from './own-columns.ts';
import { readInputs } from './read-result.ts';
import { type ResultRecord, readResults, readResultsAt } from './result.table.ts';
import {
  type Additions,
  listAddedCells,
  listAddedColumns,
  listOpenLayers,
  listRepeatColumns,
  noAdditions,
} from './result-columns.ts';
import type { ResultExport } from './result-export.ts';
import { listRowRepairs } from './row-repairs.ts';

/**
 * Rows read and written at once. Longer read transactions would keep the write-ahead log from
 * shrinking, and larger strings would be moved to the old generation of the garbage collector.
 */
export const exportStretchRows = 100;

type Stretch = readonly ShownRow<ResultRecord>[];

export interface TableSources {
  readonly database: ReadableDatabase;
  readonly directory: ReadableDatabase;
  readonly rows: RowsFile;
}

/**
 * Throws `not_found` if an export finds fewer rows than it has to write: they were deleted after it
 * began (retention/run-retention.ts), and a shorter file must not look complete.
 */
export function requireRows(found: number, wanted: number): void {
  if (found === wanted) return;
  throw notFound('The result was deleted while it was exported, because it was past its days.');
}

type RowChoice = Pick<ResultExport, 'status' | 'list'>;

function* readListed(
  { database, directory, rows }: TableSources,
  job: JobRow,
  list: Uint32Array,
): Generator<Stretch> {
  for (let first = 0; first < list.length; first += exportStretchRows) {
    const wanted = list.subarray(first, first + exportStretchRows);
    const records = readResultsAt(database, job.resultBase, wanted);
    requireRows(records.length, wanted.length);
    const hidden = readHiddenRows(database, directory);
    const inputs = readInputs(rows, records);
    yield records.map((record, at) => showRow(hidden, job, record, inputs[at] ?? []));
  }
}

/** Reads the results in stretches that have any row of a status; null: of any status. */
function* readStretches(
  sources: TableSources,
  job: JobRow,
  { status, list }: RowChoice,
): Generator<Stretch> {
  if (list) return yield* readListed(sources, job, list);
  const { database, directory, rows } = sources;
  const wanted = status === null ? null : rowStatuses.indexOf(status);
  for (let first = 0; first < job.totalRows; first += exportStretchRows) {
    const count = Math.min(exportStretchRows, job.totalRows - first);
    const all = readResults(database, { resultBase: job.resultBase, firstRow: first, count });
    requireRows(all.length, count);
    const records = all.filter((record) => wanted === null || record.status === wanted);
    if (records.length === 0) continue;
    // Read for each stretch, so that an export honours what is suppressed while it is written.
    const hidden = readHiddenRows(database, directory);
    const inputs = rows.readRange(first, count);
    yield records.map((record) =>
      showRow(hidden, job, record, inputs[record.rowIndex - first] ?? []),
    );
  }
}

/** Stretches that are searched for a repair before the caller may cancel. */
const searchedStretches = 100;

/** Reads up to the first row with repairs. Yields empty texts, so that callers may stop it. */
function* searchRepairs(stretches: Generator<Stretch>, job: JobRow): Generator<'', boolean> {
  let count = 0;
  for (const stretch of stretches) {
    const hasAny = stretch.some(
      ({ record, cells, isHidden }) =>
        !isHidden && listRowRepairs(cells, job.mapping, record).length > 0,
    );
    if (hasAny) return true;
    count += 1;
    if (count % searchedStretches === 0) yield '';
  }
  return false;
}

/** The repeats of a stretch, by row; none without columns for them. */
const readRepeats = (
  database: ReadableDatabase,
  job: JobRow,
  stretch: Stretch,
): ReadonlyMap<number, DescribedRepeat> =>
  listRepeatColumns(job).length > 0
    ? describeRepeats(
        database,
        job.resultBase,
        stretch.map(({ record }) => record.rowIndex),
      )
    : new Map();

const isChange = ({ outcome }: CellDecision): boolean =>
  outcome === 'filled' || outcome === 'replaced';

/** Sums up changed cells, so that two passes over them can be compared. */
function createChangeSum() {
  let sum = 0;
  return {
    add(row: number, { column, found }: CellDecision): void {
      sum = crc32(`${row} ${column} ${found}\n`, sum);
    },
    read: () => sum,
  };
}

/** The replaced cells of an export, in a pass of their own. */
function* readChanges(
  stretches: Generator<Stretch>,
  decide: DecideRow,
  expectedSum: number,
): Generator<readonly ExportChange[]> {
  const sum = createChangeSum();
  let row = 0;
  for (const stretch of stretches) {
    const changes: ExportChange[] = [];
    for (const { record, cells } of stretch) {
      for (const decision of decide(record, cells)) {
        if (!isChange(decision)) continue;
        sum.add(row, decision);
        changes.push({ ...decision, row });
      }
      row += 1;
    }
    yield changes;
  }
  // A person may suppress or review rows between the passes.
  if (sum.read() !== expectedSum)
    throw new EngineError('busy', 'The result was changed while it was saved. Save it again.');
}

export interface ResultTableRow extends ExportRow {
  readonly shown: ShownRow<ResultRecord>;
  /** What own lists say of the contact; undefined if none was asked, or none knows the contact. */
  readonly own: OwnRecord | undefined;
}

/** A table whose end can be read once its rows were. */
export interface ResultTable<Row extends ExportRow = ExportRow> extends ExportTable {
  rows(): Generator<readonly Row[]>;
  readEnd(): ExportEnd;
}

export interface WholeTable extends ResultTable<ResultTableRow> {
  /** The names of the columns behind the caller's, before they are told apart from the caller's. */
  readonly added: readonly string[];
  /** Rows of the list, in the order of their numbers in `list`. `readEnd` does not count them. */
  rowsAt(list: Uint32Array): Generator<readonly ResultTableRow[]>;
}

/** The own records of a stretch's contacts, by UUID. */
const readOwn = ({ directory }: TableSources, stretch: Stretch): ReadonlyMap<string, OwnRecord> =>
  readOwnRecords(
    directory,
    stretch.flatMap(({ record, isHidden }) => (isHidden ? [] : (record.contactUuid ?? []))),
  );

function createRowReader(
  sources: TableSources,
  job: JobRow,
  { status, list, overwrite, preset }: RowChoice & Pick<ResultExport, 'overwrite' | 'preset'>,
  additions: Additions | null,
) {
  const rules = overwrite ? readColumnRules(job, overwrite) : [];
  const decide = createRowDecider(job, rules, listSources(sources.directory));
  const headers = job.headers;
  const needsOwn = preset !== undefined || (additions?.own.length ?? 0) > 0;
  let counter: DiffCounter = createDiffCounter(headers, rules);
  let sum = createChangeSum();
  let row = 0;
  let suppressed = 0;
  const overwriteRow = ({ record, cells }: ShownRow<ResultRecord>) => {
    const own = headers.map((_header, at) => cells[at] ?? '');
    if (!overwrite) return { own, changed: nothingChanged };
    const decisions = decide(record, own);
    counter.add(record.rowIndex, decisions);
    const changes = decisions.filter(isChange);
    if (changes.length === 0) return { own, changed: nothingChanged };
    for (const change of changes) {
      own[change.column] = change.found;
      sum.add(row, change);
    }
    return { own, changed: changes.map(({ column }) => column) };
  };
  function* rows(): Generator<readonly ResultTableRow[]> {
    counter = createDiffCounter(headers, rules);
    sum = createChangeSum();
    row = 0;
    suppressed = 0;
    for (const stretch of readStretches(sources, job, { status, list })) {
      const repeats = additions ? readRepeats(sources.database, job, stretch) : new Map();
      const owns = needsOwn ? readOwn(sources, stretch) : noOwnRecords;
      yield stretch.map((shown) => {
        const { own: cells, changed } = overwriteRow(shown);
        row += 1;
        suppressed += shown.isHidden ? 1 : 0;
        const own = shown.isHidden
          ? undefined
          : recordOfRow(
              owns.get(shown.record.contactUuid ?? ''),
              shown.cells,
              readMapped(shown.cells, job.mapping, 'country'),
            );
        if (!additions) return { cells, changed, shown, own };
        const known = shown.isHidden ? undefined : repeats.get(shown.record.rowIndex);
        const added = listAddedCells(job, shown, known ?? notRepeated, own, additions);
        return { cells: [...cells, ...added], changed, shown, own };
      });
    }
  }
  const changes = () =>
    readChanges(readStretches(sources, job, { status, list }), decide, sum.read());
  const readEnd = (): ExportEnd => ({
    rows: row,
    diff: overwrite ? counter.read() : null,
    records: null,
    suppressed,
  });
  return { rows, changes: overwrite ? changes : null, readEnd };
}

const noOwnRecords: ReadonlyMap<string, OwnRecord> = new Map();

export const listOwnColumnsOf = (job: JobRow, directory: ReadableDatabase): OwnColumn[] =>
  listColumnsOfRows(job.mapping, listOwnLists(directory), [
    ...job.headers,
    ...listAddedColumns(job, noAdditions(job)).map(({ name }) => name),
  ]);

/** The table of a completed job. Throws `validation_error` for rules that do not fit it. */
export function* openResultTable(
  sources: TableSources,
  job: JobRow,
  command: RowChoice & Omit<ResultExport, keyof ExportOptions>,
): TableOpening<WholeTable> {
  const { overwrite, preset, columns, ownLists = false, hasSources = false } = command;
  const addsColumns = overwrite === null || overwrite.found_columns || preset !== undefined;
  // Refuses rules before the search, which may take long.
  if (overwrite) readColumnRules(job, overwrite);
  const hasRepairs =
    addsColumns && !preset && (yield* searchRepairs(readStretches(sources, job, command), job));
  const hasOwn = !preset && (ownLists || columns?.some((column) => column.startsWith('own:')));
  const own = hasOwn ? listOwnColumnsOf(job, sources.directory) : [];
  // A preset finds its fields by their place, and chosen columns may be empty ones.
  const codes = columns || preset ? job.codes : listOpenLayers(sources.database, job);
  const additions = addsColumns ? { codes, hasRepairs, own, hasSources } : null;
  const reader = createRowReader(sources, job, command, additions);
  const added = additions ? listAddedColumns(job, additions) : [];
  return {
    columns: listColumns(job.headers, added),
    added: added.map(({ name }) => name),
    ...reader,
    *rowsAt(list) {
      if (list.length > 0)
        yield* createRowReader(sources, job, { ...command, list }, additions).rows();
    },
  };
}
