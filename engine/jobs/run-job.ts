// Runs one job batch by batch: reads a batch, matches it, and writes its results, progress and
// counts in one transaction.
//
//   queued ──startJob──> running ──all rows written──> completed   (the hold is settled once, and
//                          │                                        its rest released)
//                          ├──cancelJob──> cancelled   (by another command, between batches)
//                          ├──offline────> running     (all rows written, some wait: offline/)
//                          ├──slow answer─> running     (all rows written, some are done again
//                          │                             once services have answered: slow/)
//                          ├──failJob────> failed      (its provider refuses, or a bug)
//                          └──kill───────> running     (found again, continues at processed_rows)
import { setImmediate as pause } from 'node:timers/promises';
import { creditUnits } from '../contract/credits.ts';
import { reasons, rowStatuses } from '../contract/jobs/job.ts';
import { batchRowsMax } from '../contract/limits/jobs.ts';
import { askedBatchesMax } from '../contract/limits/waterfall.ts';
import { sharedBatchesMax } from '../contract/shared/limits.ts';
import { resolveHold } from '../ledger/ledger.ts';
import {
  addPaid,
  chargedLayers,
  type PaidSets,
  priceSets,
  sumLayers,
} from '../ledger/price-job.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';
import { openInput } from '../spreadsheet/input-folders.ts';
import type { RowsFile } from '../spreadsheet/read-rows.ts';
import { suppressRows } from '../suppression/suppress-rows.ts';
import { readSuppressionList, type SuppressionList } from '../suppression/suppression-list.ts';
import {
  advanceJob,
  endJob,
  getJobById,
  type JobRow,
  noteUpstreamAccepted,
  startJob,
} from './job.table.ts';
import { chargeLayers } from './job-charges.table.ts';
import type { JobKinds } from './job-kind.ts';
import { resolveUpstream, withoutRows } from './matching/enrich-batch.ts';
import { type CheckEmails, openInference, writeInferred } from './matching/infer-batch.ts';
import { createRecordIdMatcher } from './matching/match-record-ids.ts';
import {
  type AnsweredBatch,
  type OpenAnswers,
  type SendDeps,
  sendBatch,
} from './matching/send-batch.ts';
import { rewindJob } from './offline/rewind-job.ts';
import { readEnriched } from './repeats/mark-repeats.ts';
import { type JobRepeats, openRepeats, priceRetried } from './repeats/open-repeats.ts';
import { requireWhole } from './require-whole.ts';
import { countParts } from './results/batch-parts.ts';
import { type BatchWriter, openBatchWriter } from './results/batch-writer.ts';
import { insertBatch } from './results/job-batch.table.ts';
import { summarizeRange } from './results/result.table.ts';
import { writeAnswers, writeCompletions, writeShared } from './results/write-answers.ts';
import { insertRecalls } from './review/review-memory.table.ts';
import {
  createUnansweredBatches,
  type UnansweredBatches,
  type UntilSlow,
} from './slow/unanswered-batches.ts';

export interface RunDeps extends SendDeps {
  readonly folder: string;
  /** Rows per batch; batchRowsMax if omitted. */
  readonly batchRowsMax?: number;
  /** Batches in flight: sent to be matched, and not written yet. */
  readonly inFlightMax: number;
  readonly kinds: JobKinds;
  /** The time that a batch waits for services; without it, it waits for all their answers. */
  readonly untilSlow?: UntilSlow;
  /** Checks inferred emails; without it, none are inferred. */
  readonly checkEmails?: CheckEmails | undefined;
  readGeneration(): number;
  whenGeneration(generation: number): Promise<void>;
  now(): Date;
  onProgress(job: JobRow): void;
  /** The job has to wait for the index of a directory that has changed. */
  onStale?(job: JobRow): void;
  /** True when the engine is stopping: the job is left as it is and continues at the next start. */
  isStopping(): boolean;
}

interface OpenJob extends OpenAnswers {
  readonly results: BatchWriter;
  readonly input: RowsFile;
  readonly repeats: JobRepeats;
}

interface Counts {
  enriched: number;
  skipped: number;
  failed: number;
}

/**
 * Writes the results, counters and progress of one batch in a transaction. Returns false, with
 * nothing written, if a person of the batch was removed from the directory meanwhile.
 */
