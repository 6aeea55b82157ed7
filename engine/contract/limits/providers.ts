/** Limits of the sandbox provider. */

/** Rows in one request of the sandbox's upstream. Few, so that slow rows show progress. */
export const sandboxRequestRowsMax = 25;

/** Delays before each retry of the sandbox's upstream. Short, so that sandbox jobs end quickly. */
export const sandboxRetryDelaysMs: readonly number[] = [20, 40, 80];

/** How long the sandbox's upstream takes for a slow row. */
export const sandboxSlowRowMs = 1_000;
