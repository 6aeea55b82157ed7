// The match threads of an environment: gives each batch to the thread that has the fewest, and all
// threads a new index. A thread starts when every other one has a batch.
import { availableParallelism } from 'node:os';
import type { ColumnMapping } from '../../contract/jobs/row-input.ts';
import { batchesInFlightPerThread, matchThreadsMax } from '../../contract/limits/jobs.ts';
import { type SupervisedWorker, superviseWorker } from '../../platform/workers/supervise-worker.ts';
import { ignoreEnd, WorkerEnded } from '../../platform/workers/worker-rpc.ts';
import type { Matched, MatchOrder } from './create-match-worker.ts';
import type { MatchCalls } from './match.worker.ts';

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
  match(bytes: Uint8Array, mapping: ColumnMapping, threshold: number): Promise<Matched>;
  /** The same for someone who waits: null if every thread has a batch, or none has an index. */
  matchNow(order: MatchOrder): Promise<Matched | null>;
  close(): Promise<void>;
}

/** Number of match threads: all cores but one, at least one, at most four. */
const countMatchThreads = () => Math.min(matchThreadsMax, Math.max(1, availableParallelism() - 1));

/** A batch that ends its threads is a bug, not a refusal of its job. */
function reportBatch(error: unknown): never {
  if (!(error instanceof WorkerEnded)) throw error;
  throw new Error('the threads that matched a batch ended repeatedly', { cause: error });
}

/** Threads that wait for their first index. @param folder the data folder */
export function startMatchPool(folder: string, count = countMatchThreads()): MatchPool {
  let index: { buffer: SharedArrayBuffer; generation: number } | null = null;
  let waiting: { generation: number; resolve(): void }[] = [];
  let isClosed = false;
  const workers: { readonly thread: SupervisedWorker<MatchCalls>; batches: number }[] = [];
  const startWorker = () => {
    if (isClosed) throw new WorkerEnded(new Error('the pool is closed'), false, false);
    return superviseWorker<MatchCalls>({
      name: 'match-thread',
      async onStart(calls) {
        if (index) await calls.takeIndex({ buffer: index.buffer, folder });
      },
    });
  };
  /** The thread with the fewest batches; a new one if all have some. */
  const takeWorker = () => {
    const [least] = workers.toSorted((one, other) => one.batches - other.batches);
    if (least && (least.batches === 0 || workers.length === count)) return least;
    const worker = { thread: startWorker(), batches: 0 };
    workers.push(worker);
    return worker;
  };
  const match: MatchPool['match'] = async (bytes, mapping, threshold) => {
    const worker = takeWorker();
    worker.batches++;
    try {
      return await worker.thread.run((calls) => calls.match({ bytes, mapping, threshold }));
    } catch (error) {
      return reportBatch(error);
    } finally {
      worker.batches--;
    }
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
      await Promise.all(
        workers.map(({ thread }) => thread.calls.takeIndex({ buffer, folder }).catch(ignoreEnd)),
      );
      for (const one of waiting) if (one.generation <= generation) one.resolve();
      waiting = waiting.filter((one) => one.generation > generation);
    },
    match,
    async matchNow({ bytes, mapping, threshold }) {
      const isFree = workers.length < count || workers.some(({ batches }) => batches === 0);
      return index && isFree ? match(bytes, mapping, threshold) : null;
    },
    async close() {
      isClosed = true;
      await Promise.all(workers.map(({ thread }) => thread.stop()));
    },
  };
}