function commitBatch(
  deps: RunDeps,
  job: JobRow,
  { results, input, repeats }: OpenJob,
  first: number,
  answered: AnsweredBatch,
): boolean {
  const { database } = deps;
  const list = readSuppressionList(database);
  const rows = suppressBatch(list, job, answered);
  const { batch, ready, completions, shared, recalls, waiting, unanswered } = rows;
  const { inferred } = answered;
  const at = deps.now().toISOString();
  class Vanished extends Error {}
  // What providers answered must not be lost by a power failure: it was paid for.
  const write = ready || completions ? inTransaction : inRepeatableTransaction;
  let isAsWritten = false;
  try {
    const repeated = write(database, () => {
      const written = results.write(batch, job.resultBase, first);
      const counts: Counts = { enriched: 0, skipped: 0, failed: 0 };
      const paid: PaidSets = new Map();
      const firstId = job.resultBase + first;
      if (ready) {
        writeAnswers(database, { codes: job.codes, firstId }, ready, list);
        const isAccepted = waiting + unanswered === 0;
        if (!job.upstreamAccepted && isAccepted) noteUpstreamAccepted(database, job.id);
      }
      writeShared(database, firstId, shared, list);
      if (completions) writeCompletions(database, { ...job, firstRow: first }, completions, list);
      if (inferred) writeInferred(database, { ...job, firstRow: first }, inferred, list);
      insertRecalls(database, job, recalls);
      const range = { firstRow: first, count: batch.count };
      const isAnswered = ready || completions || shared.length > 0;
      const enriched = isAnswered ? readEnriched(database, job, range) : written.enriched;
      const found = repeats.mark(job, enriched);
      isAsWritten = !isAnswered && found.known === 0;
      const { groups, statuses, facts } = isAsWritten
        ? written
        : summarizeRange(database, firstId, firstId + batch.count - 1);
      for (const group of groups) {
        const status = rowStatuses[group.status];
        if (!status) throw new Vanished();
        counts[status] += group.count;
        if (status === 'enriched') addPaid(paid, chargedLayers(job, group.layerBits), group.count);
      }
      for (const [set, count] of found.saved) addPaid(paid, set, -count);
      const units = priceSets(job, paid);
      chargeLayers(database, job.id, units);
      const parts = countParts(statuses);
      const done = { jobId: job.id, firstRow: first, rowCount: batch.count, at };
      insertBatch(database, { ...done, ...counts, parts, facts, waiting, unanswered });
      advanceJob(database, job.id, {
        processed: batch.count,
        ...counts,
        duplicates: found.duplicates,
        paidBefore: found.paidBefore,
        known: found.known,
        waiting,
        waitingSince: at,
        unanswered,
        pendingChargeUnits: creditUnits(sumLayers(units)),
      });
      deps.kinds[job.kind].afterBatch(job, range, input);
      return found;
    });
    repeats.keep(repeated);
    if (isAsWritten) results.keep();
    return true;
  } catch (error) {
    if (error instanceof Vanished) return false;
    throw error;
  }
}

function completeJob(deps: RunDeps, job: JobRow): void {
  const at = deps.now().toISOString();
  inTransaction(deps.database, () => {
    if (job.holdId === null) throw new Error(`job ${job.uuid} has no hold`);
    const { settledUnits, releasedUnits } = resolveHold(
      deps.database,
      job.holdId,
      job.pendingChargeUnits,
      at,
    );
    endJob(deps.database, job.id, {
      status: 'completed',
      chargedUnits: settledUnits,
      releasedUnits,
      at,
    });
    deps.kinds[job.kind].atEnd(job, at);
  });
}

const readJob = (deps: RunDeps, id: number): JobRow => {
  const job = getJobById(deps.database, id);
  if (!job) throw new Error(`job ${id} vanished`);
  return job;
};

/** A batch without the rows that the list names now: it may have changed since the match. */
function suppressBatch(list: SuppressionList, job: JobRow, answered: AnsweredBatch) {
  const { upstreamRows, bytes, firstRow } = answered;
  if (answered.isStopped) throw new Error('what was not asked cannot be written');
  const ready = upstreamRows && resolveUpstream(upstreamRows, job.upstreamAccepted === 1);
  const isCurrent = list.version === answered.listVersion;
  const { batch, positions } = isCurrent
    ? { batch: answered.batch, positions: new Set<number>() }
    : suppressRows(list, answered.batch, bytes, job.mapping);
  const code = reasons.indexOf('suppressed');
  const countOpen = (marked: ReadonlySet<number> | undefined) =>
    [...(marked ?? [])].filter((at) => !positions.has(at)).length;
  return {
    batch,
    ready: ready && withoutRows(ready, positions),
    completions: answered.completions && withoutRows(answered.completions, positions),
    shared: (answered.shared ?? []).filter(({ position }) => !positions.has(position)),
    waiting: countOpen(answered.deferred),
    unanswered: countOpen(answered.unanswered),
    recalls: answered.recalls.filter(({ rowIndex }) => batch.reasons[rowIndex - firstRow] !== code),
  };
}

interface PendingBatch {
  readonly first: number;
  readonly bytes: Uint8Array;
  readonly answer: Promise<AnsweredBatch>;
}

