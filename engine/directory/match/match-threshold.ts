// The confidence from which a match is accepted, unless the account has another threshold.

/** 0 to 1; docs/benchmarks.md, "The threshold", describes how it was chosen. */
export const defaultMatchThreshold = 0.9;
