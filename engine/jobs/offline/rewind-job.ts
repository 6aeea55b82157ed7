// Takes back the batches of a job from the first one with rows that wait, so that they are done
// again once there is a network, or once slow services have answered. What services answered is
// stored, so that nothing is asked or paid twice. Each batch is one transaction, from the last to
// the first: a kill leaves a job that continues.
import { creditUnits } from '../../contract/credits.ts';
import { rowStatuses } from '../../contract/jobs/job.ts';
import type { LayerCode } from '../../contract/jobs/layers.ts';
import {
  addPaid,
  chargedLayers,
  type PaidSets,
  priceSets,
  sumLayers,
} from '../../ledger/price-job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { advanceJob, getJobById, type JobRow } from '../job.table.ts';
import { chargeLayers } from '../job-charges.table.ts';
import type { JobKinds } from '../job-kind.ts';
import { listSaved, readEnriched } from '../repeats/mark-repeats.ts';
import { deleteRepeats, listRepeats } from '../repeats/repeat-row.table.ts';
import { deleteBatch, findBatchToRepeat, type RepeatReason } from '../results/job-batch.table.ts';
import { deleteResults, summarizeRange } from '../results/result.table.ts';
import { deleteRecalls } from '../review/review-memory.table.ts';

/** What the rows of a batch add to the charge of their job, by layer, taken away again. */
function refundBatch(
  database: WritableDatabase,
  job: JobRow,
  batch: { readonly firstRow: number; readonly rowCount: number },
): Map<LayerCode, number> {
  const firstId = job.resultBase + batch.firstRow;
  const range = { firstId, lastId: firstId + batch.rowCount - 1 };
  const enriched = rowStatuses.indexOf('enriched');
  const paid: PaidSets = new Map();
  for (const { status, layerBits, count } of summarizeRange(database, firstId, range.lastId).groups)
    if (status === enriched) addPaid(paid, chargedLayers(job, layerBits), -count);
  const rows = readEnriched(database, job, { firstRow: batch.firstRow, count: batch.rowCount });
  for (const [set, count] of listSaved(job, rows, listRepeats(database, range)))
    addPaid(paid, set, count);
  return priceSets(job, paid);
}

/** Takes back the last batch. Returns false if there is none left to be taken back. */
function takeBackBatch(
  database: WritableDatabase,
  kinds: JobKinds,
  id: number,
  reason: RepeatReason,
): boolean {
  const job = getJobById(database, id);
  const batch = job?.status === 'running' ? findBatchToRepeat(database, id, reason) : null;
  if (!job || !batch) return false;
  const { firstRow, rowCount } = batch;
  const firstId = job.resultBase + firstRow;
  const range = { firstId, lastId: firstId + rowCount - 1 };
  const repeats = listRepeats(database, range);
  const units = refundBatch(database, job, batch);
  chargeLayers(database, id, units);
  const countRows = (kind: (typeof repeats)[number]['kind']) =>
    new Set(repeats.filter((one) => one.kind === kind).map((one) => one.id)).size;
  advanceJob(database, id, {
    processed: -rowCount,
    enriched: -batch.enriched,
    skipped: -batch.skipped,
    failed: -batch.failed,
    waiting: -batch.waiting,
    unanswered: -batch.unanswered,
    duplicates: -countRows('duplicate'),
    paidBefore: -countRows('paid_before'),
    known: -countRows('known'),
    pendingChargeUnits: creditUnits(sumLayers(units)),
  });
  kinds[job.kind].clear(job, firstRow, firstRow + rowCount);
  deleteRepeats(database, range);
  deleteRecalls(database, id, firstRow);
  deleteResults(database, job.resultBase, firstRow, firstRow + rowCount);
  deleteBatch(database, batch);
  return true;
}

/** Which batches are taken back, and what happens between two of them. */
export interface RewindOptions {
  readonly reason: RepeatReason;
  pause(): Promise<unknown>;
  isStopping(): boolean;
}

/** Takes back the batches of a running job, and pauses after each, so that commands never wait. */
export async function rewindJob(
  database: WritableDatabase,
  kinds: JobKinds,
  id: number,
  { reason, pause, isStopping }: RewindOptions,
): Promise<void> {
  while (inTransaction(database, () => takeBackBatch(database, kinds, id, reason))) {
    await pause();
    if (isStopping()) return;
  }
}
