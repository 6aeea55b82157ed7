// Rows of a completed job for which no person was found, and a later import may have one.
import { type Reason, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import { batchRowsMax } from '../../contract/limits/jobs.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { JobRow } from '../job.table.ts';

/** The other reasons do not depend on who is in the directory. */
const openReasons: readonly Reason[] = ['no_match', 'ambiguous', 'conflicting_evidence'];

const isUnmatched = `status = ${rowStatuses.indexOf('skipped')}
  AND reason IN (${openReasons.map((reason) => reasons.indexOf(reason)).join(', ')})`;

type Rows = Pick<JobRow, 'resultBase' | 'totalRows'>;

/** Indexes of the rows, in order, read batch by batch. */
export function* readUnmatched(
  database: ReadableDatabase,
  { resultBase, totalRows }: Rows,
): Generator<number> {
  for (let first = 0; first < totalRows; first += batchRowsMax) {
    const found = statement<{ id: number }>(
      database,
      `SELECT id FROM result WHERE id >= ? AND id < ? AND ${isUnmatched} ORDER BY id`,
    ).all(resultBase + first, resultBase + Math.min(first + batchRowsMax, totalRows));
    for (const { id } of found) yield id - resultBase;
  }
}

/** Their number. Reads the outcome of every row of the job. */
export const countUnmatched = (
  database: ReadableDatabase,
  { resultBase, totalRows }: Rows,
): number =>
  statement<{ count: number }>(
    database,
    `SELECT count(*) AS count FROM result WHERE id >= ? AND id < ? AND ${isUnmatched}`,
  ).get(resultBase, resultBase + totalRows)?.count ?? 0;
