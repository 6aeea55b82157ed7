/**
 * The match threads of an environment: assigns each batch to the next thread in turn and gives all
 * of them a new index.
 */
import { availableParallelism } from 'node:os';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { batchesInFlightPerThread, matchThreadsMax } from '../../contract/limits/jobs.ts';
import type { MatchBatch } from '../../directory/index/match-batch.ts';
import { type SupervisedWorker, superviseWorker } from '../../platform/workers/supervise-worker.ts';
import { ignoreEnd, WorkerEnded } from '../../platform/workers/worker-rpc.ts';
import type { MatchCalls } from './match.worker.ts';

/** A pool of match threads. */
export interface MatchPool {
  /** Number of batches that keeps every thread busy. */
  readonly inFlightMax: number;
  /** Resolves when there is an index of at least this generation of the directory. */
  whenGeneration(generation: number): Promise<void>;
  takeIndex(buffer: SharedArrayBuffer, generation: number): Promise<void>;
  /**
   * Matches a batch. If its thread ends, the batch is retried on the next thread. Rejects if the
   * batch ended several threads, and after `close`.
   */
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch; generation: number }>;
  close(): Promise<void>;
}

/** Number of match threads: all cores but one, at least one, at most four. */
const countMatchThreads = () => Math.min(matchThreadsMax, Math.max(1, availableParallelism() - 1));

/** A batch that ends its threads is a bug, not a refusal of its job. */
function reportBatch(error: unknown): never {
  if (!(error instanceof WorkerEnded)) throw error;
  throw new Error('the threads that matched a batch ended repeatedly', { cause: error });
}

/** Starts the threads, which wait for their first index. */
export function startMatchPool(count = countMatchThreads()): MatchPool {
  let index: { buffer: SharedArrayBuffer; generation: number } | null = null;
  let waiting: { generation: number; resolve(): void }[] = [];
  let turn = -1;
  let isClosed = false;
  const workers: SupervisedWorker<MatchCalls>[] = [];
  const startWorker = () => {
    if (isClosed) throw new WorkerEnded(new Error('the pool is closed'), false, false);
    return superviseWorker<MatchCalls>({
      name: 'match-thread',
      async onStart(calls) {
        if (index) await calls.takeIndex({ buffer: index.buffer });
      },
    });
  };
  return {
    inFlightMax: count * batchesInFlightPerThread,
    whenGeneration: (generation) =>
      new Promise((resolve) => {
        if (index && index.generation >= generation) resolve();
        else waiting.push({ generation, resolve });
      }),
    async takeIndex(buffer, generation) {
      index = { buffer, generation };
      await Promise.all(workers.map(({ calls }) => calls.takeIndex({ buffer }).catch(ignoreEnd)));
      for (const one of waiting) if (one.generation <= generation) one.resolve();
      waiting = waiting.filter((one) => one.generation > generation);
    },
    async match(bytes, mapping, threshold) {
      turn = (turn + 1) % count;
      const worker = workers[turn] ?? startWorker();
      workers[turn] = worker;
      return worker.run((calls) => calls.match({ bytes, mapping, threshold })).catch(reportBatch);
    },
    async close() {
      isClosed = true;
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
}
