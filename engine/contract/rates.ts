// The rates of a rate card, with their prices on a new installation (docs/rules.md, "Money").
import { type CreditUnits, parseCredits } from './credits.ts';
import { type LayerCode, layers } from './jobs/layers.ts';

export type RateCode = LayerCode | 'email_validation';

function rate(code: RateCode, label: string, defaultPrice: string) {
  const defaultUnits = parseCredits(defaultPrice);
  if (defaultUnits === null) throw new Error(`${code}: ${defaultPrice} is not a price`);
  return { code, label, defaultUnits };
}

/** Every rate in the order of the rate card; prices in units. */
export const defaultRates: readonly {
  readonly code: RateCode;
  readonly label: string;
  readonly defaultUnits: CreditUnits;
}[] = [
  ...layers.map(({ code, label, defaultPrice }) => rate(code, label, defaultPrice)),
  rate('email_validation', 'Email validation', '0.1000'),
];

export const rateCodes: readonly RateCode[] = defaultRates.map(({ code }) => code);

/** The default price of each rate, in units. */
export const defaultUnitsOf = Object.fromEntries(
  defaultRates.map(({ code, defaultUnits }) => [code, defaultUnits]),
) as Readonly<Record<RateCode, CreditUnits>>;
