/**
 * Lists the rows of a view of a finished job: their numbers, in the order of the view. Memory is
 * bounded: the keys of an order are in a database of its own, which SQLite sorts on disk.
 */

import type { RowView } from '../../../contract/jobs/row-view.ts';
import { rowsListedAtOnce } from '../../../contract/limits/jobs.ts';
import { openDirectoryReadable } from '../../../directory/open-directory.ts';
import type { ReadableDatabase } from '../../../platform/sqlite/open-database.ts';
import { openScratch } from '../../../platform/sqlite/open-scratch.ts';
import { openInput } from '../../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../../spreadsheet/read-rows.ts';
import { readHiddenRows } from '../../../suppression/hidden-rows.ts';
import type { JobRow } from '../../job.table.ts';
import { showRow } from '../hide-suppressed.ts';
import { readFacts } from '../job-batch.table.ts';
import { readResults } from '../result.table.ts';
import { createFactFilter } from './row-facts.ts';
import { createOriginFilter } from './row-origin.ts';
import { createRowSearch } from './search-rows.ts';
import { createSortReader, type SortKey, sortKeyOf } from './sort-key.ts';

/** Row numbers that grow as they are found. */
function createRowNumbers() {
  let rows = new Uint32Array(1024);
  let count = 0;
  return {
    add(row: number) {
      if (count === rows.length) {
        const larger = new Uint32Array(2 * rows.length);
        larger.set(rows);
        rows = larger;
      }
      rows[count] = row;
      count += 1;
    },
    read: () => rows.slice(0, count),
  };
}

/** The rows that pass the filters of a view that facts decide, in the order of the list. */
export function filterRows(database: ReadableDatabase, jobId: number, view: RowView): Uint32Array {
  const passes = createFactFilter(view);
  const rows = createRowNumbers();
  let row = 0;
  for (const facts of readFacts(database, jobId))
    for (const fact of facts) {
      if (passes(fact)) rows.add(row);
      row += 1;
    }
  return rows.read();
}

/** The keys of an order, in a database of their own. */
function openSort(direction: 'asc' | 'desc') {
  const scratch = openScratch();
  scratch.exec('CREATE TABLE sorted (kind INTEGER, number REAL, text TEXT, row INTEGER)');
  scratch.exec('BEGIN');
  const order = direction === 'desc' ? 'DESC' : 'ASC';
  // Many keys at once take half the time of single ones.
  const insertOf = (rows: number) => ({
    values: 4 * rows,
    statement: scratch.prepare(
      `INSERT INTO sorted VALUES ${Array(rows).fill('(?, ?, ?, ?)').join(', ')}`,
    ),
  });
  const [insertMany, insertOne] = [insertOf(50), insertOf(1)];
  let waiting: unknown[] = [];
  const insert = (one: typeof insertOne) => {
    one.statement.run(waiting.slice(0, one.values));
    waiting = waiting.slice(one.values);
  };
  return {
    add(key: SortKey, row: number) {
      waiting.push(...key, row);
      if (waiting.length === insertMany.values) insert(insertMany);
    },
    read() {
      for (; waiting.length > 0; ) insert(insertOne);
      const rows = createRowNumbers();
      // Empty values are last in both directions, and equal ones keep the order of the list.
      const ordered = scratch.prepare<[], number>(
        `SELECT row FROM sorted
         ORDER BY kind = 2, kind ${order}, number ${order}, text ${order}, row`,
      );
      for (const row of ordered.pluck().iterate()) rows.add(row);
      return rows.read();
    },
    close: () => scratch.close(),
  };
}

/** What the rows are read from. */
interface ListSources {
  readonly database: ReadableDatabase;
  readonly directory: ReadableDatabase;
  readonly input: RowsFile;
}

/**
 * Lists the rows of a view. Yields after each stretch of rows, so that the caller may stop. A row
 * that is suppressed has no values to be found or ordered by.
 */
function* listRows(
  { database, directory, input }: ListSources,
  job: JobRow,
  view: RowView,
): Generator<void, Uint32Array> {
  const candidates = filterRows(database, job.id, view);
  const readValue = view.sort === undefined ? null : createSortReader(job, view.sort);
  const finds = view.search ? createRowSearch(view.search, job.mapping) : null;
  const isFrom = view.origin === undefined ? null : createOriginFilter(view.origin);
  const hidden = readHiddenRows(database, directory);
  const found = createRowNumbers();
  const sort = readValue && openSort(view.direction ?? 'asc');
  const { resultBase, totalRows } = job;
  try {
    for (let at = 0; at < candidates.length; ) {
      const firstRow = candidates[at] ?? 0;
      const count = Math.min(rowsListedAtOnce, totalRows - firstRow);
      const records = readResults(database, { resultBase, firstRow, count });
      const cells = input.readRange(firstRow, count);
      const endRow = firstRow + count;
      for (; at < candidates.length && (candidates[at] ?? 0) < endRow; at += 1) {
        const row = candidates[at] ?? 0;
        const record = records[row - firstRow];
        if (!record) continue;
        const shown = showRow(hidden, job, record, cells[row - firstRow] ?? []);
        if (isFrom && !isFrom(shown.record)) continue;
        if (finds && !finds(shown.cells, shown.record)) continue;
        if (sort && readValue) sort.add(sortKeyOf(readValue(shown.cells, shown.record)), row);
        else found.add(row);
      }
      yield;
    }
    return sort ? sort.read() : found.read();
  } finally {
    sort?.close();
  }
}

/**
 * Lists the rows of a view of a completed job, and closes what it reads. Yields after each stretch
 * of rows, so that the caller may stop. Throws `validation_error` for a column that the job does
 * not have.
 */
export function* openRowList(
  database: ReadableDatabase,
  folder: string,
  job: JobRow,
  view: RowView,
): Generator<void, Uint32Array> {
  const input = openInput(folder, job.uuid, job.totalRows);
  const directory = openDirectoryReadable(folder);
  try {
    return yield* listRows({ database, directory, input }, job, view);
  } finally {
    directory.close();
    input.close();
  }
}
