// Rounded numbers of an estimate, which is never exact to the last digit.
import { showCount } from '../../../components/numbers.ts';

/** 21,547.752 → 21,500; 17.26 → 17; 2.54 → 2.5. */
export function roundAbout(value: number): number {
  if (value < 10) return Math.round(value * 10) / 10;
  const digits = Math.max(0, Math.floor(Math.log10(value)) - 2);
  return Math.round(value / 10 ** digits) * 10 ** digits;
}

/** A number of an estimate: rounded, unless it is exact. */
export const showAbout = (value: number, isExact: boolean): string => {
  if (isExact) return showCount(Math.round(value * 10_000) / 10_000);
  return value > 0 && value < 0.05 ? '<0.1' : showCount(roundAbout(value));
};

/** As `showAbout`, with its unit: "21,500 credits". */
export function countCreditsAbout(value: number, isExact: boolean): string {
  const shown = showAbout(value, isExact);
  return `${shown} ${shown === '1' ? 'credit' : 'credits'}`;
}
