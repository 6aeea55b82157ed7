// Locates the rows of one status in a job, with the counters stored per batch.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { rememberUntilCommit, statement } from '../../platform/sqlite/statement.ts';

/** Adjacent rows (endRow is exclusive) of batches that each contain rows of the wanted status. */
export interface RowSpan {
  firstRow: number;
  endRow: number;
}

/** A counter of batches: a table and one of its columns, both constants of the code. */
export interface BatchCounter {
  readonly table: 'job_batch' | 'monitor_batch';
  readonly column: string;
}

interface CountedBatches {
  readonly firstRows: Uint32Array;
  readonly endRows: Uint32Array;
  /** Counted rows up to the end of each batch. */
  readonly through: Uint32Array;
}

function countBatches(
  database: ReadableDatabase,
  { table, column }: BatchCounter,
  jobId: number,
): CountedBatches {
  const batches = statement<{ firstRow: number; rowCount: number; own: number }>(
    database,
    `SELECT first_row AS firstRow, row_count AS rowCount, ${column} AS own
     FROM ${table} WHERE job_id = ? AND ${column} > 0 ORDER BY first_row`,
  ).all(jobId);
  let sum = 0;
  return {
    firstRows: Uint32Array.from(batches, ({ firstRow }) => firstRow),
    endRows: Uint32Array.from(batches, ({ firstRow, rowCount }) => firstRow + rowCount),
    through: Uint32Array.from(batches, ({ own }) => (sum += own)),
  };
}

function findBatch({ through }: CountedBatches, count: number): number {
  let [low, high] = [0, through.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (through[middle]! > count) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The spans that contain a page of the counted rows, and how many of these rows to skip in them.
 * Whole batches are skipped, so that a page costs the same at any offset.
 * @param page offset and limit count rows of that status
 */
export function findSpans(
  database: ReadableDatabase,
  counter: BatchCounter,
  page: { jobId: number; offset: number; limit: number },
): { spans: RowSpan[]; skipCount: number } {
  const key = `${counter.table} ${counter.column} ${page.jobId}`;
  // Adding them up would take most of the time of a page.
  const batches = rememberUntilCommit(database, key, () =>
    countBatches(database, counter, page.jobId),
  );
  const { firstRows, endRows, through } = batches;
  const first = findBatch(batches, page.offset);
  const before = (at: number): number => through[at - 1] ?? 0;
  const spans: RowSpan[] = [];
  for (let at = first; at < through.length && before(at) < page.offset + page.limit; at++) {
    const [firstRow, endRow] = [firstRows[at]!, endRows[at]!];
    const last = spans.at(-1);
    if (last?.endRow === firstRow) last.endRow = endRow;
    else spans.push({ firstRow, endRow });
  }
  return { spans, skipCount: page.offset - (spans.length > 0 ? before(first) : 0) };
}
