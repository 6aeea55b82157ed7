// Limits of uploads.

/** How long an upload without a job is kept. */
export const uploadKeptMs = 24 * 60 * 60 * 1000;

export const joinedFilesMax = 50;

export const uploadSweepIntervalMs = 60 * 60_000;

export const correctionsMax = 1_000;
