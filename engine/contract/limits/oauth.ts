/** Limits of the authorization server. */

/** How long a program has to redeem its code. */
export const codeKeptMs = 60_000;

/** How long a used code is remembered, so that a second use is known for what it is. */
export const codeRememberedMs = 24 * 60 * 60_000;

/** Programs that registered and were never allowed anything: the newest are kept. */
export const oauthClientsMax = 200;

/** Programs that may register in any one window of the rate limit. */
export const registrationsMax = 60;

/** Bytes of what the authorization server reads, and of a client's metadata document. */
export const oauthBodyBytesMax = 16_384;

/** How long a person has to answer a program that asks. */
export const consentKeptMs = 10 * 60_000;

/** Programs that may wait for an answer at once; the oldest gives way. */
export const consentsMax = 100;

/** How long a waiting page is held before it asks again. */
export const consentWaitMs = 25_000;

/** Characters in the name of a program, and addresses that it may register. */
export const clientNameCharactersMax = 80;

export const redirectUrisMax = 10;

/** Characters in one of these addresses, and in the state of a request. */
export const redirectCharactersMax = 2_048;

/** How long the fetch of a client's metadata document may take, and how long it is believed. */
export const clientDocumentMaxMs = 5_000;

export const clientDocumentKeptMs = 60 * 60_000;

/** Documents that are remembered; the oldest gives way. */
export const clientDocumentsMax = 100;
