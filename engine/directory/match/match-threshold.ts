/** The confidence from which a match is accepted, unless the account has another threshold. */

/** 0 to 1; docs/rules.md, "The directory". */
export const defaultMatchThreshold = 0.9;
