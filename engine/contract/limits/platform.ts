// Limits of the engine process: threads, restarts, the data folder, pages of lists.

/** Smallest and largest page size, and the default of the result, jobs and ledger lists. */
export const pageLimitMin = 1;

export const pageLimitMax = 1_000;

export const pageLimitDefault = 50;

export const portDefault = 43_117;

/** Restarts of a crashed engine by the desktop app within the window below. */
export const engineRestartsMax = 5;

/** The sliding window in which restarts are counted. */
export const engineRestartsWindowMs = 10 * 60_000;

/** Delay before the first restart; it doubles with each further one. */
export const engineRestartDelayMinMs = 250;

/** Crashes of the window or the graphics within the window below before it is not restarted. */
export const crashesMax = 3;

/** The sliding window in which crashes are counted. */
export const crashesWindowMs = 10 * 60_000;

export const crashReportsMax = 20;

/** Delay before the desktop app reads the engine's events again after an interruption. */
export const jobWatchRetryMs = 2_000;

/** A job that ends sooner is not announced. */
export const longJobMs = 10_000;

/** Delay between the start of the desktop app and its first question for an update. */
export const updateCheckDelayMs = 30_000;

export const updateCheckIntervalMs = 6 * 3_600_000;

/** Size of the desktop app's log of the engine. It and the one before are kept. */
export const engineLogBytesMax = 1_000_000;

/** How often, and how long, an app that starts without its window looks for a tray. */
export const trayRetryMs = 500;

export const trayWaitMaxMs = 10_000;

/** How long a program of the system may take to say whether there is a tray. */
export const trayAnswerMaxMs = 2_000;

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

/** Failures of one thread in a row that the engine reports as a fault until it is stable. */
export const threadEndsFault = 3;

/** How often one call may end its thread before it is rejected. */
export const callEndsMax = 3;

/**
 * The longest sleep of a scheduler while work is due later. Timers do not advance while the machine
 * sleeps, and do not follow a change of the wall clock.
 */
export const schedulerSleepMaxMs = 30_000;

/**
 * How far the clock may be ahead of the last time at which an engine ran on the data folder, before
 * nothing is deleted for its age. A computer that was off for longer needs one confirmation.
 */
export const clockAheadMaxMs = 31 * 86_400_000;
/** How old the noted time of the clock becomes while an engine runs. */
export const clockNoteMs = 3_600_000;

/** Steps of a scheduler that wait for an answer from outside without taking up room. */
export const waitingStepsMax = 32;

/** Delay before work is retried after a shortage: a full disk, or too few file descriptors. */
export const storageRetryMs = 5_000;

/** How long an item rests after a failure that did not end it. A wake of the scheduler ends it. */
export const failedWorkRestMs = 60_000;

/** Retry-After while a part of the engine restarts. */
export const unavailableRetrySeconds = 2;

/** How long a closing environment waits for a thread to stop before it terminates it. */
export const threadStopMaxMs = 8_000;

/**
 * Environment variables of the C library's allocator in an engine (glibc; other libraries ignore
 * them). Each arena keeps freed memory for itself, so there are two. Blocks from 128 KB on are
 * mapped, so that freeing them returns their memory; without a fixed threshold, glibc raises it to
 * 32 MB, and an engine keeps 120 MB after an import of 300,000 people.
 */
export const allocatorEnvironment = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/**
 * Environment variables of an engine that Node runs: also limits the HTTP thread's young objects to
 * 16 MB. By default they grow to 62 MB after a few thousand connections, and requests take as much
 * CPU time. The engine of the desktop app is not started with it.
 */
export const nodeEnvironment = {
  ...allocatorEnvironment,
  NODE_OPTIONS: '--max-semi-space-size=8',
} as const;

/** How long engines and commands wait for the folder of another, and how often they ask. */
export const folderHandoverMaxMs = 60_000;

export const folderPollIntervalMs = 200;

/** A longer wait for a folder is reported. */
export const quietWaitMs = 2_000;

/** Unknown keys of an object that an error lists. */
export const unknownNamesMax = 3;

/** The desktop app says within this time which proxy the system uses. */
export const systemProxyAnswerMaxMs = 10_000;
