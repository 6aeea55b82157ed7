// Tasks that outlive their request's connection. A closing server waits for them within a limit.
import { setTimeout as wait } from 'node:timers/promises';

export interface Tasks {
  run<Result>(work: Promise<Result>): Promise<Result>;
  /** Waits until all tasks are done, but no longer than `maxMs`. */
  settle(maxMs: number): Promise<void>;
}

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
