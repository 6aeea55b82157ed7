// Limits of accounts: API keys, logins and identity providers.

/** The highest rate limit of a key, in requests per window: 100 a second. */
export const keyRequestsPerMinuteMax = 6_000;

/** Characters in the label of a key or the name of an account. */
export const labelCharactersMax = 120;

/** Minimum time between two updates of `last_used_at` of one API key. */
export const keyUseIntervalMs = 60_000;

/** Assistants of an account that may connect over the local socket, each with its own key. */
export const stdioClientsMax = 100;

/**
 * Failed logins of all callers in a window before each further check is delayed: by the first
 * delay, then twice as long each time, up to the last. No account is ever locked.
 */
export const loginFreeTries = 5;

export const loginDelayMinMs = 1_000;

export const loginDelayMaxMs = 10_000;

export const loginWindowMs = 15 * 60_000;

/** Login attempts that may wait for a password check: as many as pages may wait for an answer. */
export const loginTriesWaitingMax = 100;

/** Logins at an identity provider that one page may start in a window. */
export const loginBeginsMax = 20;

/** Time limit for all requests to an identity provider in one step of a login. */
export const identityAnswerMaxMs = 10_000;

/** Bytes of one response of an identity provider. The key set of a large one takes about 20 KB. */
export const identityAnswerBytesMax = 262_144;

export const identityLoginKeptMs = 5 * 60_000;

/** Logins that may be in progress at once; the oldest is dropped. */
export const identityLoginsMax = 100;

export const allowedPeopleMax = 100;

/** Characters in a subject (OpenID Connect Core, 2), and in a client's id or secret. */
export const subjectCharactersMax = 255;

export const identityClientCharactersMax = 2_000;

export const passwordCharactersMin = 8;

export const passwordCharactersMax = 200;

/** Days in an account's `free_repeat_days`: about ten years. */
export const freeRepeatDaysMax = 3_650;
