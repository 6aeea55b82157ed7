/** Limits of Career Monitor. */

/** The page of the Career Monitor job list unless told otherwise. */
export const monitorPageLimitDefault = 10;

/** Monitors of one account at once. */
export const monitorsMax = 200;
