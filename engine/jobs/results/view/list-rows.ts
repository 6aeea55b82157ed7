// Lists the rows of a view of a finished job: their numbers, in the order of the view. Memory is
// bounded: the keys of an order are in a database of its own, which SQLite sorts on disk.
import { invalid } from '../../../contract/errors.ts';
import { reasons } from '../../../contract/jobs/job.ts';
import { layerByCode } from '../../../contract/jobs/layers.ts';
import type { ColumnMapping } from '../../../contract/jobs/row-input.ts';
import type { RowView } from '../../../contract/jobs/row-view.ts';
import { rowsListedAtOnce, sortCharactersMax } from '../../../contract/limits/jobs.ts';
import { openDirectoryReadable } from '../../../directory/open-directory.ts';
import { expandProvenance } from '../../../directory/read/provenance.ts';
import type { ReadableDatabase } from '../../../platform/sqlite/open-database.ts';
import { openScratch } from '../../../platform/sqlite/open-scratch.ts';
import { explainFullFolder } from '../../../platform/sqlite/system-refusal.ts';
import { openInput } from '../../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../../spreadsheet/read-rows.ts';
import { readHiddenRows } from '../../../suppression/hidden-rows.ts';
import type { JobRow } from '../../job.table.ts';
import { showRow } from '../hide-suppressed.ts';
import { expandInferred } from '../inferred-email.ts';
import { readFacts } from '../job-batch.table.ts';
import { type ResultRecord, readResults } from '../result.table.ts';
import { readField, readFields } from '../result-fields.ts';
import { createFactFilter } from './row-facts.ts';

const searchedInputs = [
  'first_name',
  'last_name',
  'company_name',
  'company_domain',
  'email',
] as const satisfies (keyof ColumnMapping)[];

const searchedFields = [
  'First name',
  'Last name',
  'Current company name',
  'Email',
  'New company name',
  'New email',
];

const beyondAscii = /[^\0-\x7f]/;

/** A text without case and accents. */
function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (!beyondAscii.test(lower)) return lower;
  return lower.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

type SearchedResult = Pick<ResultRecord, 'fields' | 'inferred' | 'status'>;

function listSearched(
  mapping: ColumnMapping,
  cells: readonly string[],
  record: SearchedResult,
): string {
  const columns = new Set(searchedInputs.flatMap((field) => mapping[field] ?? []));
  const own = [...columns].map((column) => cells[column] ?? '');
  const fields = record.fields === '{}' ? {} : readFields(record);
  const values = searchedFields.map((name) => fields[name] ?? '');
  const guess = record.inferred ? (expandInferred(record)?.email ?? '') : '';
  return foldText([...own, ...values, guess].join('\n'));
}

function createRowSearch(
  search: string,
  mapping: ColumnMapping,
): (cells: readonly string[], record: SearchedResult) => boolean {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  // A word without these signs is in the stored text of the fields as it is.
  const plain = words.every((word) => !/["\\]/.test(word));
  const columns = [...new Set(searchedInputs.flatMap((field) => mapping[field] ?? []))];
  return (cells, record) => {
    // Most rows are decided here, without parsing the fields.
    const own = columns.map((column) => cells[column] ?? '').join('\n');
    const stored = foldText(`${own}\n${record.fields}\n${record.inferred ?? ''}`);
    if (plain && !words.every((word) => stored.includes(word))) return false;
    const text = listSearched(mapping, cells, record);
    return words.every((word) => text.includes(word));
  };
}

type ReadSortValue = (cells: readonly string[], record: ResultRecord) => string;

/** The reader of a view's `sort`. Throws `validation_error` for a column that the job lacks. */
function createSortReader(
  job: Pick<JobRow, 'headers' | 'codes' | 'inferEmails'>,
  sort: string,
): ReadSortValue {
  const [kind, name = ''] = sort.split(/:(.*)/s);
  const refuse = () => invalid(`sort: this job has no column ${JSON.stringify(sort)}.`);
  if (sort === 'reason') return (_cells, record) => reasons[record.reason] ?? '';
  if (sort === 'guess' && job.inferEmails)
    return (_cells, record) => expandInferred(record)?.email ?? '';
  if (kind === 'input') {
    const column = /^\d+$/.test(name) ? Number(name) : job.headers.length;
    if (column >= job.headers.length) throw refuse();
    return (cells) => cells[column] ?? '';
  }
  const fields: readonly string[] = job.codes.flatMap((code) => layerByCode[code].fields);
  if (kind !== 'found' || !fields.includes(name)) throw refuse();
  return (_cells, record) => (record.fields === '{}' ? '' : readField(record, name));
}

const plainNumber = /^[+-]?\d+(\.\d+)?$/;

/** What is compared, in this order: 0 number, 1 text, 2 empty; the number; the folded text. */
type SortKey = readonly [kind: 0 | 1 | 2, number: number, text: string];

function sortKeyOf(value: string): SortKey {
  const text = value.trim();
  if (text === '') return [2, 0, ''];
  if (text.length < 16 && plainNumber.test(text)) return [0, Number(text), ''];
  return [1, 0, foldText(text.slice(0, sortCharactersMax))];
}

/** A result, as far as its origin is read. */
type SourcedResult = Pick<ResultRecord, 'fields' | 'provenance'>;

/** Names that JSON writes as they are. */
const plain = /^[^"\\\p{Cc}]*$/u;

function createOriginFilter(origin: string): (record: SourcedResult) => boolean {
  const written = plain.test(origin) ? `"${origin}"` : '"';
  return ({ fields, provenance }) => {
    // Most rows are decided here, without parsing.
    if (fields === '{}' || !provenance?.includes(written)) return false;
    const names = Object.keys(readFields({ fields }));
    return Object.values(expandProvenance(provenance, names)).some(
      ({ source }) => source === origin,
    );
  };
}

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
  } catch (error) {
    throw explainFullFolder(error, '');
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
