/** The table of a job's result as it is exported, with or without overwrite rules. */
import { crc32 } from 'node:zlib';
import { EngineError } from '../../contract/errors.ts';
import type { OverwriteDiff } from '../../contract/exports/overwrite.ts';
import { rowStatuses } from '../../contract/jobs/job.ts';
import { listSources } from '../../directory/read/list-sources.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import {
  type ExportChange,
  type ExportRow,
  type ExportTable,
  listColumns,
  nothingChanged,
  type TableOpening,
} from '../../spreadsheet/export/export-table.ts';
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
import { readInputs } from './read-result.ts';
import { type ResultRecord, readResults, readResultsAt } from './result.table.ts';
import { listAddedCells, listAddedColumns, listRepeatColumns } from './result-columns.ts';
import type { ResultExport } from './result-export.ts';
import { listRowRepairs } from './row-repairs.ts';

/**
 * Rows read and written at once. Longer read transactions would keep the write-ahead log from
 * shrinking, and larger strings would be moved to the old generation of the garbage collector.
 */
export const exportStretchRows = 100;

/** A stretch of a job's results with the caller's rows. */
type Stretch = readonly ShownRow<ResultRecord>[];

/** What a table is read from. */
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
  throw new EngineError(
    'not_found',
    'The result was deleted while it was exported, because it was past its days.',
  );
}

/** Which rows are exported. */
type RowChoice = Pick<ResultExport, 'status' | 'list'>;

/** Reads listed results in stretches, in the order of the list. */
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

/**
 * Whether any row of the export has repairs: reads up to the first of them. Yields empty texts, so
 * that the caller may stop a long search.
 */
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

/** A table whose diff can be read once its rows were. */
export interface ResultTable extends ExportTable {
  /** What the rules changed in the rows that were read; null without rules. */
  readDiff(): OverwriteDiff | null;
}

/** The rows of a table, and their diff. */
function createRowReader(
  sources: TableSources,
  job: JobRow,
  { status, list, overwrite }: RowChoice & Pick<ResultExport, 'overwrite'>,
  hasRepairs: boolean,
) {
  const rules = overwrite ? readColumnRules(job, overwrite) : [];
  const decide = createRowDecider(job, rules, listSources(sources.directory));
  const addsColumns = overwrite === null || overwrite.found_columns;
  const headers = job.headers;
  let counter: DiffCounter = createDiffCounter(headers, rules);
  let sum = createChangeSum();
  const overwriteRow = (row: number, { record, cells }: ShownRow<ResultRecord>) => {
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
  function* rows(): Generator<readonly ExportRow[]> {
    counter = createDiffCounter(headers, rules);
    sum = createChangeSum();
    let row = 0;
    for (const stretch of readStretches(sources, job, { status, list })) {
      const repeats = addsColumns ? readRepeats(sources.database, job, stretch) : new Map();
      yield stretch.map((shown) => {
        const { own, changed } = overwriteRow(row, shown);
        row += 1;
        if (!addsColumns) return { cells: own, changed };
        const known = shown.isHidden ? undefined : repeats.get(shown.record.rowIndex);
        const added = listAddedCells(job, shown, known ?? notRepeated, hasRepairs);
        return { cells: [...own, ...added], changed };
      });
    }
  }
  const changes = () =>
    readChanges(readStretches(sources, job, { status, list }), decide, sum.read());
  return { rows, changes: overwrite ? changes : null, readDiff: () => counter.read() };
}

/**
 * Opens the table of a completed job. Throws `validation_error` for rules that do not fit the job.
 */
export function* openResultTable(
  sources: TableSources,
  job: JobRow,
  command: RowChoice & Pick<ResultExport, 'overwrite'>,
): TableOpening<ResultTable> {
  const { overwrite } = command;
  const addsColumns = overwrite === null || overwrite.found_columns;
  // Refuses rules before the search, which may take long.
  if (overwrite) readColumnRules(job, overwrite);
  const hasRepairs =
    addsColumns && (yield* searchRepairs(readStretches(sources, job, command), job));
  const { rows, changes, readDiff } = createRowReader(sources, job, command, hasRepairs);
  return {
    columns: listColumns(job.headers, addsColumns ? listAddedColumns(job, hasRepairs) : []),
    rows,
    changes,
    readDiff: () => (overwrite ? readDiff() : null),
  };
}
