/** Ends a job that cannot continue as failed, without a charge. Its result returns the error. */
import { creditUnits } from '../contract/credits.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import { resolveHold } from '../ledger/ledger.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { endJob, getJobById, type JobRow } from './job.table.ts';

/** Releases the whole hold and ends the job as failed. Finished rows are kept for a retry. */
export function failJob(
  database: WritableDatabase,
  id: number,
  failure: { code: ErrorCode; detail: string },
  now: Date,
): JobRow | null {
  const at = now.toISOString();
  return inTransaction(database, () => {
    const job = getJobById(database, id);
    if (!job || endStatuses.includes(job.status)) return job;
    // The job of a monitor has no hold: it is charged at its end.
    const { releasedUnits } =
      job.holdId === null
        ? { releasedUnits: creditUnits(0) }
        : resolveHold(database, job.holdId, creditUnits(0), at);
    endJob(database, id, {
      status: 'failed',
      chargedUnits: creditUnits(0),
      releasedUnits,
      error: failure.code,
      errorDetail: failure.detail,
      at,
    });
    return getJobById(database, id);
  });
}
