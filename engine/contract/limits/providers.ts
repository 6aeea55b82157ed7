/** Limits of the sandbox provider. */

/** Rows that the sandbox's upstream takes at once: few, so that slow rows show progress. */
export const sandboxRequestRowsMax = 25;

/** The waits before each further try of the sandbox's upstream: it wastes nobody's time. */
export const sandboxRetryDelaysMs: readonly number[] = [20, 40, 80];

/** How long the sandbox's upstream takes for a slow row. */
export const sandboxSlowRowMs = 1_000;
