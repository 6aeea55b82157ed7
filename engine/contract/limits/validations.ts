/** Limits of email validations. */

/** Different or equal addresses in one validation of emails. */
export const validationEmailsMax = 10_000;

/** Characters in one of them: more than any address has, so that it is told that it is too long. */
export const validationEmailCharactersMax = 1_000;

/** Addresses that one transaction of a validation judges; validations take turns by these. */
export const validationBatchEmailsMax = 250;

/** Domains that are looked up at the same time. */
export const domainLookupsMax = 64;

/** Domains whose lookup is remembered; the oldest gives way. */
export const domainsKeptMax = 100_000;

/** The page of a validation's results, unless a tool is told otherwise. */
export const verdictLimitDefault = 100;
