/** Limits of uploads. */

/** How long an upload without a job is kept. */
export const uploadKeptMs = 24 * 60 * 60 * 1000;

/** Files that become one list. */
export const joinedFilesMax = 50;

/** Interval of the removal of expired uploads. */
export const uploadSweepIntervalMs = 60 * 60_000;

/** Corrected cells of one list. */
export const correctionsMax = 1_000;
