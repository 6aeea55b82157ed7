// Locates the rows of one status in a job, with the counters stored per batch.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

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

/**
 * The spans that contain a page of the counted rows, and how many of these rows to skip in them.
 * Whole batches are skipped, so that a page costs the same at any offset.
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
