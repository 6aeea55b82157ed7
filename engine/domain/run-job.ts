/**
 * Runs one job: read a batch → match → write results, progress and counts in one transaction →
 * next.
 *
 *   queued ──startJob──> running ──all rows written──> completed   (hold settled and released,
 * once)
 *                          │  └──────cancelJob───────> cancelled   (by another command, between
 * batches)
 *                          └──────────kill───────────> running     (found again, goes on at
 * processed_rows)
 */
import { creditUnits } from '../contract/credits.ts';
import { rowStatuses } from '../contract/job.ts';
import { batchRowsMax } from '../contract/limits.ts';
import type { ColumnMapping } from '../contract/row-input.ts';
import type { MatchBatch } from '../directory/match-batch.ts';
import { createProjection } from '../directory/projection.ts';
import type { Upstream } from '../providers/ask-provider.ts';
import type { WritableDatabase } from '../sqlite/open.ts';
import { inRepeatableTransaction, inTransaction } from '../sqlite/transaction.ts';
import { countParts } from '../store/batch-parts.ts';
import {
  advanceJob,
  endJob,
  getJobById,
  type JobRow,
  noteUpstreamAccepted,
  startJob,
} from '../store/job.ts';
import { insertBatch } from '../store/job-batch.ts';
import { resolveHold } from '../store/ledger.ts';
import { insertResults, summarizeRange } from '../store/result.ts';
import { answerBatch, type BatchAnswer, settleAsked } from './answer-batch.ts';
import { openInput } from './job-folder.ts';
import { priceRow } from './price-job.ts';
import { chargeMonitorJob, recordFindings } from './record-findings.ts';
import { writeAnswers } from './write-answers.ts';

/** What running a job needs of the world around it. */
export interface RunSurroundings {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  readonly folder: string;
  /** Batches to have matched ahead of the one being written. */
  readonly inFlightMax: number;
  /** The provider behind the directory, where the world has one. */
  readonly upstream?: Upstream | undefined;
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch; generation: number }>;
  /** Generation of the directory as the writing connection sees it now. */
  readGeneration(): number;
  whenGeneration(generation: number): Promise<void>;
  now(): Date;
  /** After each committed batch. */
  onProgress(job: JobRow): void;
  /** True when the engine is to stop: the job stays as it is and goes on at the next start. */
  isStopping(): boolean;
}

interface Counts {
  enriched: number;
  skipped: number;
  failed: number;
  pendingChargeUnits: number;
}

/**
 * Writes one batch: results, counters and progress stand or fall together. False: a person
 * vanished.
 */
function commitBatch(
  around: RunSurroundings,
  job: JobRow,
  projection: ReturnType<typeof createProjection>,
  first: number,
  { batch, asked }: BatchAnswer,
): boolean {
  const { database } = around;
  const ready = asked && settleAsked(asked, job.upstreamAccepted === 1);
  const at = around.now().toISOString();
  class Vanished extends Error {}
  // What the directory answers is found again; what a provider was asked is never asked twice.
  const write = ready ? inTransaction : inRepeatableTransaction;
  try {
    write(database, () => {
      projection.load(batch, first);
      insertResults(database, job.resultBase, projection.selectSql);
      const counts: Counts = { enriched: 0, skipped: 0, failed: 0, pendingChargeUnits: 0 };
      const firstId = job.resultBase + first;
      if (ready && around.upstream) {
        const { codes } = job;
        writeAnswers(database, { codes, source: around.upstream.name, firstId }, ready);
        if (!job.upstreamAccepted) noteUpstreamAccepted(database, job.id);
      }
      const { groups, statuses } = summarizeRange(database, firstId, firstId + batch.count - 1);
      for (const group of groups) {
        const status = rowStatuses[group.status];
        if (!status) throw new Vanished();
        counts[status] += group.count;
        counts.pendingChargeUnits +=
          group.count * priceRow(job, status === 'enriched', group.layerBits);
      }
      const { pendingChargeUnits, ...rows } = counts;
      const parts = countParts(statuses);
      const written = { jobId: job.id, firstRow: first, rowCount: batch.count, at };
      insertBatch(database, { ...written, ...rows, parts });
      advanceJob(database, job.id, {
        processed: batch.count,
        ...rows,
        pendingChargeUnits: creditUnits(pendingChargeUnits),
      });
      if (job.kind === 'monitor')
        recordFindings(database, around.folder, job, { firstRow: first, count: batch.count });
    });
    return true;
  } catch (error) {
    if (error instanceof Vanished) return false;
    throw error;
  }
}

