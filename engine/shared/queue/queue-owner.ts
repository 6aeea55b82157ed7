// The owner of a job's batches: the engine that has the job and its money. It writes batches, waits
// for the answers, and deletes both once it has committed the results. Everything can be repeated:
// a batch is known by its job, its first row and what it asks.
import { createHash } from 'node:crypto';
import { EngineError } from '../../contract/errors.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { queueRenewMs, queueWaitMs } from '../../contract/shared/limits.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { answerBytesMax, decodeAnswer, queueFormat } from './answer-bytes.ts';
import { deleteAnswers, deleteFreeBatches } from './delete-queued.ts';

export interface QueueBatch {
  /** The first row of the job's batch that its rows are from. */
  readonly firstRow: number;
  readonly count: number;
  /** Complete records of CSV. */
  readonly bytes: Uint8Array;
  readonly mapping: ColumnMapping;
  readonly threshold: number;
}

export interface QueueAnswer {
  readonly batch: MatchBatch | null;
  readonly generation: number;
}

/** The batches of one job. Every call rejects with SharedFailure while there is no server. */
export interface QueueOwner {
  /**
   * Sends a batch and resolves to its answer, whose batch is null if the answer cannot be read.
   * Rejects with the signal's reason, with what `look`
   * rejects with, and with `upstream_error` if workers could not match the rows.
   */
  ask(batch: QueueBatch, signal: AbortSignal): Promise<QueueAnswer>;
  /** Deletes the answer to a batch, so that it is asked again. */
  dropAnswer(batch: QueueBatch): Promise<void>;
  /** Deletes batches and answers up to a row: their results are committed. */
  forget(endRow: number): Promise<void>;
  /** Deletes untaken batches but the first: its answer will show that there is a worker. */
  keepFirst(): Promise<void>;
  /** Deletes everything of the job, which has ended. Waits for workers that hold a batch of it. */
  forgetAll(): Promise<void>;
}

export interface OwnerDeps {
  /** A login of desk_jobs. */
  readonly connection: SharedConnection;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  /** Called while a batch waits. Rejects if its owner waits no longer. */
  look?(): Promise<void>;
}

function digestOf({ bytes, mapping, threshold }: QueueBatch): Buffer {
  const names = Object.entries(mapping).sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([queueFormat, names, threshold]))
    .update(bytes)
    .digest();
}

const putBatch = `
  INSERT INTO match_batch (job_uuid, first_row, digest, format, mapping, threshold, rows)
  SELECT $1, $2, $3, ${queueFormat}, $4, $5, $6
  WHERE NOT EXISTS (
    SELECT FROM match_answer WHERE job_uuid = $1 AND first_row = $2 AND digest = $3)
  ON CONFLICT DO NOTHING`;

/** An answer that is too long is not sent. */
const readAnswer = `
  SELECT generation::float8 AS generation, answer IS NOT NULL AS "isMatched",
    CASE WHEN octet_length(answer) <= $4 THEN answer END AS answer FROM match_answer
  WHERE job_uuid = $1 AND first_row = $2 AND digest = $3`;

const dropAnswer = 'SELECT delete_answer($1, $2, $3)';

interface AnswerRow {
  readonly generation: number;
  readonly isMatched: boolean;
  readonly answer: Buffer | null;
}

/** Null for an answer that no worker of this product wrote. */
function tryDecode({ answer }: AnswerRow, count: number): MatchBatch | null {
  try {
    return answer && decodeAnswer(answer, count);
  } catch {
    return null;
  }
}

/** Skips what a worker holds: its answer goes with the job. */
const forgetSql = `
  ${deleteAnswers('job_uuid = $1 AND first_row < $2')}
  UNION ALL ${deleteFreeBatches('job_uuid = $1 AND first_row < $2')}`;

const keepFirstSql = deleteFreeBatches(`job_uuid = $1
  AND first_row > (SELECT min(first_row) FROM match_batch WHERE job_uuid = $1)`);

/** Waits for the workers that hold a batch, and then deletes their answers too. */
const forgetBatches =
  'SELECT delete_batch(job_uuid, first_row, digest) FROM match_batch WHERE job_uuid = $1';
const forgetAnswers = deleteAnswers('job_uuid = $1');

const refusedBatch = (firstRow: number): EngineError =>
  new EngineError(
    'upstream_error',
    `Workers of the team’s directory could not match rows from row ${firstRow + 1} on. Their ` +
      'programs note the reason. To go on without them, switch the team’s directory off under ' +
      'Connections, then retry the job.',
  );

export function createQueueOwner(deps: OwnerDeps, jobUuid: string): QueueOwner {
  const { connection, wait } = deps;
  return {
    async ask(batch, signal) {
      const { firstRow, bytes, mapping, threshold, count } = batch;
      const key = [jobUuid, firstRow, digestOf(batch)];
      const put = () =>
        connection.use((client) =>
          client.query(putBatch, [...key, JSON.stringify(mapping), threshold, Buffer.from(bytes)]),
        );
      await put();
      let waitedMs = 0;
      for (let waitMs: number = queueWaitMs.min; ; waitMs = Math.min(waitMs * 2, queueWaitMs.max)) {
        const { rows } = await connection.use((client) =>
          client.query<AnswerRow>(readAnswer, [...key, answerBytesMax(count)]),
        );
        const [found] = rows;
        if (found && !found.isMatched) throw refusedBatch(firstRow);
        if (found) return { batch: tryDecode(found, count), generation: found.generation };
        signal.throwIfAborted();
        await wait(waitMs, signal);
        waitedMs += waitMs;
        await deps.look?.();
        // The queue may have been emptied meanwhile, as by a restored backup of the server.
        if (waitedMs < queueRenewMs) continue;
        waitedMs = 0;
        await put();
      }
    },
    async dropAnswer(batch) {
      const key = [jobUuid, batch.firstRow, digestOf(batch)];
      await connection.use((client) => client.query(dropAnswer, key));
    },
    async forget(endRow) {
      await connection.use((client) => client.query(forgetSql, [jobUuid, endRow]));
    },
    async keepFirst() {
      await connection.use((client) => client.query(keepFirstSql, [jobUuid]));
    },
    async forgetAll() {
      await connection.use((client) => client.query(forgetBatches, [jobUuid]));
      await connection.use((client) => client.query(forgetAnswers, [jobUuid]));
    },
  };
}
