// Limits of the wallet's lines and of the report of spending.

/** Lines on a page, and at most. */
export const walletPage = { byDefault: 50, max: 200 } as const;
/** Lines that one request searches by name. The next page continues there. */
export const walletSearchLinesMax = 20_000;
/** Lines that are read at once for a search or an export. */
export const walletBatchLines = 1_000;
export const walletEntriesMax = 200;
export const walletClientsMax = 200;
export const walletNameCharactersMax = 200;
export const spendPeriodsMax = 400;