/** Resolves the hold and ends the job, in one transaction. */
function completeJob(around: RunSurroundings, job: JobRow): void {
  const at = around.now().toISOString();
  inTransaction(around.database, () => {
    if (job.holdId === null) throw new Error(`job ${job.uuid} has no hold`);
    const { settledUnits, releasedUnits } = resolveHold(
      around.database,
      job.holdId,
      job.pendingChargeUnits,
      at,
    );
    endJob(around.database, job.id, {
      status: 'completed',
      chargedUnits: settledUnits,
      releasedUnits,
      at,
    });
    if (job.kind === 'monitor') chargeMonitorJob(around.database, job, at);
  });
}

const readJob = (around: RunSurroundings, id: number): JobRow => {
  const job = getJobById(around.database, id);
  if (!job) throw new Error(`job ${id} vanished`);
  return job;
};

/** A batch read and sent to be matched. */
interface Flight {
  readonly first: number;
  readonly bytes: Uint8Array;
  readonly answer: Promise<BatchAnswer>;
}

/** Sends rows to be answered. */
function sendBatch(
  around: RunSurroundings,
  job: JobRow,
  firstRow: number,
  bytes: Uint8Array,
): Promise<BatchAnswer> {
  const match = around.match(bytes, job.mapping, job.matchThreshold);
  const rows = { jobUuid: job.uuid, firstRow, bytes, mapping: job.mapping };
  return answerBatch(match, around.upstream, rows);
}

/** Matches and writes one batch, again with a newer index where a person was removed meanwhile. */
async function landBatch(
  around: RunSurroundings,
  job: JobRow,
  projection: ReturnType<typeof createProjection>,
  flight: Flight,
): Promise<void> {
  let answer = await flight.answer;
  for (;;) {
    const current = readJob(around, job.id);
    if (current.status !== 'running' || around.isStopping()) return;
    if (commitBatch(around, current, projection, flight.first, answer)) return;
    await around.whenGeneration(around.readGeneration());
    answer = await sendBatch(around, job, flight.first, flight.bytes.slice());
  }
}

/**
 * Runs a queued or running job to its end, or until it is cancelled or the engine stops. What was
 * committed stays; a kill loses at most the batches in flight. Throws EngineError where the
 * provider behind the directory ends the job: what was done stays done, and the job is to be failed
 * with it.
 */
export async function runJob(around: RunSurroundings, id: number): Promise<void> {
  let job = readJob(around, id);
  if (job.status === 'queued') startJob(around.database, id, around.now().toISOString());
  job = readJob(around, id);
  around.onProgress(job);
  const rows = openInput(around.folder, job.uuid, job.totalRows);
  const flights: Flight[] = [];
  try {
    const projection = createProjection(around.database, {
      schema: 'directory',
      layers: job.codes,
    });
    const rowsMax = Math.min(batchRowsMax, around.upstream?.rowsMax ?? batchRowsMax);
    let next = job.processedRows;
    while (job.status === 'running' && job.processedRows < job.totalRows) {
      while (flights.length < around.inFlightMax && next < job.totalRows) {
        const count = Math.min(rowsMax, job.totalRows - next);
        const bytes = rows.rangeBytes(next, count);
        const answer = sendBatch(around, job, next, bytes);
        answer.catch(() => undefined);
        flights.push({ first: next, bytes, answer });
        next += count;
      }
      const flight = flights.shift();
      if (!flight) throw new Error(`job ${job.uuid} has nothing in flight`);
      await landBatch(around, job, projection, flight);
      if (around.isStopping()) return;
      job = readJob(around, id);
      around.onProgress(job);
    }
  } finally {
    rows.close();
    around.upstream?.stop();
    await Promise.allSettled(flights.map((flight) => flight.answer));
  }
  if (job.status === 'running') {
    completeJob(around, job);
    around.onProgress(readJob(around, id));
  }
}
