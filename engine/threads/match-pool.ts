/**
 * The match threads of a world: hands each batch to the next thread in turn and moves all of them
 * to a new index.
 */
import { availableParallelism } from 'node:os';
import { batchesInFlightPerThread, matchThreadsMax } from '../contract/limits.ts';
import type { ColumnMapping } from '../contract/row-input.ts';
import type { MatchBatch } from '../directory/match-batch.ts';
import { callThread, type ThreadCaller } from './call-thread.ts';
import { startThread } from './entry.ts';
import type { MatchCalls } from './match-thread.ts';

/** A pool of match threads. */
export interface MatchPool {
  /** Batches that keep every thread busy. */
  readonly inFlightMax: number;
  /** Resolves when there is an index of at least this generation of the directory. */
  whenGeneration(generation: number): Promise<void>;
  takeIndex(buffer: SharedArrayBuffer, generation: number): Promise<void>;
  match(
    bytes: Uint8Array,
    mapping: ColumnMapping,
    threshold: number,
  ): Promise<{ batch: MatchBatch; generation: number }>;
  close(): Promise<void>;
}

/** Threads that match: all cores but one, at least one, at most four (design.md, section 2). */
const countMatchThreads = () => Math.min(matchThreadsMax, Math.max(1, availableParallelism() - 1));

/** Starts the threads; they wait for their first index. */
export function startMatchPool(count = countMatchThreads()): MatchPool {
  let index: { buffer: SharedArrayBuffer; generation: number } | null = null;
  let waiting: { generation: number; resolve(): void }[] = [];
  let turn = 0;
  const threads: ThreadCaller<MatchCalls>[] = [];
  const start = (at: number) => {
    const worker = startThread('match-thread');
    threads[at] = callThread<MatchCalls>(worker);
    // A thread that dies takes only its batch along: the caller asks again and meets its successor.
    worker.on('error', () => {
      start(at);
      if (index) void threads[at]?.calls.takeIndex({ buffer: index.buffer });
    });
  };
  for (let at = 0; at < count; at++) start(at);
  return {
    inFlightMax: count * batchesInFlightPerThread,
    whenGeneration: (generation) =>
      new Promise((resolve) => {
        if (index && index.generation >= generation) resolve();
        else waiting.push({ generation, resolve });
      }),
    async takeIndex(buffer, generation) {
      await Promise.all(threads.map((thread) => thread.calls.takeIndex({ buffer })));
      index = { buffer, generation };
      for (const one of waiting) if (one.generation <= generation) one.resolve();
      waiting = waiting.filter((one) => one.generation > generation);
    },
    match(bytes, mapping, threshold) {
      turn = (turn + 1) % threads.length;
      const thread = threads[turn];
      if (!thread) throw new Error('the match threads have ended');
      return thread.calls.match({ bytes, mapping, threshold });
    },
    close: async () => void (await Promise.all(threads.map((thread) => thread.terminate()))),
  };
}
