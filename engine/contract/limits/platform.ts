/** Limits of the engine as a process: threads, restarts, the data folder, pages of lists. */

/** Smallest and largest page, and the defaults of the result, jobs and ledger lists. */
export const pageLimitMin = 1;

export const pageLimitMax = 1_000;

export const pageLimitDefault = 50;

/** The port of the loopback server unless told otherwise. */
export const portDefault = 43_117;

/** Times the desktop starts an engine again that ended by itself, within the window below. */
export const engineRestartsMax = 5;

/** The sliding window in which restarts are counted. */
export const engineRestartsWindowMs = 10 * 60_000;

/** The wait before the first restart; each further one waits twice as long. */
export const engineRestartDelayMinMs = 250;

/** How long the desktop waits for an engine that was asked to stop, before it kills it. */
export const engineStopMaxMs = 15_000;

/**
 * The wait before a part of the engine that failed is tried again: a thread that ended, an index
 * that could not be built. It doubles with each failure in a row, up to the second bound.
 */
export const restartDelayMinMs = 100;

export const restartDelayMaxMs = 60_000;

/** How long a thread must run for its earlier ends to count no longer. */
export const threadStableMs = 60_000;

/** Ends of one thread in a row from which on the engine reports a fault until it is stable. */
export const threadEndsFault = 3;

/** How often one call may end the thread that works on it, before it is given up. */
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

/** How long a closing environment waits for a thread to stop by itself, before it ends it. */
export const threadStopMaxMs = 8_000;

/** Arenas of the C library's allocator in an engine: each keeps freed memory back for itself. */
export const mallocArenasMax = 2;

/** How long a host waits for a guest to let go of the folder, and how often both look. */
export const folderHandoverMaxMs = 30_000;

export const folderLookIntervalMs = 200;

/** Unknown keys of an object that are named. */
export const unknownNamesMax = 3;
