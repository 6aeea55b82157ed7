/** The work of a passing thread, seen from the thread: how it is broken off and waited for. */

/** The one piece of work of a passing thread. */
export interface PassingWork {
  /** Aborted when the work is to break off. */
  readonly signal: AbortSignal;
  /** Watches over the work and answers it. */
  run<Value>(work: Promise<Value>): Promise<Value>;
  /** Makes the work break off where it looks at the signal. */
  cancel(): Promise<void>;
  /** Cancels, and waits until the work has ended either way. */
  end(): Promise<void>;
}

/** Begins with no work. */
export function createPassingWork(): PassingWork {
  const stopping = new AbortController();
  let ended: Promise<unknown> = Promise.resolve();
  return {
    signal: stopping.signal,
    run(work) {
      ended = work.catch(() => undefined);
      return work;
    },
    async cancel() {
      stopping.abort();
    },
    async end() {
      stopping.abort();
      await ended;
    },
  };
}
