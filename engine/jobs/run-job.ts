/**
 * Runs one job batch by batch: reads a batch, matches it, and writes its results, progress and
 * counts in one transaction.
 *
 *   queued ──startJob──> running ──all rows written──> completed   (the hold is settled once, and
 *                          │                                        its rest released)
 *                          ├──cancelJob──> cancelled   (by another command, between batches)
 *                          ├──offline────> running     (all rows written, some wait: offline/)
 *                          ├──failJob────> failed      (its provider refuses, or a bug)
 *                          └──kill───────> running     (found again, continues at processed_rows)
 */
import { creditUnits } from '../contract/credits.ts';
import { reasons, rowStatuses } from '../contract/jobs/job.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { batchRowsMax } from '../contract/limits/jobs.ts';
import { askedBatchesMax } from '../contract/limits/waterfall.ts';
import { sharedBatchesMax } from '../contract/shared/limits.ts';
import type { MatchBatch } from '../directory/index/match-batch.ts';
import { createProjection } from '../directory/read/projection.ts';
import { resolveHold } from '../ledger/ledger.ts';
import {
  addPaid,
  chargedLayers,
  type PaidSets,
  priceSets,
  sumLayers,
} from '../ledger/price-job.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';
import type { Waterfall } from '../providers/waterfall/waterfall-run.ts';
import type { SharedRun } from '../shared/queue/ask-shared.ts';
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
import {
  type BatchAnswer,
  enrichBatch,
  resolveUpstream,
  withoutRows,
} from './matching/enrich-batch.ts';
import {
  type CheckEmails,
  type InferBatch,
  type InferredRows,
  openInference,
  writeInferred,
} from './matching/infer-batch.ts';
import { listIncomplete, listIncompleteShared } from './matching/list-incomplete.ts';
import { type JobRepeats, openRepeats, priceRetried } from './repeats/open-repeats.ts';
import { countParts } from './results/batch-parts.ts';
import { insertBatch } from './results/job-batch.table.ts';
import { insertResults, summarizeRange } from './results/result.table.ts';
import { writeAnswers, writeCompletions, writeShared } from './results/write-answers.ts';
import { listDecisions, presentRecall, recallDecisions } from './review/recall-decisions.ts';
import { insertRecalls, type Recall } from './review/review-memory.table.ts';

/** Dependencies of running a job, from the writer. */
export interface RunDeps {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  readonly folder: string;
  /** Rows per batch; batchRowsMax if omitted. */
  readonly batchRowsMax?: number;
  /** Batches in flight: sent to be matched, and not written yet. */
  readonly inFlightMax: number;
  readonly kinds: JobKinds;
  /** The user's providers behind the directory, if any is on. */
  readonly waterfall?: Waterfall | undefined;
  /** The shared directory, which is asked about rows that the own one does not know, if any. */
  readonly shared?: SharedRun | undefined;
  /** Checks inferred emails; without it, none are inferred. */
  readonly checkEmails?: CheckEmails | undefined;
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch; generation: number }>;
  /** Current generation of the directory, as the writing connection sees it. */
  readGeneration(): number;
  whenGeneration(generation: number): Promise<void>;
  now(): Date;
  /** Called after each committed batch. */
  onProgress(job: JobRow): void;
  /** True when the engine is stopping: the job is left as it is and continues at the next start. */
  isStopping(): boolean;
}

/** Resources that are open while a job runs. */
interface OpenJob {
  readonly projection: ReturnType<typeof createProjection>;
  readonly input: RowsFile;
  readonly repeats: JobRepeats;
  /** Null if the job does not infer emails. */
  readonly infer: InferBatch | null;
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
  { projection, input, repeats }: OpenJob,
  first: number,
  answered: AnsweredBatch,
): boolean {
  const { database } = deps;
  const list = readSuppressionList(database);
  const rows = suppressBatch(list, job, answered);
  const { batch, ready, completions, shared, recalls, waiting } = rows;
  const { inferred } = answered;
  const at = deps.now().toISOString();
  class Vanished extends Error {}
  // What providers answered must not be lost by a power failure: it was paid for.
  const write = ready || completions ? inTransaction : inRepeatableTransaction;
  try {
    const repeated = write(database, () => {
      projection.load(batch, first);
      insertResults(database, job.resultBase, projection.selectSql);
      const counts: Counts = { enriched: 0, skipped: 0, failed: 0 };
      const paid: PaidSets = new Map();
      const firstId = job.resultBase + first;
      if (ready) {
        writeAnswers(database, { codes: job.codes, firstId }, ready, list);
        if (!job.upstreamAccepted && waiting === 0) noteUpstreamAccepted(database, job.id);
      }
      writeShared(database, firstId, shared, list);
      if (completions) writeCompletions(database, { ...job, firstRow: first }, completions, list);
      if (inferred) writeInferred(database, { ...job, firstRow: first }, inferred, list);
      insertRecalls(database, job, recalls);
      const found = repeats.mark(job, { firstRow: first, count: batch.count });
      const { groups, statuses, facts } = summarizeRange(
        database,
        firstId,
        firstId + batch.count - 1,
      );
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
      const written = { jobId: job.id, firstRow: first, rowCount: batch.count, at };
      insertBatch(database, { ...written, ...counts, parts, facts, waiting });
      advanceJob(database, job.id, {
        processed: batch.count,
        ...counts,
        ...{ duplicates: found.duplicates, paidBefore: found.paidBefore, known: found.known },
        ...{ waiting, waitingSince: at },
        pendingChargeUnits: creditUnits(sumLayers(units)),
      });
      deps.kinds[job.kind].afterBatch(job, { firstRow: first, count: batch.count }, input);
      return found;
    });
    repeats.keep(repeated);
    return true;
  } catch (error) {
    if (error instanceof Vanished) return false;
    throw error;
  }
}

