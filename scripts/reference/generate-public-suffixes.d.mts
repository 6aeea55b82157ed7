/** Types of generate-public-suffixes.mjs. */
/** The rules of more than one label, a rule in each line. */
export function listPublicSuffixes(): Promise<string>;
