/** The rate card of an account in the words of the contract. */

import { formatCredits } from '../contract/credits.ts';
import { layerByCode } from '../contract/jobs/layers.ts';
import type { Rate } from '../contract/ledger.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { listRates } from './rate.table.ts';

/** What each layer, and each validation of an email, costs the account. */
export const presentRates = (database: ReadableDatabase, accountId: number): Rate[] =>
  listRates(database, accountId).map(({ code, priceUnits, active }) => ({
    code,
    label: code === 'email_validation' ? 'Email validation' : layerByCode[code].label,
    price: formatCredits(priceUnits),
    active,
  }));
