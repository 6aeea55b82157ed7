// Limits of the directory: imports, search, and how long a report about an email is valid.

/** Candidates that are listed for a row without a match. */
export const candidatesMax = 3;

/** Remarks that an import's report keeps. */
export const importRemarksMax = 1_000;

/** Bytes of one file that the directory imports: 4 GB. */
export const importFileBytesMax = 4_294_967_296;

/** First rows of an import whose values say what the columns are. */
export const importSampleRows = 200;

export const keptColumnsMax = 200;

/** Rows of a list that are searched for a date that shows the order of days and months. */
export const importDateRowsMax = 20_000;

/** Rows of an import that are read between two checks for cancellation. */
export const importSliceRows = 2_000;

/** From so many rows on, a thread of its own to read a list saves more than it costs. */
export const importThreadRowsMin = 10_000;

/** Bytes from which a CSV is imported into an empty directory as it is read. */
export const importUnstagedBytesMin = 2_097_152;

/** Rows that the reading thread sends at a time: few, to be garbage-collected while young. */
export const importBatchRows = 200;

export const importBatchesMax = 8;

/** Imports that the directory's statistics list. */
export const importsListedMax = 100;

/** How long a source's report that an address is verified, or a catch-all, is valid. */
export const verifiedKeptDays = 180;

/** How long a source's report that an address bounced is valid: mailboxes are seldom restored. */
export const bounceKeptDays = 365;

/** Lowest trust of a source whose reports about an address count. */
export const reportTrustMin = 0.5;

/** Results on a page of a directory search: the default, and the maximum. */
export const searchLimitDefault = 25;

export const searchLimitMax = 100;

export const searchFilterValuesMax = 100;

export const searchTextCharactersMax = 200;

/** How long a search right after startup waits for the index. */
export const searchWaitMaxMs = 10_000;

/** Valid values that the refusal of an unknown value lists. */
export const searchValuesNamedMax = 100;

export const workHistoryMax = 50;

/** An address that is inferred with a lower probability is not proposed. */
export const inferredProbabilityMin = 0.5;
