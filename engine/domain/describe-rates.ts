/** The rate card of an account in the words of the contract. */
import type { Rate } from '../contract/app.ts';
import { formatCredits } from '../contract/credits.ts';
import { layerByCode } from '../contract/layers.ts';
import type { ReadableDatabase } from '../sqlite/open.ts';
import { listRates } from '../store/rate.ts';

/** What each layer, and each validation of an email, costs the account. */
export const describeRates = (database: ReadableDatabase, accountId: number): Rate[] =>
  listRates(database, accountId).map(({ code, priceUnits, active }) => ({
    code,
    label: code === 'email_validation' ? 'Email validation' : layerByCode[code].label,
    price: formatCredits(priceUnits),
    active,
  }));