/** Resolves the hold and ends the job, in one transaction. */
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

/** The answers to a batch, and the rows that a person's earlier decisions answered. */
interface AnsweredBatch extends BatchAnswer {
  readonly recalls: readonly Recall[];
  readonly inferred: InferredRows | null;
  readonly bytes: Uint8Array;
  readonly firstRow: number;
}

/**
 * What is written of a batch: without the rows that the suppression list names now. The list may
 * have changed since the batch was matched.
 */
function suppressBatch(list: SuppressionList, job: JobRow, answered: AnsweredBatch) {
  const { upstreamRows, bytes, firstRow } = answered;
  if (answered.isStopped) throw new Error('what was not asked cannot be written');
  const ready = upstreamRows && resolveUpstream(upstreamRows, job.upstreamAccepted === 1);
  const isCurrent = list.version === answered.listVersion;
  const { batch, positions } = isCurrent
    ? { batch: answered.batch, positions: new Set<number>() }
    : suppressRows(list, answered.batch, bytes, job.mapping);
  const code = reasons.indexOf('suppressed');
  return {
    batch,
    ready: ready && withoutRows(ready, positions),
    completions: answered.completions && withoutRows(answered.completions, positions),
    shared: (answered.shared ?? []).filter(({ position }) => !positions.has(position)),
    waiting: [...(answered.deferred ?? [])].filter((at) => !positions.has(at)).length,
    recalls: answered.recalls.filter(({ rowIndex }) => batch.reasons[rowIndex - firstRow] !== code),
  };
}

/** A batch that was read and sent to be matched. */
interface PendingBatch {
  readonly first: number;
  readonly bytes: Uint8Array;
  readonly answer: Promise<AnsweredBatch>;
}

/** Sends a batch to be matched, repeats earlier decisions, and asks the providers for the rest. */
async function sendBatch(
  deps: RunDeps,
  job: JobRow,
  { projection, infer }: Pick<OpenJob, 'projection' | 'infer'>,
  firstRow: number,
  bytes: Uint8Array,
): Promise<AnsweredBatch> {
  const match = await deps.match(bytes, job.mapping, job.matchThreshold);
  const { recalls, elsewhere } = recallDecisions(deps.database, job, match.batch, {
    ...{ firstRow, bytes },
  });
  const { shared } = deps;
  const { mapping, matchThreshold: threshold } = job;
  const answer = await enrichBatch(Promise.resolve(match), deps.waterfall, {
    askShared: shared
      ? (rows, positions) => {
          const decisions = listDecisions(elsewhere, positions);
          return shared.ask({ firstRow, rows, mapping, threshold, decisions });
        }
      : undefined,
    waitsForShared: job.whenOffline === 'wait',
    listIncompleteShared: (results) => listIncompleteShared(results, job.codes),
    ...{ bytes, mapping: job.mapping, list: readSuppressionList(deps.database) },
    // A monitor compares what the directories know.
    listIncomplete: (batch) =>
      job.kind === 'monitor' ? [] : listIncomplete(deps.database, projection, batch, job.codes),
  });
  // Last, so that an inference never replaces an answer, and never keeps a provider from one.
  const inferred = infer && (await infer(match.batch, answer.completions));
  const ofShared = (answer.recalled ?? []).flatMap((at) => {
    const memory = elsewhere.get(at);
    return memory ? [presentRecall(memory, firstRow + at)] : [];
  });
  return { ...answer, recalls: [...recalls, ...ofShared], inferred, bytes, firstRow };
}

/**
 * Matches and writes one batch; repeats it with a newer index if a person was removed meanwhile.
 */
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
    await deps.whenGeneration(deps.readGeneration());
    answer = await sendBatch(deps, job, open, pending.first, pending.bytes);
  }
}

/**
 * Runs a queued or running job to its end, or until it is cancelled, the engine stops, or it waits
 * for the network. Committed
 * batches are kept; a kill loses at most the batches in flight. Throws EngineError if the providers
 * behind the directory refuse the job; the caller then fails the job.
 */
export async function runJob(deps: RunDeps, id: number): Promise<void> {
  let job = readJob(deps, id);
  if (job.status === 'queued') {
    await priceRetried(deps.database, job);
    // The job may have been cancelled meanwhile.
    if (readJob(deps, id).status !== 'queued') return;
    startJob(deps.database, id, deps.now().toISOString());
  }
  job = readJob(deps, id);
  deps.onProgress(job);
  const rows = openInput(deps.folder, job.uuid, job.totalRows);
  const pendingBatches: PendingBatch[] = [];
  try {
    const projection = createProjection(deps.database, {
      schema: 'directory',
      layers: job.codes,
    });
    const batchRows = deps.batchRowsMax ?? batchRowsMax;
    const rowsMax = Math.min(batchRows, deps.waterfall?.rowsMax ?? batchRows);
    const repeats = await openRepeats(deps.database, job);
    const open = { projection, input: rows, repeats, infer: openInference(deps, job) };
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
    deps.waterfall?.stop();
    deps.shared?.stop();
    await Promise.allSettled(pendingBatches.map((pending) => pending.answer));
  }
  if (job.status === 'running' && (job.waitingRows === 0 || job.whenOffline === 'leave_out')) {
    completeJob(deps, job);
    deps.onProgress(readJob(deps, id));
  }
}
