/**
 * Creates a clock that never goes back: when its source is set back, it continues from its last
 * time. What waits by the source would otherwise wait until the source has caught up.
 * @param now wall clock in milliseconds
 */
export function createSteadyClock(now: () => number): () => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  let aheadMs = 0;
  return () => {
    const sourceMs = now();
    if (sourceMs < lastMs) aheadMs += lastMs - sourceMs;
    lastMs = sourceMs;
    return sourceMs + aheadMs;
  };
}
