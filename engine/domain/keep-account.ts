/** Customer accounts: the first one of an installation, further ones, their settings and grants. */
import { randomUUID } from 'node:crypto';
import { type CreditUnits, creditUnits, unitsPerCredit } from '../contract/credits.ts';
import { EngineError } from '../contract/errors.ts';
import type { WorldName } from '../contract/ids.ts';
import { firstGrantCredits, stagingGrantCredits } from '../contract/limits.ts';
import { defaultMatchThreshold } from '../directory/match-threshold.ts';
import type { WritableDatabase } from '../sqlite/open.ts';
import { inTransaction } from '../sqlite/transaction.ts';
import {
  type AccountRow,
  getAccount,
  insertAccount,
  listAccounts,
  updateAccount,
} from '../store/account.ts';
import { grant } from '../store/ledger.ts';
import { insertDefaultRates } from '../store/rate.ts';

/** Makes an account with the default rate card and an empty wallet. */
export function createAccount(database: WritableDatabase, name: string, now: Date): AccountRow {
  return inTransaction(database, () => {
    const account = insertAccount(database, {
      uuid: randomUUID(),
      name,
      matchThreshold: defaultMatchThreshold,
      at: now.toISOString(),
    });
    insertDefaultRates(database, account.id);
    return account;
  });
}

const firstGrants: Readonly<Record<WorldName, number>> = {
  live: firstGrantCredits,
  test: stagingGrantCredits,
};

/**
 * A new installation has one account, "Local workspace", with its first grant (docs/rules.md,
 * "Money").
 */
export function ensureFirstAccount(
  database: WritableDatabase,
  now: Date,
  world: WorldName = 'live',
): void {
  if (listAccounts(database).length > 0) return;
  inTransaction(database, () => {
    const account = createAccount(database, 'Local workspace', now);
    const units = creditUnits(firstGrants[world] * unitsPerCredit);
    grant(database, account.id, units, 'first grant', now.toISOString());
  });
}

/**
 * Changes an account's name, charge policy or match threshold; running jobs keep what they began
 * with.
 */
export function changeAccount(
  database: WritableDatabase,
  uuid: string,
  change: {
    readonly name?: string | undefined;
    readonly chargePolicy?: AccountRow['chargePolicy'] | undefined;
    readonly matchThreshold?: number | undefined;
  },
): AccountRow {
  const account = getAccount(database, uuid);
  if (!account) throw new EngineError('not_found', 'There is no such account.');
  updateAccount(database, account.id, change);
  const changed = getAccount(database, uuid);
  if (!changed) throw new Error(`account ${uuid} vanished`);
  return changed;
}

/** Adds credits to a wallet. */
export const grantCredits = (
  database: WritableDatabase,
  command: { accountId: number; units: CreditUnits; reference: string },
  now: Date,
): void =>
  void grant(database, command.accountId, command.units, command.reference, now.toISOString());
