// What the rows of a job cost: by layer, and changes by a retry and by a review.
import type { CreditUnits } from '../contract/credits.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { changeJob } from './job.table.ts';

/** Call in the transaction that changes the sum. Throws a SqliteError below 0. */
export function chargeLayers(
  database: WritableDatabase,
  jobId: number,
  units: ReadonlyMap<LayerCode, number>,
): void {
  for (const [layer, change] of units) {
    if (change === 0) continue;
    statement(database, 'INSERT OR IGNORE INTO layer_charge VALUES (?, ?, 0)').run(jobId, layer);
    statement(
      database,
      'UPDATE layer_charge SET units = units + ? WHERE job_id = ? AND layer = ?',
    ).run(change, jobId, layer);
  }
}

/** Corrects the charge of the finished rows of a queued job. Throws 'job_not_queued'. */
export function correctCharge(
  database: WritableDatabase,
  id: number,
  deltas: { readonly pendingChargeUnits: CreditUnits; readonly paidBefore: number },
): void {
  changeJob(
    database,
    'job_not_queued',
    `UPDATE job SET pending_charge_units = pending_charge_units + @pendingChargeUnits,
       paid_before_rows = paid_before_rows + @paidBefore
     WHERE id = @id AND status = 'queued'`,
    { id, ...deltas },
  );
}

/**
 * Counts the picks of a review: `enriched` rows move from skipped to enriched, or back if it is
 * negative, and the price of the picks changes by `units`. Throws 'job_not_completed', and a
 * SqliteError if rows or units do not add up.
 */
export function countReview(
  database: WritableDatabase,
  id: number,
  change: {
    readonly enriched: number;
    readonly units: number;
    readonly duplicates: number;
    readonly paidBefore: number;
  },
): void {
  changeJob(
    database,
    'job_not_completed',
    `UPDATE job SET enriched_rows = enriched_rows + @enriched,
       skipped_rows = skipped_rows - @enriched, reviewed_units = reviewed_units + @units,
       duplicate_rows = duplicate_rows + @duplicates,
       paid_before_rows = paid_before_rows + @paidBefore
     WHERE id = @id AND status = 'completed'`,
    { id, ...change },
  );
}
