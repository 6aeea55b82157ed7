// The table `review_pick`, and the result rows that wait for a decision.
import type { CreditUnits } from '../../contract/credits.ts';
import { type Decision, type Reason, reasons, rowStatuses } from '../../contract/jobs/job.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import type { JobRow } from '../job.table.ts';

export interface PickRow {
  readonly rowIndex: number;
  /** Null for none of the candidates. */
  readonly contactUuid: string | null;
  readonly priceUnits: CreditUnits;
  /** The API key of the request, with its label; null for the app and the command line. */
  readonly keyId: string | null;
  readonly keyLabel: string | null;
  /** ISO 8601. */
  readonly at: string;
  /** Code of `reasons` and confidence of the row before the first pick. */
  readonly openReason: number;
  readonly openConfidence: number;
}

export const presentDecision = ({ keyLabel, at }: Pick<PickRow, 'keyLabel' | 'at'>): Decision => ({
  decided_by: keyLabel ?? 'app',
  decided_at: at,
});

const selectPick = `
  SELECT p.row_index AS rowIndex, p.contact_uuid AS contactUuid, p.price_units AS priceUnits,
    p.key_id AS keyId, k.label AS keyLabel, p.at, p.open_reason AS openReason,
    p.open_confidence AS openConfidence
  FROM review_pick p LEFT JOIN api_key k ON k.id = p.key_id`;

export const getPick = (database: ReadableDatabase, jobId: number, rowIndex: number) =>
  statement<PickRow>(database, `${selectPick} WHERE p.job_id = ? AND p.row_index = ?`).get(
    jobId,
    rowIndex,
  ) ?? null;

/** The picks of the rows from `firstRow` to `lastRow`, both included, in the order of the rows. */
export const listPicks = (
  database: ReadableDatabase,
  jobId: number,
  { firstRow, lastRow, limit }: { firstRow: number; lastRow: number; limit: number },
): PickRow[] =>
  statement<PickRow>(
    database,
    `${selectPick} WHERE p.job_id = ? AND p.row_index BETWEEN ? AND ?
     ORDER BY p.row_index LIMIT ?`,
  ).all(jobId, firstRow, lastRow, limit);

/** The picks of some rows; rows without a pick are left out. */
export const findPicks = (
  database: ReadableDatabase,
  jobId: number,
  rows: readonly number[],
): PickRow[] =>
  statement<PickRow>(
    database,
    `${selectPick} WHERE p.job_id = ? AND p.row_index IN (SELECT value FROM json_each(?))`,
  ).all(jobId, JSON.stringify(rows));

/** Writes a pick. If the row has one already, the values that an undo restores are kept. */
export function putPick(
  database: WritableDatabase,
  jobId: number,
  pick: Omit<PickRow, 'keyLabel'>,
): void {
  statement(
    database,
    `INSERT INTO review_pick (job_id, row_index, contact_uuid, price_units, key_id, at,
       open_reason, open_confidence)
     VALUES (@jobId, @rowIndex, @contactUuid, @priceUnits, @keyId, @at, @openReason,
       @openConfidence)
     ON CONFLICT DO UPDATE SET contact_uuid = excluded.contact_uuid,
       price_units = excluded.price_units, key_id = excluded.key_id, at = excluded.at`,
  ).run({ jobId, ...pick });
}

export const setPickPrice = (
  database: WritableDatabase,
  jobId: number,
  rowIndex: number,
  priceUnits: CreditUnits,
): void =>
  void statement(
    database,
    'UPDATE review_pick SET price_units = ? WHERE job_id = ? AND row_index = ?',
  ).run(priceUnits, jobId, rowIndex);

export const deletePick = (database: WritableDatabase, jobId: number, rowIndex: number): void =>
  void statement(database, 'DELETE FROM review_pick WHERE job_id = ? AND row_index = ?').run(
    jobId,
    rowIndex,
  );

export const countPicks = (database: ReadableDatabase, jobId: number): number =>
  statement<{ count: number }>(
    database,
    'SELECT count(*) AS count FROM review_pick WHERE job_id = ?',
  ).get(jobId)?.count ?? 0;

const skipped = rowStatuses.indexOf('skipped');
const waitingSql = `FROM result r WHERE r.candidates IS NOT NULL AND r.id >= @firstId
  AND r.id <= @lastId AND r.status = ${skipped} AND NOT EXISTS (
    SELECT 1 FROM review_pick p WHERE p.job_id = @jobId AND p.row_index = r.id - @resultBase)
  AND NOT EXISTS (
    SELECT 1 FROM review_recall a WHERE a.job_id = @jobId AND a.row_index = r.id - @resultBase)`;

const rangeOf = (job: JobRow, firstRow: number) => ({
  jobId: job.id,
  resultBase: job.resultBase,
  firstId: job.resultBase + firstRow,
  lastId: job.resultBase + job.totalRows - 1,
});

/** Rows that wait for a decision, by reason. Uses the index of rows with candidates. */
export const countWaitingReasons = (
  database: ReadableDatabase,
  job: JobRow,
): Partial<Record<Reason, number>> =>
  Object.fromEntries(
    statement<{ reason: number; count: number }>(
      database,
      `SELECT r.reason, count(*) AS count ${waitingSql} GROUP BY r.reason`,
    )
      .all(rangeOf(job, 0))
      .map(({ reason, count }) => [reasons[reason], count]),
  );

export const countWaiting = (database: ReadableDatabase, job: JobRow): number =>
  Object.values(countWaitingReasons(database, job)).reduce((sum, count) => sum + count, 0);

/** The first `limit` rows that wait, in the order of the list, behind the row `after`. */
export const listWaiting = (
  database: ReadableDatabase,
  job: JobRow,
  { after, limit }: { after: number | null; limit: number },
): number[] =>
  statement<{ rowIndex: number }>(
    database,
    `SELECT r.id - @resultBase AS rowIndex ${waitingSql} ORDER BY r.id LIMIT @limit`,
  )
    .all({ ...rangeOf(job, after === null ? 0 : after + 1), limit })
    .map(({ rowIndex }) => rowIndex);
