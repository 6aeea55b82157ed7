// Limits of Career Monitor.

export const monitorPageLimitDefault = 10;

export const monitorsMax = 200;
