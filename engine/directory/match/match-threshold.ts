/**
 * The score from which a match is accepted unless the account says otherwise; tuned for precision.
 */

/** 0 to 1; docs/rules.md, "The directory". */
export const defaultMatchThreshold = 0.9;
