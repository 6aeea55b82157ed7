// The table `result`: the outcome of each row of each job. Read only by ranges of ids.
import { rowStatuses } from '../../contract/jobs/job.ts';
import { batchRowsMax } from '../../contract/limits/jobs.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { SharedResult } from '../../shared/records/describe-results.ts';
import { passParts } from './batch-parts.ts';
import { findSpans } from './batch-spans.ts';
import { readParts } from './job-batch.table.ts';
import { factSql, outcomeOf, projectedFactSql } from './view/row-facts.ts';

/** The stored result of one row: codes, bits and JSON texts. contract/jobs/job.ts explains them. */
export interface ResultRecord {
  readonly rowIndex: number;
  /** Code of rowStatuses. */
  readonly status: number;
  /** Code of reasons. */
  readonly reason: number;
  /** '' if no person was matched. */
  readonly contactUuid: string;
  /** Two bits for each of layerCodes, from the lowest: code of layerStatuses. */
  readonly layerBits: number;
  /** Values by display name, in the forms of jobs/results/result-fields.ts; '{}' for none. */
  readonly fields: string;
  /** 0 to 1. */
  readonly confidence: number;
  /** Bits of matchFields. */
  readonly matchedOn: number;
  /** Compact JSON that the directory's projection expands. */
  readonly candidates: string | null;
  readonly provenance: string | null;
  readonly error: string | null;
  /** Compact JSON of jobs/results/inferred-email.ts. */
  readonly inferred: string | null;
}

export interface ResultGroup {
  /** Code of rowStatuses, or their number for rows that must be matched again. */
  readonly status: number;
  readonly layerBits: number;
  readonly count: number;
}

const selectRecord = `
  SELECT id - ? AS rowIndex, status, reason, ifnull(contact_uuid, '') AS contactUuid,
    layer_bits AS layerBits, ifnull(fields, '{}') AS fields, ifnull(confidence, 0) AS confidence,
    matched_on AS matchedOn, candidates, provenance, error, inferred
  FROM result`;

interface WrittenRows {
  /** What filters know of the row (view/row-facts.ts); 0 if its contents are not known. */
  readonly facts: number[];
  /** contact_uuid. */
  readonly people: (string | null)[];
}

const writtenByConnection = new WeakMap<WritableDatabase, WrittenRows>();

/** The rows of the statement that runs, which it passes to the SQL function note_result. */
function collectWritten(database: WritableDatabase): WrittenRows {
  let written = writtenByConnection.get(database);
  if (!written) {
    const rows: WrittenRows = { facts: [], people: [] };
    // Three times as fast as reading the rows that were written.
    database.function(
      'note_result',
      { directOnly: true },
      (status: number, fact: number | null, person: string | null) => {
        rows.facts.push(fact ?? 0);
        rows.people.push(person);
        return status;
      },
    );
    writtenByConnection.set(database, rows);
    written = rows;
  }
  written.facts.length = 0;
  written.people.length = 0;
  return written;
}

/**
 * Writes the rows that a query returns. Throws a SqliteError if a row already has a result.
 * @param selectSql no parameters, built from constants; its columns are row_index, status, reason,
 *   contact_uuid, layer_bits, fields, confidence, matched_on, candidates, provenance and contents
 * @returns what was written, until the next call on this connection
 */
export function insertResults(
  database: WritableDatabase,
  resultBase: number,
  selectSql: string,
): WrittenRows {
  const written = collectWritten(database);
  statement(
    database,
    `INSERT INTO result (id, status, reason, contact_uuid, layer_bits, fields, confidence,
       matched_on, candidates, provenance)
     SELECT ? + row_index, note_result(status, ${projectedFactSql}, contact_uuid), reason,
       contact_uuid, layer_bits, fields, confidence, matched_on, candidates, provenance
     FROM (${selectSql})`,
  ).run(resultBase);
  return written;
}

/** Overwrites a result, except matched fields and candidates, and removes an inferred email. */
export function overwriteResult(
  database: WritableDatabase,
  id: number,
  result: Omit<SharedResult, 'position' | 'matchedOn' | 'candidates' | 'confidence'> & {
    readonly confidence: number | null;
  },
): void {
  const { changes } = statement(
    database,
    `UPDATE result SET status = @status, reason = @reason, contact_uuid = @contactUuid,
       layer_bits = @layerBits, fields = @fields, confidence = @confidence,
       provenance = @provenance, error = @error, inferred = NULL
     WHERE id = @id`,
  ).run({ id, ...result });
  if (changes !== 1) throw new Error(`there is no result ${id}`);
}

/**
 * Replaces the result of a row that had no match by what the shared directory knows. Candidates of
 * the own directory stay if the shared one has none.
 */
