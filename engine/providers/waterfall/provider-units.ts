// Credits of a service as whole ten-thousandths, so that sums are exact.

/** Credits → units, rounded to the nearest. */
export const toUnits = (credits: number): number => Math.round(credits * 10_000);

/** Units → credits. */
export const toCredits = (units: number): number => units / 10_000;
