// Limits of enrichment jobs.

export const jsonRowsMax = 10_000;

export const batchRowsMax = 2_000;

/** Rows in an estimate's dry run, spread over the list. */
export const estimateSampleRowsMax = 1_000;

/** Rows of a trial, spread over the list. */
export const trialRowsMax = 10;

/** Rows of earlier jobs that an estimate reads, if no later job has indexed their people yet. */
export const estimateEarlierRowsMax = 200_000;

/** Rows with repairs that a dry run describes. */
export const repairedRowsShownMax = 10;

/** Characters in a job's title. */
export const titleCharactersMax = 200;

/** Jobs on a page of the app's list: by default, and at most. */
export const jobsPage = { default: 50, max: 200 } as const;

export const jobsChangedMax = 1_000;

/** Time after a deletion during which an undo restores the job. */
export const jobUndoMs = 10 * 60_000;

export const profileUrlCharactersMax = 2_048;

export const matchThreadsMax = 4;

/** Batches that each match thread may hold at once. */
export const batchesInFlightPerThread = 2;

export const progressEventIntervalMs = 200;

export const reviewPicksMax = 1_000;

/** Rows on a page of a review: by default, and at most. Each carries up to three candidates. */
export const reviewPageDefault = 50;
export const reviewPageMax = 200;

export const rowSearchCharactersMax = 200;

/** Characters of the name of an import, or of a data service, that rows are filtered by. */
export const originCharactersMax = 300;

/** Characters of a value that are sorted by. Longer ones that begin alike keep their order. */
export const sortCharactersMax = 500;

/** Bytes of the lists of row numbers that an environment keeps for the pages of job views. */
export const rowListsBytesMax = 32_000_000;

/** Rows that are read at once to find those of a view. */
export const rowsListedAtOnce = 500;

/**
 * Rows that are read to find the jobs of a person among those whose people are not in `job_person`,
 * the newest jobs first. They take about 20 ms.
 */
export const personJobsRowsMax = 20_000;

/** Rows of a person that are read to see which values the jobs of an account returned. */
export const returnedRowsMax = 100;

/** Templates of an account, characters of a name, and columns of the list. */
export const templatesMax = 100;
export const templateNameCharactersMax = 80;
export const templateHeadersMax = 1_000;
