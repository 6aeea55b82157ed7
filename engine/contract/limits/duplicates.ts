// Limits of the search for duplicates.

/** Records of one block: larger blocks are skipped and counted. */
export const duplicateBlockMax = 50;
/** Pairs on a page, and at most. */
export const duplicatePage = { byDefault: 50, max: 200 } as const;
/** The least probability of a pair that is offered. */
export const duplicateOfferedMin = 0.7;
/** Pairs that the page of one record lists. */
export const pairsOfRecordMax = 20;
