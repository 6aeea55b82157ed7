/** Limits of the calls to the system keychain. */

/** How long the system's keychain may take to answer, and when one that did not is asked again. */
export const keychainAnswerMaxMs = 5_000;

export const keychainRetryMs = 60_000;
