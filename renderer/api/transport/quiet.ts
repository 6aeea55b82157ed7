/** When the first screen has its data, so that what may wait does not delay it. */

/** How long what may wait is held back at most. */
const quietMsMax = 2_000;

let inFlight = 0;

/** Counts a request until it has its answer. */
export async function countInFlight<Answer>(request: Promise<Answer>): Promise<Answer> {
  inFlight += 1;
  try {
    return await request;
  } finally {
    inFlight -= 1;
  }
}

/** Resolves when the page is idle and waits for no answer, and after two seconds in any case. */
export async function whenQuiet(): Promise<void> {
  const latest = performance.now() + quietMsMax;
  do await new Promise((resolve) => requestIdleCallback(resolve, { timeout: quietMsMax }));
  while (inFlight > 0 && performance.now() < latest);
}
