// The answers to one batch: the match, earlier decisions, the services, and inferred emails.
import type { createProjection } from '../../directory/read/projection.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { Waterfall } from '../../providers/waterfall/waterfall-run.ts';
import type { SharedRun } from '../../shared/queue/ask-shared.ts';
import { readSuppressionList } from '../../suppression/suppression-list.ts';
import type { JobRow } from '../job.table.ts';
import { listDecisions, presentRecall, recallDecisions } from '../review/recall-decisions.ts';
import type { Recall } from '../review/review-memory.table.ts';
import type { UnansweredBatches } from '../slow/unanswered-batches.ts';
import { type BatchAnswer, enrichBatch } from './enrich-batch.ts';
import type { InferBatch, InferredRows } from './infer-batch.ts';
import { listIncomplete, listIncompleteShared } from './list-incomplete.ts';
import type { MatchPool } from './match-pool.ts';
import type { RecordIdMatcher } from './match-record-ids.ts';

export interface SendDeps {
  /** The writing connection, with the directory attached as `directory`. */
  readonly database: WritableDatabase;
  /** The user's providers behind the directory, if any is on. */
  readonly waterfall?: Waterfall | undefined;
  /** The shared directory, which is asked about rows that the own one does not know, if any. */
  readonly shared?: SharedRun | undefined;
  readonly match: MatchPool['match'];
}

export interface OpenAnswers {
  readonly projection: ReturnType<typeof createProjection>;
  readonly matchIds: RecordIdMatcher;
  /** Null if the job does not infer emails. */
  readonly infer: InferBatch | null;
  /** The batches that services have not answered. */
  readonly slow: UnansweredBatches;
}

/** The answers to a batch, and the rows that a person's earlier decisions answered. */
export interface AnsweredBatch extends BatchAnswer {
  readonly recalls: readonly Recall[];
  readonly inferred: InferredRows | null;
  readonly bytes: Uint8Array;
  readonly firstRow: number;
}

export async function sendBatch(
  deps: SendDeps,
  job: JobRow,
  { projection, matchIds, infer, slow }: OpenAnswers,
  firstRow: number,
  bytes: Uint8Array,
): Promise<AnsweredBatch> {
  const matched = await deps.match(bytes, job.mapping, job.matchThreshold);
  const match = { ...matched, batch: matchIds(matched.batch, bytes) };
  const { recalls, elsewhere } = recallDecisions(deps.database, job, match.batch, {
    firstRow,
    bytes,
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
    startPatience: slow.startPatience,
    isRepeated: slow.isRepeated(),
    listIncompleteShared: (results) => listIncompleteShared(results, job.codes),
    bytes,
    mapping: job.mapping,
    list: readSuppressionList(deps.database),
    // A monitor compares what the directories know.
    listIncomplete: (batch) =>
      job.kind === 'monitor' ? [] : listIncomplete(deps.database, projection, batch, job.codes),
  });
  if (answer.whenAnswered) slow.add(answer.whenAnswered);
  // Last, so that an inference never replaces an answer, and never keeps a provider from one.
  const inferred = infer && (await infer(match.batch, answer.completions));
  const ofShared = (answer.recalled ?? []).flatMap((at) => {
    const memory = elsewhere.get(at);
    return memory ? [presentRecall(memory, firstRow + at)] : [];
  });
  return { ...answer, recalls: [...recalls, ...ofShared], inferred, bytes, firstRow };
}
