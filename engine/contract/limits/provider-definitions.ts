// Limits of provider definitions, and of the answers that the services give.

export const definitionBytesMax = 262_144;

export const expressionCharactersMax = 500;

/** Size of one answer of a service, before it is parsed. */
export const providerAnswerBytesMax = 2 * 1024 * 1024;

/** Characters of what a service says that are read to remove the key from them. */
export const quotedCharactersMax = 10_000;

/** Characters of what a service says that are stored, after the key is removed. */
export const answerDetailCharactersMax = 300;

/** Time limit for reading one answer on its thread; a longer one is caused by an expression. */
export const readingMaxMs = 10_000;

export const readingThreadMegabytes = 128;

/** The thread that reads answers ends after this idle time. */
export const readingThreadIdleMs = 5_000;

/** A request waits at most this long for a rate limit; otherwise it is refused as `slow_down`. */
export const limitWaitMaxMs = 5_000;

/** Wait after a rate limit that the service states without a time. */
export const slowDownDefaultMs = 10_000;

/** A request that was aborted after it was sent waits this long for its answer. */
export const abortGraceMs = 5_000;

/** How long a connection that only tests the network may take. */
export const reachMaxMs = 10_000;

export const breakerFailuresMax = 5;

/** How long a circuit breaker stays open; it doubles with each failed probe, up to the maximum. */
export const breakerOpenMs = { first: 30_000, max: 600_000 } as const;
