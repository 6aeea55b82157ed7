/** Limits of uploads. */

/** How long an upload waits for its job. */
export const uploadKeptMs = 24 * 60 * 60 * 1000;

/** Between two sweeps of expired uploads. */
export const uploadSweepIntervalMs = 60 * 60_000;
