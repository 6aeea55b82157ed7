/** Changes of what the rows of a job cost, outside its batches: by a retry and by a review. */
import type { CreditUnits } from '../contract/credits.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { changeJob } from './job.table.ts';

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
