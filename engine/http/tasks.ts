/** Work that outlives its request's connection: a closing server gives it a while to tidy up. */
import { setTimeout as wait } from 'node:timers/promises';

/** Work in hand. */
export interface Tasks {
  /** Watches over a promise and answers it. */
  run<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits until nothing is in hand, but no longer than `maxMs`. */
  settle(maxMs: number): Promise<void>;
}

/** Begins with nothing in hand. */
export function createTasks(): Tasks {
  const pending = new Set<Promise<unknown>>();
  return {
    run(work) {
      const watched: Promise<unknown> = work.then(
        () => pending.delete(watched),
        () => pending.delete(watched),
      );
      pending.add(watched);
      return work;
    },
    async settle(maxMs) {
      const patience = new AbortController();
      const tooLong = wait(maxMs, undefined, { signal: patience.signal }).catch(() => undefined);
      await Promise.race([Promise.all(pending), tooLong]);
      patience.abort();
    },
  };
}