export function replaceResult(
  database: WritableDatabase,
  id: number,
  result: Omit<SharedResult, 'position'>,
): void {
  statement(
    database,
    `UPDATE result SET status = @status, reason = @reason, contact_uuid = @contactUuid,
       layer_bits = @layerBits, fields = @fields, confidence = @confidence,
       matched_on = @matchedOn, provenance = @provenance, error = @error,
       candidates = iif(@contactUuid IS NULL, ifnull(@candidates, candidates), NULL)
     WHERE id = @id`,
  ).run({ id, ...result });
}

/** Replaces the values of a result, with the outcome of its layers and their provenance. */
export function completeResult(
  database: WritableDatabase,
  id: number,
  result: Pick<ResultRecord, 'layerBits' | 'fields' | 'provenance'>,
): void {
  statement(
    database,
    'UPDATE result SET layer_bits = @layerBits, fields = @fields, provenance = @provenance ' +
      'WHERE id = @id',
  ).run({ id, ...result });
}

export function setInferredEmail(database: WritableDatabase, id: number, inferred: string): void {
  statement(database, 'UPDATE result SET inferred = ? WHERE id = ?').run(inferred, id);
}

export interface RangeSummary {
  readonly groups: readonly ResultGroup[];
  /** The status of each row, in order, with the codes of the groups. */
  readonly statuses: Uint8Array;
  /** What filters know of each row, in order (view/row-facts.ts). */
  readonly facts: Uint32Array;
}

/** Counts rows by status and layer bits. @param facts of each row, in order */
export function summarizeFacts(facts: Uint32Array): RangeSummary {
  const counts = new Map<number, number>();
  const statuses = new Uint8Array(facts.length);
  for (let row = 0; row < facts.length; row += 1) {
    const outcome = outcomeOf(facts[row] as number);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    statuses[row] = outcome % 4;
  }
  const groups = [...counts].map(([outcome, count]) => ({
    status: outcome % 4,
    layerBits: Math.floor(outcome / 4),
    count,
  }));
  return { groups, statuses, facts };
}

/** Counts the results from firstId to lastId. One long text is read faster than many rows. */
export function summarizeRange(
  database: ReadableDatabase,
  firstId: number,
  lastId: number,
): RangeSummary {
  const facts =
    statement<{ facts: string | null }>(
      database,
      `SELECT json_group_array(fact) AS facts
       FROM (SELECT ${factSql} AS fact FROM result WHERE id BETWEEN ? AND ? ORDER BY id)`,
    ).get(firstId, lastId)?.facts ?? '[]';
  return summarizeFacts(Uint32Array.from(JSON.parse(facts) as number[]));
}

/**
 * The results of rows firstRow to firstRow + count - 1, in order, without unfinished rows. The
 * range must be inside the job's rows: the ids that follow belong to the next job.
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

/** The results of given rows, in the given order, without those that are missing. */
export function readResultsAt(
  database: ReadableDatabase,
  resultBase: number,
  rows: ArrayLike<number>,
): ResultRecord[] {
  const read = statement<ResultRecord>(database, `${selectRecord} WHERE id = ?`);
  return Array.from(rows).flatMap((row) => read.get(resultBase, resultBase + row) ?? []);
}

/**
 * A page of a job's results of one status, in row order. Whole batches, and parts of the first, are
 * skipped with their counters, so that a page costs the same at any offset.
 * @param page status: code of rowStatuses; offset and limit count rows of that status
 */
export function readResultsByStatus(
  database: ReadableDatabase,
  page: { jobId: number; resultBase: number; status: number; offset: number; limit: number },
): ResultRecord[] {
  // rowStatuses are the names of the counters. Any other value is not a status and has no rows.
  const column = rowStatuses[page.status];
  if (!column) return [];
  const { spans, skipCount } = findSpans(database, { table: 'job_batch', column }, page);
  const parts = spans[0] && readParts(database, page.jobId, spans[0].firstRow);
  const passed = passParts(parts ?? new Uint8Array(), page.status, skipCount);
  if (spans[0]) spans[0].firstRow += passed.rows;
  const records: ResultRecord[] = [];
  for (const { firstRow, endRow } of spans) {
    // OFFSET reads the rows it skips, here never more than one part. The status comes from
    // findSpans; it must be a literal so that SQLite can use the index of failed rows. It would
    // prepare the statement again for each LIMIT that is a parameter alone.
    const found = statement<ResultRecord>(
      database,
      `${selectRecord} WHERE id >= ? AND id < ? AND status = ${page.status}
       ORDER BY id LIMIT ? + 0 OFFSET ? + 0`,
    ).all(
      page.resultBase,
      page.resultBase + firstRow,
      page.resultBase + endRow,
      page.limit - records.length,
      records.length ? 0 : passed.skipCount,
    );
    records.push(...found);
  }
  return records;
}

/**
 * Deletes the results from firstRow to the job's last row. Returns their number. Each statement
 * deletes at most a batch, so that transactions do not grow with the job.
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
