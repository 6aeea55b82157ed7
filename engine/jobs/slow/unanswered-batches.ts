// The batches of one run that are written before all services have answered their rows. The
// services go on. Once they have answered, the batches are taken back and done again with what is
// stored.
import { unansweredBatchesMax } from '../../contract/limits/waterfall.ts';
import type { Patience } from '../matching/enrich-batch.ts';

/** The time that a batch waits for services. Rejects if the signal is aborted. */
export type UntilSlow = (signal: AbortSignal) => Promise<unknown>;

export interface UnansweredBatches {
  /** Starts the time that a batch waits; undefined if it waits until all its rows are answered. */
  startPatience(): Patience | undefined;
  /** Whether the rows are done again: all were answered once. */
  isRepeated(): boolean;
  /** Adds a batch that is written before the promise resolves. */
  add(whenAnswered: Promise<unknown>): void;
  /**
   * Resolves when all are answered, or the run is stopped. Batches wait for all answers from then
   * on, so that rows are done again only once. Rejects for bugs of a provider.
   */
  settle(): Promise<void>;
}

/** Creates them. @param untilSlow without it, each batch waits until all its rows are answered */
export function createUnansweredBatches(untilSlow: UntilSlow | undefined): UnansweredBatches {
  const open = new Set<Promise<unknown>>();
  let error: { readonly thrown: unknown } | null = null;
  let isRepeated = false;
  return {
    startPatience() {
      if (!untilSlow || isRepeated || open.size >= unansweredBatchesMax) return undefined;
      const ending = new AbortController();
      const late = untilSlow(ending.signal);
      late.catch(() => undefined);
      return { late, end: () => ending.abort() };
    },
    isRepeated: () => isRepeated,
    add(whenAnswered) {
      const end = () => open.delete(whenAnswered);
      open.add(whenAnswered);
      whenAnswered.then(end, (thrown: unknown) => {
        error ??= { thrown };
        end();
      });
    },
    async settle() {
      isRepeated = true;
      await Promise.allSettled(open);
      if (error) throw error.thrown;
    },
  };
}
