/** Limits of the directory: imports, search, and how long a report about an email counts. */

/** Candidates that are named for an ambiguous row. */
export const candidatesMax = 3;

/** Remarks that an import's report keeps. */
export const importRemarksMax = 1_000;

/** Bytes of one file that the directory imports: 4 GB. */
export const importFileBytesMax = 4_294_967_296;

/** Rows of an import that are read between two chances to cancel it. */
export const importSliceRows = 2_000;

/** Rows from which on a list is read on a thread of its own; starting one takes as long. */
export const importThreadRowsMin = 10_000;

/** Bytes from which on a CSV goes into an empty directory as it is read. */
export const importUnstagedBytesMin = 2_097_152;

/** Rows that the reading thread of an import hands over at a time: few, so that they die young. */
export const importBatchRows = 200;

/** Batches of them that may wait to be written. */
export const importBatchesMax = 8;

/** Megabytes of short-lived memory that the reading thread of an import may gather. */
export const importThreadYoungMegabytes = 12;

/** Imports that the directory's statistics name. */
export const importsListedMax = 100;

/** How long a source that verified an address, or saw a catch-all, is believed. */
export const verifiedKeptDays = 180;

/** How long a source that saw an address bounce is believed: mailboxes seldom come back. */
export const bounceKeptDays = 365;

/** The least trust of a source whose word on an address counts. */
export const reportTrustMin = 0.5;

/** The page of a search over the directory, unless told otherwise, and the largest. */
export const searchLimitDefault = 25;

export const searchLimitMax = 100;

/** Values that one filter of a search may take. */
export const searchFilterValuesMax = 100;

/** Characters in one value of a filter. */
export const searchTextCharactersMax = 200;

/** How long a search right after the start waits for the index. */
export const searchWaitMaxMs = 10_000;

/** Values that a refusal of an unknown one names. */
export const searchValuesNamedMax = 100;

/** Former and other employments that a profile lists. */
export const workHistoryMax = 50;
