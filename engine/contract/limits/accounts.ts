/** Limits of accounts: API keys, logins and identity providers. */

/** The most requests in any one window that a key can be given: 100 a second. */
export const keyRequestsPerMinuteMax = 6_000;

/** Characters in the label of a key or the name of an account. */
export const labelCharactersMax = 120;

/** Between two notes of the use of one API key. */
export const keyUseIntervalMs = 60_000;

/** Assistants of an account that may come over the local socket, each with a key of its own. */
export const stdioClientsMax = 100;

/**
 * Wrong passwords of anybody in a window, behind which each further check waits: as long as the
 * first wait, then twice as long each time, up to the last. Nobody is locked out.
 */
export const loginFreeTries = 5;

export const loginDelayMinMs = 1_000;

export const loginDelayMaxMs = 10_000;

export const loginWindowMs = 15 * 60_000;

/** Pages that wait for the check of a password: as many as may wait for an answer. */
export const loginTriesWaitingMax = 100;

/** Logins at an identity provider that one page may begin in a window. */
export const loginBeginsMax = 20;

/** How long an identity provider may take for all that one step of a login asks of it. */
export const identityAnswerMaxMs = 10_000;

/** Bytes of one answer of an identity provider; the keys of a large one take some 20 KB. */
export const identityAnswerBytesMax = 262_144;

/** How long a person may take to log in at an identity provider. */
export const identityLoginKeptMs = 5 * 60_000;

/** People who may be logging in at once; the oldest gives way. */
export const identityLoginsMax = 100;

/** Emails, and subjects, that one account may name. */
export const allowedPeopleMax = 100;

/** Characters in a subject (OpenID Connect Core, 2), and in a client's id or secret. */
export const subjectCharactersMax = 255;

export const identityClientCharactersMax = 2_000;

/** Characters in a password. */
export const passwordCharactersMin = 8;

export const passwordCharactersMax = 200;
