// The balances of an account in the format of the API.
import { formatCredits } from '../contract/credits.ts';
import type { Wallet } from '../contract/ledger.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readBalances } from './ledger.ts';

export function presentWallet(database: ReadableDatabase, accountId: number): Wallet {
  const { availableUnits, heldUnits, spentUnits } = readBalances(database, accountId);
  return {
    available: formatCredits(availableUnits),
    held: formatCredits(heldUnits),
    spent: formatCredits(spentUnits),
  };
}
