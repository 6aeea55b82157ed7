// Limits of the authorization server.

export const codeKeptMs = 60_000;

/** How long a used code is kept, so that a second use is detected. */
export const codeRememberedMs = 24 * 60 * 60_000;

/** Registered clients without an authorization; the newest are kept. */
export const oauthClientsMax = 200;

export const registrationsMax = 60;

/** Bytes of a request to the authorization server, and of a client's metadata document. */
export const oauthBodyBytesMax = 16_384;

export const consentKeptMs = 10 * 60_000;

/** Authorization requests that may be pending at once; the oldest is dropped. */
export const consentsMax = 100;

/** How long a poll of the waiting page is held before it is answered. */
export const consentWaitMs = 25_000;

/** Characters in a client's name, and redirect addresses that it may register. */
export const clientNameCharactersMax = 80;

export const redirectUrisMax = 10;

/** Characters in a redirect address, and in the state of a request. */
export const redirectCharactersMax = 2_048;

/** Time limit to fetch a client's metadata document, and how long it is cached. */
export const clientDocumentMaxMs = 5_000;

export const clientDocumentKeptMs = 60 * 60_000;

/** Metadata documents in the cache; the oldest is dropped. */
export const clientDocumentsMax = 100;
