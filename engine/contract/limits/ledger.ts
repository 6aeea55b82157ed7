// Limits of money: grants, rates, caps, approvals and idempotency keys.

export const idempotencyKeyCharactersMax = 255;

export const idempotencyKeptMs = 24 * 60 * 60 * 1000;

export const keyCapCreditsMax = 100_000_000;

/** Credits that the first account of a new installation receives. */
export const firstGrantCredits = 100_000;

/** Credits that the first account of the staging environment receives. */
export const stagingGrantCredits = 10_000;

/** Credits in one grant. Keeps every sum of units an exact integer. */
export const grantCreditsMax = 100_000_000;

/** Rows in an estimate by count. With the next limit it keeps sums exact integers. */
export const estimateRowCountMax = 100_000_000;

/** The highest price of one layer per row, in credits. */
export const rateCreditsMax = 1_000;

/** How long a call waits for a person: less than the 60 s after which clients time out. */
export const approvalWaitMaxMs = 45_000;

/** How long an approval can be given, and how long it then applies to the same request. */
export const approvalKeptMs = 10 * 60_000;

/** Pending approvals of one key; the oldest is dropped. */
export const approvalsMax = 100;
