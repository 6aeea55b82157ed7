// The table `result`: what became of each row of each job, read by ranges of ids alone.
import { rowStatuses } from '../contract/job.ts';
import { batchRowsMax } from '../contract/limits.ts';
import type { ReadableDatabase, WritableDatabase } from '../sqlite/open.ts';
import { statement } from '../sqlite/statement.ts';

/** One row's result as it is kept: codes, bits and JSON texts, explained by contract/job.ts. */
export interface ResultRecord {
  readonly rowIndex: number;
  /** Code of rowStatuses. */
  readonly status: number;
  /** Code of reasons. */
  readonly reason: number;
  /** '' where nobody was matched. */
  readonly contactUuid: string;
  /** Two bits for each of layerCodes, from the lowest: code of layerStatuses. */
  readonly layerBits: number;
  /** JSON object, display name → value or null. */
  readonly fields: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Bits of matchFields. */
  readonly matchedOn: number;
  /** Compact JSON; the directory's projection expands it. */
  readonly candidates: string | null;
  readonly provenance: string | null;
  readonly error: string | null;
}

/** How many rows of a range share a status and the outcome of every layer. */
export interface ResultGroup {
  readonly status: number;
  readonly layerBits: number;
  readonly count: number;
}

const selectRecord = `
  SELECT id - ? AS rowIndex, status, reason, ifnull(contact_uuid, '') AS contactUuid,
    layer_bits AS layerBits, ifnull(fields, '{}') AS fields, ifnull(confidence, 0) AS confidence,
    matched_on AS matchedOn, candidates, provenance, error
  FROM result`;

/**
 * Writes the rows that a query yields; the number written.
 * @param selectSql no parameters, built of constants; its columns are row_index, status, reason,
 *   contact_uuid, layer_bits, fields, confidence, matched_on, candidates and provenance
 * Throws a SqliteError where a row has a result already.
 */
export const insertResults = (
  database: WritableDatabase,
  resultBase: number,
  selectSql: string,
): number =>
  statement(
    database,
    `INSERT INTO result (id, status, reason, contact_uuid, layer_bits, fields, confidence,
       matched_on, candidates, provenance)
     SELECT ? + row_index, status, reason, contact_uuid, layer_bits, fields, confidence,
       matched_on, candidates, provenance
     FROM (${selectSql})`,
  ).run(resultBase).changes;

/** Counts the results from firstId to lastId, both included, by status and layer bits. */
export const summarizeRange = (
  database: ReadableDatabase,
  firstId: number,
  lastId: number,
): ResultGroup[] =>
  statement<ResultGroup>(
    database,
    `SELECT status, layer_bits AS layerBits, count(*) AS count FROM result
     WHERE id BETWEEN ? AND ? GROUP BY status, layer_bits`,
  ).all(firstId, lastId);

/**
 * The results of rows firstRow to firstRow + count - 1, in order; rows not yet done are left out.
 * The caller keeps within the job's rows: the ids that follow are the next job's.
 */
export const readResults = (
  database: ReadableDatabase,
  page: { resultBase: number; firstRow: number; count: number },
): ResultRecord[] => {
  const firstId = page.resultBase + page.firstRow;
  return statement<ResultRecord>(
    database,
    `${selectRecord} WHERE id >= ? AND id < ? ORDER BY id`,
  ).all(page.resultBase, firstId, firstId + page.count);
};

/** Neighbouring rows, endRow not included, of batches that all hold some of the wanted status. */
interface RowSpan {
  firstRow: number;
  endRow: number;
}

/** Where the wanted rows lie, by the batches' counters: the spans, and how many to skip in them. */
function findSpans(
  database: ReadableDatabase,
  page: { jobId: number; status: number; offset: number; limit: number },
): { spans: RowSpan[]; skipCount: number } {
  // rowStatuses are the names of the counters; anything else is no status and has no rows.
  const counter = rowStatuses[page.status];
  if (!counter) return { spans: [], skipCount: 0 };
  const batches = statement<{ firstRow: number; endRow: number; before: number }>(
    database,
    `SELECT firstRow, endRow, through - own AS before FROM (
       SELECT first_row AS firstRow, first_row + row_count AS endRow, ${counter} AS own,
         sum(${counter}) OVER (ORDER BY first_row ROWS UNBOUNDED PRECEDING) AS through
       FROM job_batch WHERE job_id = ?)
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

/**
 * A page of a job's results of one status, in the order of its rows. Whole batches are passed
 * over by their counters, so that a page costs the same at any offset.
 * @param page status: code of rowStatuses; offset and limit count rows of that status
 */
export function readResultsByStatus(
  database: ReadableDatabase,
  page: { jobId: number; resultBase: number; status: number; offset: number; limit: number },
): ResultRecord[] {
  const { spans, skipCount } = findSpans(database, page);
  const records: ResultRecord[] = [];
  for (const { firstRow, endRow } of spans) {
    // OFFSET reads what it skips: here never more than the first batch. The status is one that
    // findSpans knows; only as a literal does it let SQLite see the index of failed rows.
    const found = statement<ResultRecord>(
      database,
      `${selectRecord} WHERE id >= ? AND id < ? AND status = ${page.status}
       ORDER BY id LIMIT ? OFFSET ?`,
    ).all(
      page.resultBase,
      page.resultBase + firstRow,
      page.resultBase + endRow,
      page.limit - records.length,
      records.length ? 0 : skipCount,
    );
    records.push(...found);
  }
  return records;
}

/**
 * Deletes the results from firstRow to the job's last row; the number deleted. Each statement
 * deletes at most a batch, so that no transaction grows with the job.
 */
export function deleteResults(
  database: WritableDatabase,
  resultBase: number,
  firstRow: number,
  totalRows: number,
): number {
  let deleted = 0;
  for (let row = firstRow; row < totalRows; row += batchRowsMax) {
    const endRow = Math.min(row + batchRowsMax, totalRows);
    deleted += statement(database, 'DELETE FROM result WHERE id >= ? AND id < ?').run(
      resultBase + row,
      resultBase + endRow,
    ).changes;
  }
  return deleted;
}
