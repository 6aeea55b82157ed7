// The rate card of an account in the format of the API.
import { formatCredits } from '../contract/credits.ts';
import type { Rate } from '../contract/rate-card.ts';
import { defaultRates } from '../contract/rates.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { listRates } from './rate.table.ts';

const labels = new Map(defaultRates.map(({ code, label }) => [code, label]));

export const presentRates = (database: ReadableDatabase, accountId: number): Rate[] =>
  listRates(database, accountId).map(({ code, priceUnits, active }) => ({
    code,
    label: labels.get(code) ?? code,
    price: formatCredits(priceUnits),
    active,
  }));
