/** Limits of the engine process: threads, restarts, the data folder, pages of lists. */

/** Smallest and largest page size, and the default of the result, jobs and ledger lists. */
export const pageLimitMin = 1;

export const pageLimitMax = 1_000;

export const pageLimitDefault = 50;

/** Default port of the server. */
export const portDefault = 43_117;

/** Restarts of a crashed engine by the desktop app within the window below. */
export const engineRestartsMax = 5;

/** The sliding window in which restarts are counted. */
export const engineRestartsWindowMs = 10 * 60_000;

/** Delay before the first restart; it doubles with each further one. */
export const engineRestartDelayMinMs = 250;

/** How long the desktop app waits for an engine to stop before it kills the process. */
export const engineStopMaxMs = 15_000;

/**
 * Delay before a failed part of the engine is retried: a thread that ended, or an index that could
 * not be built. It doubles with each failure in a row, up to the second limit.
 */
export const restartDelayMinMs = 100;

export const restartDelayMaxMs = 60_000;

/** How long a thread must run before its earlier failures no longer count. */
export const threadStableMs = 60_000;

/**
 * Consecutive failures of one thread after which the engine reports a fault until the thread is
 * stable.
 */
export const threadEndsFault = 3;

/** How often one call may end its thread before it is rejected. */
export const callEndsMax = 3;

/**
 * The longest sleep of a scheduler while something is due later: a machine that sleeps stops its
 * timers, and a clock that is set moves none.
 */
export const schedulerSleepMaxMs = 30_000;

/** How long work waits before it tries a full disk, or too few descriptors, again. */
export const storageRetryMs = 5_000;

/** How long an item rests after a failure that did not end it, unless something wakes it. */
export const failedWorkRestMs = 60_000;

/** What Retry-After says while a part of the engine is being started again. */
export const unavailableRetrySeconds = 2;

/** How long a closing environment waits for a thread to stop before it terminates it. */
export const threadStopMaxMs = 8_000;

/** Arenas of the C library's allocator in an engine. Each arena keeps freed memory for itself. */
export const mallocArenasMax = 2;

/**
 * How long the primary engine waits for the secondary to release the folder, and the poll interval
 * of both.
 */
export const folderHandoverMaxMs = 30_000;

export const folderLookIntervalMs = 200;

/** Unknown keys of an object that an error lists. */
export const unknownNamesMax = 3;
