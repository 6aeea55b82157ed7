/** Limits of Career Monitor. */

/** Default page size of the Career Monitor job list. */
export const monitorPageLimitDefault = 10;

export const monitorsMax = 200;
