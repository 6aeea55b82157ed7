// Limits of a provider that is another engine.

/** What the interface allows, and what one engine takes of it. */
export const deskLimits = {
  requestsPerMinute: 60,
  /** Requests that are sent at the same time. */
  requestsMax: 1,
  /** Rows of a job; its result is at most one page. */
  rowsMax: 500,
  requestSeconds: 60,
} as const;

/** Waits before the polls of a job, in order; the last one repeats. */
export const deskPollDelaysMs: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, 15_000];

/** A repeat of a request with the same Idempotency-Key is safe for 24 hours; some are reserve. */
export const deskRepeatableMs = 20 * 60 * 60 * 1_000;

/** How long a request of unknown outcome is repeated while the other engine does not answer. */
export const lostRequestMaxMs = 15 * 60 * 1_000;

/** How long a job may take at the other engine. */
export const deskPendingMaxMs = 24 * 60 * 60 * 1_000;

/** How long the prices that were read are used. */
export const deskPricesKeptMs = 60 * 60 * 1_000;

/** Engines that pass on the same rows, one after the other. */
export const viaMax = 8;
