/** Limits of Career Monitor. */

/** Default page size of the Career Monitor job list. */
export const monitorPageLimitDefault = 10;

/** Monitors of one account. */
export const monitorsMax = 200;
