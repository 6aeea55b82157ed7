// Measures speed over the last few seconds, so that it changes smoothly but without a long lag.

const speedWindowMs = 3_000;

/**
 * Starts a measurement. Call the result with a time (milliseconds of a monotonic clock) and the
 * amount done; it returns the recent amount per second, or 0 if unknown.
 */
export function measureSpeed(): (atMs: number, done: number) => number {
  const marks: { atMs: number; done: number }[] = [];
  return (atMs, done) => {
    marks.push({ atMs, done });
    while (marks.length > 2 && atMs - (marks[0]?.atMs ?? atMs) > speedWindowMs) marks.shift();
    const first = marks[0] ?? { atMs, done };
    const seconds = (atMs - first.atMs) / 1_000;
    return seconds > 0 ? (done - first.done) / seconds : 0;
  };
}
