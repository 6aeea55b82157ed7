/** Types of generate-organisation-words.mjs. */
/** The lines of the table: a word and its group in each line. */
export function listOrganisationWords(): string;
