// The tables `monitor_finding` and `monitor_batch`: the outcome of each record of a Career Monitor
// job. A finding has the same id as its result.
import { type FindingStatus, findingStatuses } from '../contract/monitors/career-monitor.ts';
import { findSpans } from '../jobs/results/batch-spans.ts';
import type { ResultRecord } from '../jobs/results/result.table.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface FindingCounts {
  readonly changed: number;
  /** The status `left`; LEFT is a keyword in SQL. */
  readonly departed: number;
  readonly unchanged: number;
  readonly noMatch: number;
  readonly failed: number;
}

export const findingCounters: Readonly<
  Record<FindingStatus, { readonly count: keyof FindingCounts; readonly column: string }>
> = {
  changed: { count: 'changed', column: 'changed' },
  left: { count: 'departed', column: 'departed' },
  unchanged: { count: 'unchanged', column: 'unchanged' },
  no_match: { count: 'noMatch', column: 'no_match' },
  failed: { count: 'failed', column: 'failed' },
};

export interface NewFinding {
  readonly rowIndex: number;
  readonly status: FindingStatus;
  /** result.id of the last answer for this record; null if there never was one. */
  readonly knownId: number | null;
  /** JSON: [[code of watchedFields, old value], …]; null if nothing changed. */
  readonly changes: string | null;
}

export interface FindingRecord extends ResultRecord {
  /** Code of findingStatuses. */
  readonly finding: number;
  readonly changes: string | null;
}

/** Writes a batch's findings and counters, in the transaction that writes its results. */
export function insertFindings(
  database: WritableDatabase,
  batch: { jobId: number; resultBase: number; firstRow: number },
  findings: readonly NewFinding[],
): FindingCounts {
  const counts = { changed: 0, departed: 0, unchanged: 0, noMatch: 0, failed: 0 };
  const insert = statement(
    database,
    'INSERT INTO monitor_finding (id, status, known_id, changes) VALUES (?, ?, ?, ?)',
  );
  for (const { rowIndex, status, knownId, changes } of findings) {
    insert.run(batch.resultBase + rowIndex, findingStatuses.indexOf(status), knownId, changes);
    counts[findingCounters[status].count] += 1;
  }
  statement(
    database,
    `INSERT INTO monitor_batch
       (job_id, first_row, row_count, changed, departed, unchanged, no_match, failed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    batch.jobId,
    batch.firstRow,
    findings.length,
    counts.changed,
    counts.departed,
    counts.unchanged,
    counts.noMatch,
    counts.failed,
  );
  return counts;
}

export interface KnownAnswer {
  readonly rowIndex: number;
  /** result.id of the answer. */
  readonly knownId: number;
  /** JSON object, display name → value or null. */
  readonly fields: string;
}

/** The answers known for rows firstRow to firstRow + count - 1, without rows that have none. */
export const readKnownAnswers = (
  database: ReadableDatabase,
  page: { resultBase: number; firstRow: number; count: number },
): KnownAnswer[] => {
  const firstId = page.resultBase + page.firstRow;
  return statement<KnownAnswer>(
    database,
    `SELECT f.id - ? AS rowIndex, f.known_id AS knownId, ifnull(r.fields, '{}') AS fields
     FROM monitor_finding f JOIN result r ON r.id = f.known_id
     WHERE f.id >= ? AND f.id < ?`,
  ).all(page.resultBase, firstId, firstId + page.count);
};

const selectFinding = `
  SELECT f.id - ? AS rowIndex, f.status AS finding, f.changes, r.status, r.reason,
    ifnull(r.contact_uuid, '') AS contactUuid, r.layer_bits AS layerBits,
    ifnull(r.fields, '{}') AS fields, ifnull(r.confidence, 0) AS confidence,
    r.matched_on AS matchedOn, r.candidates, r.provenance, r.error, r.inferred
  FROM monitor_finding f JOIN result r ON r.id = f.id`;

export function readFindings(
  database: ReadableDatabase,
  job: { jobId: number; resultBase: number; totalRows: number },
  page: { limit: number; offset: number; status?: FindingStatus | undefined },
): FindingRecord[] {
  const { resultBase } = job;
  if (page.status === undefined) {
    const firstId = resultBase + Math.min(page.offset, job.totalRows);
    const endId = Math.min(firstId + page.limit, resultBase + job.totalRows);
    return statement<FindingRecord>(
      database,
      `${selectFinding} WHERE f.id >= ? AND f.id < ? ORDER BY f.id`,
    ).all(resultBase, firstId, endId);
  }
  const { column } = findingCounters[page.status];
  const { spans, skipCount } = findSpans(
    database,
    { table: 'monitor_batch', column },
    { jobId: job.jobId, offset: page.offset, limit: page.limit },
  );
  const records: FindingRecord[] = [];
  for (const { firstRow, endRow } of spans) {
    // OFFSET reads the rows it skips, here never more than the first batch.
    const found = statement<FindingRecord>(
      database,
      `${selectFinding} WHERE f.id >= ? AND f.id < ? AND f.status = ?
       ORDER BY f.id LIMIT ? OFFSET ?`,
    ).all(
      resultBase,
      resultBase + firstRow,
      resultBase + endRow,
      findingStatuses.indexOf(page.status),
      page.limit - records.length,
      records.length ? 0 : skipCount,
    );
    records.push(...found);
  }
  return records;
}

/** Deletes findings, `endRow` excluded. Batches are deleted with their last row. */
export function deleteFindings(
  database: WritableDatabase,
  job: { jobId: number; resultBase: number },
  firstRow: number,
  endRow: number,
): void {
  const { jobId, resultBase } = job;
  statement(database, 'DELETE FROM monitor_finding WHERE id >= ? AND id < ?').run(
    resultBase + firstRow,
    resultBase + endRow,
  );
  statement(
    database,
    'DELETE FROM monitor_batch WHERE job_id = ? AND first_row >= ? AND first_row < ?',
  ).run(jobId, firstRow, endRow);
}
