// The repeats of one run of a job: what is read before its first batch, and after each.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { creditUnits } from '../../contract/credits.ts';
import { batchRowsMax } from '../../contract/limits/jobs.ts';
import { addPaid, type PaidSets, priceSets, sumLayers } from '../../ledger/price-job.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { getJobById, type JobRow } from '../job.table.ts';
import { chargeLayers, correctCharge } from '../job-charges.table.ts';
import { createFirstRows } from './first-rows.ts';
import { followMerges } from './follow-merges.ts';
import { indexPeople } from './index-people.ts';
import {
  type BatchRepeats,
  findPaidRepeats,
  listSaved,
  markRepeats,
  readEnriched,
} from './mark-repeats.ts';
import { hasSources, listSources } from './paid-layers.ts';
import { deleteRepeats, insertRepeats, listRepeats } from './repeat-row.table.ts';
import type { PersonOfRow } from './sort-rows.ts';

export interface JobRepeats {
  /** Marks the repeats among the enriched rows of a batch; see `markRepeats`. */
  mark(job: JobRow, enriched: readonly PersonOfRow[]): BatchRepeats;
  /** Adds the people of a batch. Call after its commit. */
  keep(batch: BatchRepeats): void;
}

const noRepeats: BatchRepeats = {
  duplicates: 0,
  paidBefore: 0,
  known: 0,
  saved: new Map(),
  firsts: [],
};

/**
 * Reads the first rows of the committed batches, and the people of the jobs to compare with. Yields
 * the thread between stretches, so that commands never wait. A Career Monitor job has no repeats:
 * each of its records is charged by its own rule.
 */
export async function openRepeats(database: WritableDatabase, job: JobRow): Promise<JobRepeats> {
  if (job.kind !== 'enrichment') return { mark: () => noRepeats, keep: () => undefined };
  for (const _transaction of indexPeople(database, listSources(job))) await yieldThread();
  const firstRows = createFirstRows();
  for (let first = 0; first < job.processedRows; first += batchRowsMax) {
    const count = Math.min(batchRowsMax, job.processedRows - first);
    const firstId = job.resultBase + first;
    const range = { firstId, lastId: firstId + count - 1 };
    const repeated = new Set(
      listRepeats(database, range).flatMap(({ id, kind }) => (kind === 'duplicate' ? id : [])),
    );
    for (const { rowIndex, personUuid } of readEnriched(database, job, { firstRow: first, count }))
      if (!repeated.has(job.resultBase + rowIndex)) firstRows.add(personUuid, rowIndex);
    await yieldThread();
  }
  return {
    mark(current, enriched) {
      // People may have been merged since the batch before.
      followMerges(database);
      return markRepeats(database, current, firstRows, enriched);
    },
    keep(batch) {
      for (const { personUuid, rowIndex } of batch.firsts) firstRows.add(personUuid, rowIndex);
    },
  };
}

function priceRange(database: WritableDatabase, job: JobRow, firstRow: number, count: number) {
  const firstId = job.resultBase + firstRow;
  const range = { firstId, lastId: firstId + count - 1 };
  const known = listRepeats(database, range);
  const duplicates = new Set(known.flatMap(({ id, kind }) => (kind === 'duplicate' ? id : [])));
  const before = known.filter(({ kind }) => kind === 'paid_before');
  const rows = readEnriched(database, job, { firstRow, count }).filter(
    ({ rowIndex }) => !duplicates.has(job.resultBase + rowIndex),
  );
  const after = findPaidRepeats(database, job, rows);
  deleteRepeats(database, range, 'paid_before');
  insertRepeats(database, after);
  const countIds = (repeats: typeof after) => new Set(repeats.map(({ id }) => id)).size;
  const paid: PaidSets = new Map();
  for (const [set, count] of listSaved(job, rows, before)) addPaid(paid, set, count);
  for (const [set, count] of listSaved(job, rows, after)) addPaid(paid, set, -count);
  const units = priceSets(job, paid);
  chargeLayers(database, job.id, units);
  correctCharge(database, job.id, {
    pendingChargeUnits: creditUnits(sumLayers(units)),
    paidBefore: countIds(after) - countIds(before),
  });
}

/**
 * Prices the finished rows of a failed job again when it is retried: other jobs may have paid for
 * the same people meanwhile. Call while the job is queued; it can be repeated after a kill.
 */
export async function priceRetried(database: WritableDatabase, job: JobRow): Promise<void> {
  const sources = listSources(job);
  if (job.kind !== 'enrichment' || job.processedRows === 0 || !hasSources(sources)) return;
  for (const _transaction of indexPeople(database, sources)) await yieldThread();
  for (let first = 0; first < job.processedRows; first += batchRowsMax) {
    const count = Math.min(batchRowsMax, job.processedRows - first);
    inTransaction(database, () => {
      if (getJobById(database, job.id)?.status === 'queued')
        priceRange(database, job, first, count);
    });
    await yieldThread();
  }
}
