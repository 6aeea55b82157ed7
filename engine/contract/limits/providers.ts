// Limits of the sandbox provider, and of what is shown about providers.

/** Rows in one request of the sandbox's upstream. Few, so that slow rows show progress. */
export const sandboxRequestRowsMax = 25;

/** Delays before each retry of the sandbox's upstream. Short, so that sandbox jobs end quickly. */
export const sandboxRetryDelaysMs: readonly number[] = [20, 40, 80];

/** How long the sandbox's upstream takes for a slow row. */
export const sandboxSlowRowMs = 1_000;

export const providerNotesMax = 5;

export const spendDaysMax = 30;

/** Requests on a page of the log, and at most. */
export const logPage = { byDefault: 50, max: 200 } as const;
