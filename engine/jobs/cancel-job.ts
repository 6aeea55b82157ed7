// Cancelling a job: one transaction ends it and releases its hold. Rows are deleted later.
import { type CreditUnits, creditUnits, formatCredits } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import { batchRowsMax } from '../contract/limits/jobs.ts';
import { resolveHold } from '../ledger/ledger.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { endJob, getJob, type JobRow, noSuchJob } from './job.table.ts';
import type { JobKinds } from './job-kind.ts';
import { deleteRepeats } from './repeats/repeat-row.table.ts';
import { deleteBatches } from './results/job-batch.table.ts';
import { deleteResults } from './results/result.table.ts';
import { deleteRecalls } from './review/review-memory.table.ts';

/** Ends an unfinished job of any kind and releases its whole hold. Call inside a transaction. */
export function releaseAndCancel(database: WritableDatabase, job: JobRow, at: string): CreditUnits {
  if (job.holdId === null) throw new Error(`job ${job.uuid} has no hold`);
  const { releasedUnits } = resolveHold(database, job.holdId, creditUnits(0), at);
  endJob(database, job.id, {
    status: 'cancelled',
    chargedUnits: creditUnits(0),
    releasedUnits,
    at,
  });
  return releasedUnits;
}

/** Ends a queued or running job without a charge. Throws `not_found` and `already_finished`. */
export function cancelJob(
  database: WritableDatabase,
  command: { accountId: number; jobId: string },
  now: Date,
): { job_id: string; status: 'cancelled'; credits_released: string } {
  const at = now.toISOString();
  return inTransaction(database, () => {
    const job = getJob(database, command.accountId, command.jobId);
    if (!job) throw noSuchJob();
    if (endStatuses.includes(job.status))
      throw new EngineError('already_finished', `This job is already ${job.status}.`);
    return {
      job_id: job.uuid,
      status: 'cancelled',
      credits_released: formatCredits(releaseAndCancel(database, job, at)),
    };
  });
}

/**
 * Deletes the rows of a cancelled job, one batch at a time with a pause after each, so that
 * commands
 * never wait. The batch records are deleted last, so that the next start continues after a kill.
 */
export async function clearCancelledJob(
  database: WritableDatabase,
  kinds: JobKinds,
  job: JobRow,
  { pause, isStopping }: { pause(): Promise<unknown>; isStopping(): boolean },
): Promise<void> {
  for (let first = 0; first < job.processedRows; first += batchRowsMax) {
    const end = Math.min(first + batchRowsMax, job.processedRows);
    kinds[job.kind].clear(job, first, end);
    deleteResults(database, job.resultBase, first, end);
    const firstId = job.resultBase + first;
    deleteRepeats(database, { firstId, lastId: job.resultBase + end - 1 });
    await pause();
    if (isStopping()) return;
  }
  deleteRecalls(database, job.id);
  deleteBatches(database, job.id);
}
