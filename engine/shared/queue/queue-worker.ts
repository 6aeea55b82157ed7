// A worker of the queue: takes a batch, matches it, and puts the answer, in one transaction. The
// row of the batch is locked meanwhile. If the worker dies, the server ends its transaction, and
// the next worker takes the batch.
import type { PoolClient } from 'pg';
import { EngineError } from '../../contract/errors.ts';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import {
  queueBatchBytesMax,
  queueBeatMs,
  queueDaysMax,
  queueRetryMs,
  queueSilenceMs,
  queueSweepMs,
  queueWaitMs,
} from '../../contract/shared/limits.ts';
import { ColumnMappingSchema } from '../../contract/uploads.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { isUnreachable } from '../connection/shared-failure.ts';
import { encodeAnswer, queueFormat } from './answer-bytes.ts';
import { deleteAnswers, deleteFreeBatches } from './delete-queued.ts';

/** The name of a worker's program at the server, by which workers are counted. */
export const workerApplication = 'enrichment-desk-worker';

/** Matches rows: the call of the match pool of jobs, and of the matcher over a shared directory. */
export type MatchBytes = (
  bytes: Uint8Array,
  mapping: ColumnMapping,
  threshold: number,
) => Promise<{ batch: MatchBatch; generation: number }>;

export interface WorkerDeps {
  /** A login of desk_queue. */
  readonly connection: SharedConnection;
  readonly match: MatchBytes;
  /** What its answers are signed with, for a person who looks for it. */
  readonly name: string;
  /** Ends the worker after the batches that it holds. */
  readonly signal: AbortSignal;
  /** Batches that it refuses: they ended the workers before it. */
  readonly refused?: ReadonlySet<string>;
  /** How often it tells the server that it still matches. */
  readonly beatMs?: number;
  /** How often it deletes what engines left. */
  readonly sweepMs?: number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
  /** Called after each batch, and when the server is lost and found. */
  onEvent?(event: WorkerEvent): void;
}

export type WorkerEvent =
  /** It holds a batch, which it names before it matches it. */
  | { readonly kind: 'taken'; readonly batch: string }
  /** It still matches it. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'answered'; readonly rows: number }
  | { readonly kind: 'refused'; readonly error: unknown }
  | { readonly kind: 'lost'; readonly error: unknown };

interface BatchRow {
  readonly job_uuid: string;
  readonly first_row: number;
  readonly digest: Buffer;
  readonly mapping: unknown;
  readonly threshold: number;
  /** Null for a batch that is too long. */
  readonly rows: Buffer | null;
}

/**
 * A server ends the transaction of a worker that went silent, as after a power failure, or that
 * hangs. One that matches for long says so (`beat`).
 */
const watchClient = `
  SET application_name = '${workerApplication}';
  SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3;
  SET idle_in_transaction_session_timeout = ${queueSilenceMs}`;

const queueMappingBytesMax = 1_000;

/** What a worker without work asks, so that many of them cost the server little. */
const findBatch = `
  SELECT EXISTS (SELECT FROM match_batch WHERE format = ${queueFormat}) AS "isThere"`;

/** A batch that another program wrote may be too long to be read. */
const takeBatch = `
  SELECT job_uuid, first_row, digest, threshold,
    CASE WHEN octet_length(mapping::text) <= ${queueMappingBytesMax} THEN mapping END AS mapping,
    CASE WHEN octet_length(rows) <= ${queueBatchBytesMax} THEN rows END AS rows
  FROM match_batch
  WHERE format = ${queueFormat}
  ORDER BY created_at, first_row LIMIT 1 FOR UPDATE SKIP LOCKED`;

const putAnswer = `
  INSERT INTO match_answer (job_uuid, first_row, digest, generation, worker, answer)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`;

const dropBatch = 'SELECT delete_batch($1, $2, $3)';

