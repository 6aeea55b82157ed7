// Limits of webhooks and their deliveries.

export const webhookUrlCharactersMax = 2_048;

export const webhooksMax = 100;

export const webhookHostsMax = 100;

/** Delays before each further attempt of a delivery, varied by the share below. */
export const webhookRetryDelaysMs: readonly number[] = [
  5_000,
  5 * 60_000,
  30 * 60_000,
  2 * 60 * 60_000,
  5 * 60 * 60_000,
  10 * 60 * 60_000,
  10 * 60 * 60_000,
];

export const webhookRetrySpread = 0.1;

/** The longest delay that a receiver may request with Retry-After. */
export const webhookRetryAfterMaxMs = 24 * 60 * 60_000;

/** Time limit of a receiver's response to an attempt. */
export const webhookAttemptMaxMs = 10_000;

/** Attempts in progress at once, over all webhooks. Each webhook has one at a time. */
export const webhookAttemptsInFlightMax = 8;

/** Bytes of a receiver's response that are read, and characters of it that are kept. */
export const webhookAnswerBytesMax = 4_096;

export const webhookExcerptCharactersMax = 500;

export const webhookSecretOverlapMs = 24 * 60 * 60_000;

/** How long a finished delivery is kept, and how many are deleted at a time. */
export const webhookDeliveryKeptMs = 30 * 24 * 60 * 60_000;

export const webhookSweepDeliveries = 500;

/** How long a command waits: longer than an attempt without an answer of the keychain. */
export const webhookCommandWaitMs = 20_000;
