// Limits of the suppression list.

export const suppressionValueCharactersMax = 2_000;
export const suppressionReasonCharactersMax = 500;
/** Values in one request. */
export const suppressionAddedMax = 1_000;
export const suppressionRowsMax = 500_000;
/** Entries on a page, and at most. */
export const suppressionPage = { byDefault: 50, max: 500 } as const;
export const suppressionRemarksMax = 20;
