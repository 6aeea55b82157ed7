// Counts of pairs of names that a matcher takes for one or for two, and their F1.

/** Pairs that are one and answered, that are two and answered, that are one and not answered. */
export interface PairCounts {
  right: number;
  wrong: number;
  missed: number;
}

/** Counts of no pairs. */
export const countNothing = (): PairCounts => ({ right: 0, wrong: 0, missed: 0 });

/** The harmonic mean of precision and recall, with three digits. */
export const f1Of = ({ right, wrong, missed }: PairCounts): string =>
  ((2 * right) / (2 * right + wrong + missed)).toFixed(3);

/** Counts a pair. */
export function count(into: PairCounts, isAnswered: boolean, isMatch: boolean): void {
  if (isAnswered && isMatch) into.right++;
  else if (isAnswered) into.wrong++;
  else if (isMatch) into.missed++;
}
