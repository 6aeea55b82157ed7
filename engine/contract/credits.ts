// Money: one credit is 10,000 units, shown with four fraction digits (docs/rules.md, "Money").
import { z } from 'zod';

/** Whole units; 10,000 units are one credit. */
export type CreditUnits = number & { readonly __unit: 'credit units' };

export const unitsPerCredit = 10_000;

/** Brands a whole number of units. Throws a RangeError on anything but a safe integer. */
export function creditUnits(units: number): CreditUnits {
  if (!Number.isSafeInteger(units)) throw new RangeError(`not whole credit units: ${units}`);
  return units as CreditUnits;
}

/** Formats units as credits: "1.5000". */
export function formatCredits(units: CreditUnits): string {
  const sign = units < 0 ? '-' : '';
  const size = Math.abs(units);
  const fraction = String(size % unitsPerCredit).padStart(4, '0');
  return `${sign}${Math.trunc(size / unitsPerCredit)}.${fraction}`;
}

/** Credits in a sentence: "1.5", "49". */
export const showCredits = (units: CreditUnits): string => String(Number(formatCredits(units)));

/** Credits with their unit: "1 credit", "1.5 credits". */
export const sayCredits = (units: CreditUnits): string =>
  `${showCredits(units)} ${units === unitsPerCredit ? 'credit' : 'credits'}`;

/** Parses "1.5" or "1.5000" as units; null for other texts and more than four fraction digits. */
export function parseCredits(text: string): CreditUnits | null {
  const parts = /^(-?)([0-9]{1,11})(?:\.([0-9]{1,4}))?$/.exec(text);
  if (!parts) return null;
  const units = Number(parts[2]) * unitsPerCredit + Number((parts[3] ?? '').padEnd(4, '0'));
  return creditUnits(parts[1] && units ? -units : units);
}

/** A decimal string with four fraction digits, as every answer shows credits. */
export const CreditsSchema = z
  .string()
  .regex(/^-?\d+\.\d{4}$/)
  .meta({
    description: 'Credits as a decimal string with four fraction digits.',
    examples: ['1.5000'],
  });
