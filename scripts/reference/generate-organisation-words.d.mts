/** Types of generate-organisation-words.mjs. */
/** The lines of the table: a word, its group and what the group says in each line. */
export function listOrganisationWords(): string;
