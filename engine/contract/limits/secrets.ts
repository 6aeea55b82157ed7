// Limits of calls to the system keychain.

/** Time limit of a call to the system keychain, and the delay before a retry. */
export const keychainAnswerMaxMs = 5_000;

export const keychainRetryMs = 60_000;
