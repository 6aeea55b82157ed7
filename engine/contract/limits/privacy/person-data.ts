// Limits of searches for the data of one person.

export const personValueCharactersMax = 500;
/** People that a search lists; a name that more people have needs an employer. */
export const personCandidatesMax = 50;
export const personReceiptsMax = 200;
/** Searches for further identifiers of a person, and for what was added during a deletion. */
export const personRoundsMax = 5;
