/** Limits of enrichment jobs. */

/** Rows in one JSON submission. */
export const jsonRowsMax = 10_000;

/** Rows that one transaction of a running job writes. */
export const batchRowsMax = 2_000;

/** Rows in an estimate's dry run, spread over the list. */
export const estimateSampleRowsMax = 1_000;

/** Rows of earlier jobs that an estimate reads, if no later job has indexed their people yet. */
export const estimateEarlierRowsMax = 200_000;

/** Rows with repairs that a dry run describes. */
export const repairedRowsShownMax = 10;

/** Characters in a job's title. */
export const titleCharactersMax = 200;

/** Characters in the profile URL of a direct lookup. */
export const profileUrlCharactersMax = 2_048;

/** Match threads on any machine. */
export const matchThreadsMax = 4;

/** Batches that each match thread may hold at once. */
export const batchesInFlightPerThread = 2;

/** Minimum time between two progress events of one job. */
export const progressEventIntervalMs = 200;

/** Decisions in one request of a review. */
export const reviewPicksMax = 1_000;

/** Rows on a page of a review: by default, and at most. Each carries up to three candidates. */
export const reviewPageDefault = 50;
export const reviewPageMax = 200;
/** Templates of an account, characters of a name, and columns of the list. */
export const templatesMax = 100;
export const templateNameCharactersMax = 80;
export const templateHeadersMax = 1_000;
