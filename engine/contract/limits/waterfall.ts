// Limits of the waterfall.

/** Days after which a provider is asked again for what it did not find. */
export const missKeptDays = 30;

/** Delays before each repeat of a request that a service did not accept and gave no time for. */
export const repeatDelaysMs: readonly number[] = [1_000, 5_000, 15_000];

/** The longest wait that a service may ask for; a longer one leaves the rows without an answer. */
export const repeatDelayMaxMs = 120_000;

/** The pause between the two checks after which this machine counts as offline. */
export const offlineConfirmMs = 3_000;

/** The pause between two checks for the network while a job waits for it. */
export const networkCheckMs = 30_000;

/** Rows of a batch while providers are asked, at most. */
export const askedRowsMax = 500;

/** Batches of a job while providers are asked, some of which take minutes to answer. */
export const askedBatchesMax = 8;

/** The time after which a batch is written without the rows that services have not answered yet. */
export const slowAnswerMs = 5_000;

/** Batches of a job that are written and not answered, at most. A further one waits for answers. */
export const unansweredBatchesMax = 64;

/** Rows of a run whose failures are known when they are done again, at most. */
export const keptFailuresMax = 50_000;

/** Requests for a field from which a provider's own hit rate is used in a quote. */
export const hitRateAskedMin = 20;

/**
 * A service that refuses the person of so many rows for legal reasons, and of most of the last
 * requests of the same work, is not asked for the rest of it.
 */
export const refusals = { rowsMin: 5, requestsLast: 20 } as const;

/** Characters of a value that a service answers. A longer one is left out. */
export const valueCharactersMax = 10_000;

/**
 * A service that reports more than this multiple of the most that a request can cost, and of one
 * credit for each row, is taken to report an error.
 */
export const reportedCostFactorMax = 10;

/**
 * Credits of a service that one request can cost, and a balance that is read. The schema bounds the
 * columns by the same number in ten-thousandths.
 */
export const creditsReportedMax = 1_000_000_000;

export const ticketCharactersMax = 2_000;
