// Pages of a job's results, and of the grid that shows them next to the caller's rows.
import type { GridPage, GridRow } from '../../contract/jobs/app-jobs.ts';
import {
  type ResultRow,
  type Reviewed,
  type RowStatus,
  rowStatuses,
} from '../../contract/jobs/job.ts';
import { findIdentity, readMapped } from '../../contract/jobs/row-input.ts';
import { readFieldKey } from '../../directory/normalize/field-keys.ts';
import { listSharedPhones, readOwnRecords, recordOfRow } from '../../directory/read/own-lists.ts';
import type { RouteEnvironment } from '../../http/route-deps.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { openInput } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { readHiddenRows } from '../../suppression/hidden-rows.ts';
import { getJob, type JobRow, noSuchJob } from '../job.table.ts';
import { listCorrespondences } from '../overwrite/corresponding-fields.ts';
import { presentJob } from '../present-job.ts';
import { describeRepeats } from '../repeats/repeat-row.table.ts';
import { findRecalls } from '../review/review-memory.table.ts';
import { findPicks, presentDecision } from '../review/review-pick.table.ts';
import { type ShownRow, showRow } from './hide-suppressed.ts';
import { type BatchRow, listBatchesBetween } from './job-batch.table.ts';
import { createResultWriter } from './present-result.ts';
import {
  type ResultRecord,
  readResults,
  readResultsAt,
  readResultsByStatus,
} from './result.table.ts';
import { listRowRepairs } from './row-repairs.ts';

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly status?: RowStatus | undefined;
}

type ResultEnvironment = Pick<RouteEnvironment, 'database' | 'directoryDatabase' | 'folder'>;

/** The job of an account. Throws `not_found` if it does not exist or belongs to another account. */
export function requireJob(
  environment: ResultEnvironment,
  accountId: number,
  jobId: string,
): JobRow {
  const job = getJob(environment.database, accountId, jobId);
  if (!job) throw noSuchJob();
  return job;
}

/** Number of rows that match a filter, from the job's counters. */
export const countRows = (job: JobRow, status?: RowStatus): number =>
  status === undefined ? job.processedRows : job[`${status}Rows`];

/** The batch that wrote a row. Batches are in row order. */
function findBatch(batches: readonly BatchRow[], rowIndex: number): BatchRow | undefined {
  let low = 0;
  let high = batches.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((batches[middle]?.firstRow ?? 0) <= rowIndex) low = middle;
    else high = middle - 1;
  }
  return batches[low];
}

function readRecords(
  environment: ResultEnvironment,
  job: JobRow,
  page: PageRequest,
): ResultRecord[] {
  if (page.status === undefined) {
    const count = Math.min(page.limit, Math.max(0, job.processedRows - page.offset));
    if (count === 0) return [];
    return readResults(environment.database, {
      resultBase: job.resultBase,
      firstRow: page.offset,
      count,
    });
  }
  return readResultsByStatus(environment.database, {
    jobId: job.id,
    resultBase: job.resultBase,
    status: rowStatuses.indexOf(page.status),
    offset: page.offset,
    limit: page.limit,
  });
}

function spanOf(records: readonly ResultRecord[]): { first: number; last: number } {
  let [first, last] = [records[0]?.rowIndex ?? 0, records[0]?.rowIndex ?? -1];
  for (const { rowIndex } of records) {
    first = Math.min(first, rowIndex);
    last = Math.max(last, rowIndex);
  }
  return { first, last };
}

/** Rows that are read for each wanted one before single reads are faster. */
const readPerWantedMax = 10;

/** The caller's rows of given results: one read if they are close together, otherwise one each. */
export function readInputs(rows: RowsFile, records: readonly ResultRecord[]): string[][] {
  const { first, last } = spanOf(records);
  if (last - first + 1 <= records.length * readPerWantedMax) {
    const all = rows.readRange(first, last - first + 1);
    return records.map((record) => all[record.rowIndex - first] ?? []);
  }
  return records.map((record) => rows.readRange(record.rowIndex, 1)[0] ?? []);
}

function withRows<Value>(
  environment: ResultEnvironment,
  job: JobRow,
  use: (rows: RowsFile) => Value,
): Value {
  const rows = openInput(environment.folder, job.uuid, job.totalRows);
  try {
    return use(rows);
  } finally {
    rows.close();
  }
}

/** What a span of rows may have in addition to their results: most have nothing. */
function findAdditions(
  environment: ResultEnvironment,
  { id: jobId, resultBase }: JobRow,
  { first, last }: { first: number; last: number },
) {
  return statement<Record<'picks' | 'recalls' | 'repeats', 0 | 1>>(
    environment.database,
    `SELECT EXISTS (SELECT 1 FROM review_pick
         WHERE job_id = @jobId AND row_index BETWEEN @first AND @last) AS picks,
       EXISTS (SELECT 1 FROM review_recall
         WHERE job_id = @jobId AND row_index BETWEEN @first AND @last) AS recalls,
       EXISTS (SELECT 1 FROM repeat_row
         WHERE id BETWEEN @resultBase + @first AND @resultBase + @last) AS repeats`,
  ).get({ jobId, resultBase, first, last });
}

