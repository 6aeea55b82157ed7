// When the first screen has its data, so that what may wait does not delay it.

/** How long what may wait is held back at most. */
const quietMsMax = 2_000;

export function createQuiet() {
  let inFlight = 0;
  return {
    async countInFlight<Answer>(request: Promise<Answer>): Promise<Answer> {
      inFlight += 1;
      try {
        return await request;
      } finally {
        inFlight -= 1;
      }
    },
    /** Resolves when the page is idle and waits for no answer, at the latest after two seconds. */
    async whenQuiet(): Promise<void> {
      const latest = performance.now() + quietMsMax;
      do await new Promise((resolve) => requestIdleCallback(resolve, { timeout: quietMsMax }));
      while (inFlight > 0 && performance.now() < latest);
    },
  };
}

export const { countInFlight, whenQuiet } = createQuiet();
