// Limits of email validations.

/** Addresses in one validation, including duplicates. */
export const validationEmailsMax = 10_000;

/** Characters in one address: more than a valid one has, so that the verdict can say so. */
export const validationEmailCharactersMax = 1_000;

/** Addresses that one transaction of a validation checks: one turn of a validation. */
export const validationBatchEmailsMax = 250;

export const domainLookupsMax = 64;

/** Domains whose lookup is cached; the oldest is dropped. */
export const domainsKeptMax = 100_000;

/** Default page size of a validation's results in the tool server. */
export const verdictLimitDefault = 100;
