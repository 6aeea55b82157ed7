// Limits of the audit log.

/** Entries on a page, and at most. */
export const auditPage = { byDefault: 50, max: 1_000 } as const;
export const auditActorCharactersMax = 200;
/** Entries that are read at once for a check or an export. */
export const auditBatchEntries = 2_000;
/** Suppressed values that an entry names by their hashes; of more it has the number alone. */
export const auditHashesMax = 20;
export const auditActorsMax = 200;