async function matchAlive(deps: WorkerDeps, client: PoolClient, taken: BatchRow) {
  let sent: Promise<unknown> | null = null;
  const beat = () => {
    deps.onEvent?.({ kind: 'beat' });
    // If the server is lost, what follows fails too.
    sent ??= client
      .query('SELECT 1')
      .catch(() => undefined)
      .finally(() => {
        sent = null;
      });
  };
  const timer = setInterval(beat, deps.beatMs ?? queueBeatMs);
  try {
    const mapping = ColumnMappingSchema.parse(taken.mapping);
    if (taken.rows === null) throw new Error('the batch is too long');
    return await deps.match(taken.rows, mapping, taken.threshold);
  } finally {
    clearInterval(timer);
    await sent;
  }
}

/** The answer to a batch; null if it cannot be matched. Rejects with an EngineError. */
async function matchTaken(deps: WorkerDeps, client: PoolClient, taken: BatchRow) {
  const name = `${taken.job_uuid} ${taken.first_row} ${taken.digest.toString('hex')}`;
  deps.onEvent?.({ kind: 'taken', batch: name });
  try {
    if (deps.refused?.has(name)) throw new Error('the workers before this one ended with it');
    const { batch, generation } = await matchAlive(deps, client, taken);
    return { generation, bytes: encodeAnswer(batch), rows: batch.count };
  } catch (error) {
    // Another worker may have the right secret and format.
    if (error instanceof EngineError) throw error;
    // The owner ends the job, rather than that every worker tries the batch for ever.
    deps.onEvent?.({ kind: 'refused', error });
    return null;
  }
}

async function answerNext(deps: WorkerDeps, client: PoolClient): Promise<boolean> {
  const { rows: found } = await client.query<BatchRow>(takeBatch);
  const [taken] = found;
  if (!taken) return false;
  const key = [taken.job_uuid, taken.first_row, taken.digest];
  const answer = await matchTaken(deps, client, taken);
  const { generation = 0, bytes = null } = answer ?? {};
  await client.query(putAnswer, [...key, generation, deps.name, bytes]);
  await client.query(dropBatch, key);
  if (answer) deps.onEvent?.({ kind: 'answered', rows: answer.rows });
  return true;
}

const isOld = `created_at < now() - interval '${queueDaysMax} day'`;

/** An engine that still waits writes its batches again; those of others go after a day. */
const sweepOld = `${deleteAnswers(isOld)} UNION ALL ${deleteFreeBatches(isOld)}`;

/**
 * Works until the signal, and then resolves. A server that cannot be reached is tried again.
 * Rejects with an EngineError if the login, the tables or the secret are wrong; its batch is then
 * free for another worker.
 */
export async function runQueueWorker(deps: WorkerDeps): Promise<void> {
  const { connection, signal, sweepMs = queueSweepMs } = deps;
  const watched = new WeakSet<PoolClient>();
  let idleMs: number = queueWaitMs.min;
  let isBusy = false;
  let sweepAtMs = 0;
  while (!signal.aborted)
    try {
      if (performance.now() >= sweepAtMs) {
        sweepAtMs = performance.now() + sweepMs;
        await connection.use((client) => client.query(sweepOld));
      }
      const isAnswered = await connection.use(async (client) => {
        if (!watched.has(client)) await client.query(watchClient);
        watched.add(client);
        if (!isBusy && !(await client.query(findBatch)).rows[0]?.isThere) return false;
        await client.query('BEGIN');
        const answered = await answerNext(deps, client);
        await client.query('COMMIT');
        return answered;
      });
      isBusy = isAnswered;
      idleMs = isAnswered ? queueWaitMs.min : Math.min(idleMs * 2, queueWaitMs.max);
      if (!isAnswered) await deps.wait(idleMs, signal).catch(() => undefined);
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      deps.onEvent?.({ kind: 'lost', error });
      await deps.wait(queueRetryMs, signal).catch(() => undefined);
    }
}
