/** How fast something goes, over the last few seconds, so that it neither jumps nor lags. */

const speedWindowMs = 3_000;

/**
 * Begins to measure: told each moment (milliseconds of a monotonic clock) how much is done, it
 * answers how much a second that has been lately; 0 until there is something to tell from.
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
