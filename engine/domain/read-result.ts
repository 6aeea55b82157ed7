/** Pages of a job's results, and of the grid that shows them beside the caller's rows. */
import type { GridPage, GridRow } from '../contract/app.ts';
import { EngineError } from '../contract/errors.ts';
import { type ResultRow, type RowStatus, rowStatuses } from '../contract/job.ts';
import type { RowsFile } from '../csv/read-rows.ts';
import { getJob, type JobRow } from '../store/job.ts';
import { type BatchRow, listBatchesBetween } from '../store/job-batch.ts';
import { type ResultRecord, readResults, readResultsByStatus } from '../store/result.ts';
import { describeJob } from './describe-job.ts';
import { createResultWriter } from './describe-result.ts';
import { openInput } from './job-folder.ts';
import type { World } from './world.ts';

/** A page: where it begins, how long it is, and which rows count. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly status?: RowStatus | undefined;
}

/** What of a world results are read from. */
type ResultWorld = Pick<World, 'database' | 'folder'>;

/** The job of an account. Throws `not_found` for an unknown one and for those of other accounts. */
export function requireJob(world: ResultWorld, accountId: number, jobId: string): JobRow {
  const job = getJob(world.database, accountId, jobId);
  if (!job) throw new EngineError('not_found', 'There is no such job. List yours with GET /jobs/.');
  return job;
}

/** Rows that a filter leaves, from the job's counters. */
export const countRows = (job: JobRow, status?: RowStatus): number =>
  status === undefined ? job.processedRows : job[`${status}Rows`];

/** The batch that a row was written in. Batches are in the order of their rows. */
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

/** Stored results of a page, in the order of the rows. */
function readRecords(world: ResultWorld, job: JobRow, page: PageRequest): ResultRecord[] {
  if (page.status === undefined) {
    const count = Math.min(page.limit, Math.max(0, job.processedRows - page.offset));
    if (count === 0) return [];
    return readResults(world.database, {
      resultBase: job.resultBase,
      firstRow: page.offset,
      count,
    });
  }
  return readResultsByStatus(world.database, {
    jobId: job.id,
    resultBase: job.resultBase,
    status: rowStatuses.indexOf(page.status),
    offset: page.offset,
    limit: page.limit,
  });
}

/** The caller's rows for given results: one read where they stand together, else one each. */
export function readInputs(rows: RowsFile, records: readonly ResultRecord[]): string[][] {
  const first = records[0]?.rowIndex ?? 0;
  const last = records.at(-1)?.rowIndex ?? -1;
  if (last - first + 1 <= records.length * 4) {
    const all = rows.readRange(first, last - first + 1);
    return records.map((record) => all[record.rowIndex - first] ?? []);
  }
  return records.map((record) => rows.readRange(record.rowIndex, 1)[0] ?? []);
}

function withRows<Value>(world: ResultWorld, job: JobRow, use: (rows: RowsFile) => Value): Value {
  const rows = openInput(world.folder, job.uuid, job.totalRows);
  try {
    return use(rows);
  } finally {
    rows.close();
  }
}

/** The records as JSON texts of result rows. */
function writeRecords(
  world: ResultWorld,
  job: JobRow,
  records: readonly ResultRecord[],
  inputs: readonly string[][],
): string[] {
  const rows = { firstRow: records[0]?.rowIndex ?? 0, lastRow: records.at(-1)?.rowIndex ?? 0 };
  const batches = listBatchesBetween(world.database, job.id, rows);
  const reference = job.mapping.client_reference_id;
  const write = createResultWriter(job);
  return records.map((record, at) =>
    write(
      record,
      reference === undefined ? '' : (inputs[at]?.[reference] ?? ''),
      findBatch(batches, record.rowIndex)?.at ?? job.createdAt,
    ),
  );
}

/** One page of result rows of a finished job (GET /result/): each the JSON text of a ResultRow. */
export function readResultPage(world: ResultWorld, job: JobRow, page: PageRequest): string[] {
  const records = readRecords(world, job, page);
  if (records.length === 0) return [];
  if (job.mapping.client_reference_id === undefined) return writeRecords(world, job, records, []);
  return withRows(world, job, (rows) =>
    writeRecords(world, job, records, readInputs(rows, records)),
  );
}

/** A slice of the grid, also while the job runs: rows not yet reached have no result. */
export function readGridPage(world: ResultWorld, job: JobRow, page: PageRequest): GridPage {
  const shown = job.status !== 'cancelled';
  const records = shown ? readRecords(world, job, page) : [];
  const all = page.status === undefined;
  const count = all ? job.totalRows : shown ? countRows(job, page.status) : 0;
  const rows = withRows(world, job, (input): GridRow[] => {
    const inputs = all
      ? input.readRange(page.offset, Math.max(0, Math.min(page.limit, count - page.offset)))
      : readInputs(input, records);
    const texts = writeRecords(world, job, records, inputs);
    const results = texts.map((text) => JSON.parse(text) as ResultRow);
    return inputs.map((cells, at) => ({ input: cells, result: results[at] ?? null }));
  });
  return { job: describeJob(job), headers: [...job.headers], count, offset: page.offset, rows };
}