function writeRecords(
  environment: ResultEnvironment,
  job: JobRow,
  shown: readonly ShownRow<ResultRecord>[],
): string[] {
  const records = shown.map(({ record }) => record);
  const { first, last } = spanOf(records);
  const batches = listBatchesBetween(environment.database, job.id, {
    firstRow: first,
    lastRow: Math.max(first, last),
  });
  const reference = job.mapping.client_reference_id;
  const write = createResultWriter(job);
  const indices = records.map(({ rowIndex }) => rowIndex);
  const { database } = environment;
  const has = findAdditions(environment, job, { first, last });
  const picks = has?.picks ? findPicks(database, job.id, indices) : [];
  const recalls = has?.recalls ? findRecalls(database, job.id, indices) : [];
  const repeats = has?.repeats ? describeRepeats(database, job.resultBase, indices) : null;
  // A decision in the job itself replaces a remembered one.
  const decisions = new Map<number, Reviewed>([
    ...recalls.map(
      ({ rowIndex, ...recall }) => [rowIndex, { ...recall, remembered: true }] as const,
    ),
    ...picks.map(
      (pick) => [pick.rowIndex, { ...presentDecision(pick), remembered: false }] as const,
    ),
  ]);
  const own = readOwnRecords(
    environment.directoryDatabase,
    shown.flatMap(({ record, isHidden }) => (isHidden ? [] : (record.contactUuid ?? []))),
  );
  return shown.map(({ record, cells, isHidden }) => {
    const decision = isHidden ? null : (decisions.get(record.rowIndex) ?? null);
    return write(
      record,
      reference === undefined ? '' : (cells[reference] ?? ''),
      (decision?.remembered === false && decision.decided_at) ||
        (findBatch(batches, record.rowIndex)?.at ?? job.createdAt),
      decision,
      isHidden ? undefined : repeats?.get(record.rowIndex),
      isHidden ? [] : listRowRepairs(cells, job.mapping, record),
      isHidden
        ? undefined
        : recordOfRow(
            own.get(record.contactUuid ?? ''),
            cells,
            readMapped(cells, job.mapping, 'country'),
          ),
    );
  });
}

/** One page of result rows of a finished job (GET /result/), each as JSON text of a ResultRow. */
export function readResultPage(
  environment: ResultEnvironment,
  job: JobRow,
  page: PageRequest,
): string[] {
  const records = readRecords(environment, job, page);
  if (records.length === 0) return [];
  const hidden = readHiddenRows(environment.database, environment.directoryDatabase);
  return withRows(environment, job, (rows) => {
    const inputs = readInputs(rows, records);
    const shown = records.map((record, at) => showRow(hidden, job, record, inputs[at] ?? []));
    return writeRecords(environment, job, shown);
  });
}

export interface GridRequest extends PageRequest {
  /** Row numbers of the view that the page is of; all rows of `status` if omitted. */
  readonly list?: Uint32Array | undefined;
}

/** Results of a page of the grid, and the rows of all its pages. A cancelled job has none. */
function readGridRecords(environment: ResultEnvironment, job: JobRow, page: GridRequest) {
  const { list, status, offset, limit } = page;
  const shown = job.status !== 'cancelled';
  if (list) {
    const rows = list.subarray(offset, offset + limit);
    const records = readResultsAt(environment.database, job.resultBase, rows);
    return { records: shown ? records : [], count: shown ? list.length : 0 };
  }
  const count = status === undefined ? job.totalRows : shown ? countRows(job, status) : 0;
  return { records: shown ? readRecords(environment, job, page) : [], count };
}

/** A slice of the grid, even while the job runs: rows that are not processed yet have no result. */
export function readGridPage(
  environment: ResultEnvironment,
  job: JobRow,
  page: GridRequest,
): Omit<GridPage, 'own_columns'> {
  const { records, count } = readGridRecords(environment, job, page);
  const hidden = readHiddenRows(environment.database, environment.directoryDatabase);
  const all = page.status === undefined && !page.list;
  const correspondences = listCorrespondences(job);
  const keyOf = (name: string) => readFieldKey('company_name', name);
  const rows = withRows(environment, job, (input): GridRow[] => {
    const inputs = all
      ? input.readRange(page.offset, Math.max(0, Math.min(page.limit, count - page.offset)))
      : readInputs(input, records);
    const rowsShown = inputs.map((cells, at) => showRow(hidden, job, records[at] ?? null, cells));
    const done = rowsShown.flatMap(({ record, ...row }) => (record ? [{ ...row, record }] : []));
    const results = writeRecords(environment, job, done).map(
      (text) => JSON.parse(text) as ResultRow,
    );
    const sharing = job.codes.includes('MPA')
      ? listSharedPhones(
          environment.directoryDatabase,
          results.map(({ upstream_contact_uuid: uuid }) => uuid),
        )
      : null;
    return rowsShown.map(({ cells }, at) => {
      const result = results[at] ?? null;
      const same = correspondences.flatMap(({ column, fields: [field] }) => {
        const found = result?.enriched_fields[field ?? ''] ?? '';
        const isName = found !== '' && field?.endsWith('company name');
        return isName && keyOf(found) === keyOf(cells[column] ?? '') ? column : [];
      });
      const isSharing = result?.status === 'enriched' && sharing?.has(result.upstream_contact_uuid);
      return {
        input: [...cells],
        result,
        ...(same.length > 0 && { same }),
        ...(isSharing && { shared_phone: true as const }),
      };
    });
  });
  return {
    job: presentJob(job),
    headers: [...job.headers],
    identity: findIdentity(job.mapping),
    correspondences: correspondences.map(({ column, fields, isFullName }) => ({
      column,
      fields: [...fields],
      is_full_name: isFullName,
    })),
    count,
    offset: page.offset,
    rows,
  };
}
