// Where the rows of one status lie in a job, by the counters that were kept with each batch.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** Neighbouring rows, endRow not included, of batches that all hold some of the wanted status. */
export interface RowSpan {
  firstRow: number;
  endRow: number;
}

/** The counters of batches: a table and one of its columns, each a constant of the code. */
export interface BatchCounter {
  readonly table: 'job_batch' | 'monitor_batch';
  readonly column: string;
}

/**
 * The spans that hold a page of the counted rows, and how many of these to skip in them. Whole
 * batches are passed over, so that a page costs the same at any offset.
 * @param page offset and limit count rows of that status
 */
export function findSpans(
  database: ReadableDatabase,
  { table, column }: BatchCounter,
  page: { jobId: number; offset: number; limit: number },
): { spans: RowSpan[]; skipCount: number } {
  const batches = statement<{ firstRow: number; endRow: number; before: number }>(
    database,
    `SELECT firstRow, endRow, through - own AS before FROM (
       SELECT first_row AS firstRow, first_row + row_count AS endRow, ${column} AS own,
         sum(${column}) OVER (ORDER BY first_row ROWS UNBOUNDED PRECEDING) AS through
       FROM ${table} WHERE job_id = ?)
     WHERE own > 0 AND through > ? AND through - own < ? ORDER BY firstRow`,
  ).all(page.jobId, page.offset, page.offset + page.limit);
  const spans: RowSpan[] = [];
  for (const { firstRow, endRow } of batches) {
    const last = spans.at(-1);
    if (last?.endRow === firstRow) last.endRow = endRow;
    else spans.push({ firstRow, endRow });
  }
  return { spans, skipCount: page.offset - (batches[0]?.before ?? 0) };
}
