// Limits of retention.

/** The longest time that may be set: a hundred years. */
export const retentionDaysMax = 36_500;
export const retentionIntervalMs = 24 * 60 * 60_000;
export const retentionStepRows = 1_000;
/** Free pages of a database that a step gives back to the file system. */
export const shrinkStepPages = 128;
/** Free pages below which a file is left as it is, about 0.5 MB. */
export const shrinkPagesMin = 64;
/** Rows that are measured to estimate the size of the others. */
export const retentionSampleRows = 50;
