/**
 * Takes back the batches of a job from the first one with rows that wait, so that they are done
 * again once there is a network. What services answered is stored, so that nothing is asked or paid
 * twice. Each batch is one transaction, from the last to the first: a kill leaves a job that
 * continues.
 */
import { creditUnits } from '../../contract/credits.ts';
import { rowStatuses } from '../../contract/jobs/job.ts';
import { priceRow } from '../../ledger/price-job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { advanceJob, getJobById, type JobRow } from '../job.table.ts';
import type { JobKinds } from '../job-kind.ts';
import { readEnriched, sumSaved } from '../repeats/mark-repeats.ts';
import { deleteRepeats, listRepeats } from '../repeats/repeat-row.table.ts';
import { deleteBatch, findBatchToRepeat } from '../results/job-batch.table.ts';
import { deleteResults, summarizeRange } from '../results/result.table.ts';
import { deleteRecalls } from '../review/review-memory.table.ts';

/** What the rows of a batch add to the charge of their job. */
function priceBatch(
  database: WritableDatabase,
  job: JobRow,
  batch: { readonly firstRow: number; readonly rowCount: number },
): number {
  const firstId = job.resultBase + batch.firstRow;
  const range = { firstId, lastId: firstId + batch.rowCount - 1 };
  const enriched = rowStatuses.indexOf('enriched');
  const price = summarizeRange(database, firstId, range.lastId).groups.reduce(
    (sum, { status, layerBits, count }) =>
      sum + count * priceRow(job, status === enriched, layerBits),
    0,
  );
  const rows = readEnriched(database, job, { firstRow: batch.firstRow, count: batch.rowCount });
  return price - sumSaved(job, rows, listRepeats(database, range));
}

/** Takes back the last batch. Returns false if there is none left to be taken back. */
function takeBackBatch(database: WritableDatabase, kinds: JobKinds, id: number): boolean {
  const job = getJobById(database, id);
  const batch = job?.status === 'running' ? findBatchToRepeat(database, id) : null;
  if (!job || !batch) return false;
  const { firstRow, rowCount } = batch;
  const firstId = job.resultBase + firstRow;
  const range = { firstId, lastId: firstId + rowCount - 1 };
  const repeats = listRepeats(database, range);
  const countRows = (kind: (typeof repeats)[number]['kind']) =>
    new Set(repeats.filter((one) => one.kind === kind).map((one) => one.id)).size;
  advanceJob(database, id, {
    ...{ processed: -rowCount, enriched: -batch.enriched },
    ...{ skipped: -batch.skipped, failed: -batch.failed, waiting: -batch.waiting },
    ...{ duplicates: -countRows('duplicate'), paidBefore: -countRows('paid_before') },
    known: -countRows('known'),
    pendingChargeUnits: creditUnits(-priceBatch(database, job, batch)),
  });
  kinds[job.kind].clear(job, firstRow, firstRow + rowCount);
  deleteRepeats(database, range);
  deleteRecalls(database, id, firstRow);
  deleteResults(database, job.resultBase, firstRow, firstRow + rowCount);
  deleteBatch(database, batch);
  return true;
}

/** Takes back the batches of a running job, and pauses after each, so that commands never wait. */
export async function rewindJob(
  database: WritableDatabase,
  kinds: JobKinds,
  id: number,
  { pause, isStopping }: { pause(): Promise<unknown>; isStopping(): boolean },
): Promise<void> {
  while (inTransaction(database, () => takeBackBatch(database, kinds, id))) {
    await pause();
    if (isStopping()) return;
  }
}