/** Matches and writes a batch; repeats it with a newer index if a person was removed. */
async function commitWhenMatched(
  deps: RunDeps,
  job: JobRow,
  open: OpenJob,
  pending: PendingBatch,
): Promise<void> {
  let answer = await pending.answer;
  for (;;) {
    const current = readJob(deps, job.id);
    if (current.status !== 'running' || deps.isStopping()) return;
    if (commitBatch(deps, current, open, pending.first, answer)) {
      void deps.shared?.forget(pending.first + answer.batch.count);
      return;
    }
    deps.onStale?.(current);
    await deps.whenGeneration(deps.readGeneration());
    answer = await sendBatch(deps, job, open, pending.first, pending.bytes);
  }
}

/** Does the rows of a running job that are not done, or as many as it can until it ends. */
async function runRows(deps: RunDeps, id: number, slow: UnansweredBatches): Promise<void> {
  let job = readJob(deps, id);
  const rows = openInput(deps.folder, job.uuid, job.totalRows);
  const pendingBatches: PendingBatch[] = [];
  try {
    const results = openBatchWriter(deps.database, job.codes);
    const batchRows = deps.batchRowsMax ?? batchRowsMax;
    const rowsMax = Math.min(batchRows, deps.waterfall?.rowsMax ?? batchRows);
    const repeats = await openRepeats(deps.database, job);
    const { projection } = results;
    const infer = openInference(deps, job);
    const matchIds = createRecordIdMatcher(deps.database, job);
    const open = { projection, matchIds, results, input: rows, repeats, infer, slow };
    let next = job.processedRows;
    // What an earlier run committed, and could not delete any more.
    void deps.shared?.forget(next);
    const inFlightMax = Math.max(
      deps.inFlightMax,
      deps.shared ? sharedBatchesMax : 0,
      deps.waterfall ? askedBatchesMax : 0,
    );
    while (job.status === 'running' && job.processedRows < job.totalRows) {
      while (pendingBatches.length < inFlightMax && next < job.totalRows) {
        const count = Math.min(rowsMax, job.totalRows - next);
        const bytes = rows.rangeBytes(next, count);
        const answer = sendBatch(deps, job, open, next, bytes);
        answer.catch(() => undefined);
        pendingBatches.push({ first: next, bytes, answer });
        next += count;
      }
      const pending = pendingBatches.shift();
      if (!pending) throw new Error(`job ${job.uuid} has nothing in flight`);
      await commitWhenMatched(deps, job, open, pending);
      if (deps.isStopping()) return;
      job = readJob(deps, id);
      deps.onProgress(job);
    }
  } finally {
    rows.close();
    // What is in flight is not written any more.
    if (pendingBatches.length > 0) stopAsking(deps);
    await Promise.allSettled(pendingBatches.map((pending) => pending.answer));
  }
}

function stopAsking({ waterfall, shared }: RunDeps): void {
  waterfall?.stop();
  shared?.stop();
}

/** Does the rows, and again those without an answer. Returns whether the job can complete. */
async function runAllRows(deps: RunDeps, id: number): Promise<boolean> {
  const { database, kinds, isStopping } = deps;
  const slow = createUnansweredBatches(deps.untilSlow);
  try {
    for (;;) {
      const before = readJob(deps, id);
      if (before.status !== 'running' || isStopping()) return false;
      // Those of an earlier run too: their answers are stored, or their tickets are polled.
      if (before.unansweredRows > 0) {
        await rewindJob(database, kinds, id, { reason: 'unanswered', pause, isStopping });
        continue;
      }
      await runRows(deps, id, slow);
      const { status, ...job } = readJob(deps, id);
      if (status !== 'running' || isStopping()) return false;
      if (job.unansweredRows === 0) return job.waitingRows === 0 || job.whenOffline === 'leave_out';
      await slow.settle();
    }
  } finally {
    stopAsking(deps);
    await slow.settle().catch(() => undefined);
  }
}

/**
 * Runs a queued or running job to its end, or until it is cancelled, the engine stops, or it waits
 * for the network. Committed batches are kept; a kill loses at most the batches in flight, and
 * those that wait for answers are done again. Throws EngineError if the providers behind the
 * directory refuse the job; the caller then fails the job.
 */
export async function runJob(deps: RunDeps, id: number): Promise<void> {
  const job = requireWhole(readJob(deps, id));
  if (job.status === 'queued') {
    await priceRetried(deps.database, job);
    // The job may have been cancelled meanwhile.
    if (readJob(deps, id).status !== 'queued') return;
    startJob(deps.database, id, deps.now().toISOString());
  }
  deps.onProgress(readJob(deps, id));
  if (!(await runAllRows(deps, id))) return;
  completeJob(deps, readJob(deps, id));
  deps.onProgress(readJob(deps, id));
}
