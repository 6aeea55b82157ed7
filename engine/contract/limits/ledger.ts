/** Limits of money: grants, rates, caps, approvals and idempotency keys. */

/** Characters in an idempotency key. */
export const idempotencyKeyCharactersMax = 255;

/** How long an idempotency key is remembered. */
export const idempotencyKeptMs = 24 * 60 * 60 * 1000;

/** Credits that a spending cap of a key may allow. */
export const keyCapCreditsMax = 100_000_000;

/** Credits that the first account of a new installation is granted. */
export const firstGrantCredits = 100_000;

/** Credits that the staging environment's first account is granted. */
export const stagingGrantCredits = 10_000;

/** Credits that one grant may hold: keeps every sum of units within exact integers. */
export const grantCreditsMax = 100_000_000;

/** Rows that an estimate by count may ask for; with the next bound it keeps sums exact integers. */
export const estimateRowCountMax = 100_000_000;

/** Credits that one layer may cost per row. */
export const rateCreditsMax = 1_000;

/** How long a call waits for a person: less than the minute after which clients give up. */
export const approvalWaitMaxMs = 45_000;

/** How long a question can be answered, and how long the answer then holds for the same request. */
export const approvalKeptMs = 10 * 60_000;

/** Questions of one key that wait at once; the oldest gives way. */
export const approvalsMax = 100;
