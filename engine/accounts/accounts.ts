// Customer accounts: creating the first and further ones, their settings and grants.
import { randomUUID } from 'node:crypto';
import { describeChange, recordAudit } from '../audit/record-audit.ts';
import { type CreditUnits, creditUnits, unitsPerCredit } from '../contract/credits.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { GrantSubject } from '../contract/ledger-subject.ts';
import { firstGrantCredits, stagingGrantCredits } from '../contract/limits/ledger.ts';
import { defaultMatchThreshold } from '../directory/match/match-threshold.ts';
import { grant } from '../ledger/ledger.ts';
import { insertDefaultRates } from '../ledger/rate.table.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  type AccountChange,
  type AccountRow,
  getAccount,
  insertAccount,
  listAccounts,
  noSuchAccount,
  updateAccount,
} from './account.table.ts';
import { presentAccount } from './present-account.ts';

/** Creates an account with the default rate card and an empty wallet. */
export function createAccount(database: WritableDatabase, name: string, now: Date): AccountRow {
  return inTransaction(database, () => {
    const account = insertAccount(database, {
      uuid: randomUUID(),
      name,
      matchThreshold: defaultMatchThreshold,
      at: now.toISOString(),
    });
    insertDefaultRates(database, account.id);
    const note = { action: 'account_created', at: now.toISOString() } as const;
    recordAudit(database, { ...note, accountId: account.id });
    return account;
  });
}

const firstGrants: Readonly<Record<EnvironmentName, number>> = {
  live: firstGrantCredits,
  staging: stagingGrantCredits,
};

/** Creates the account "Local workspace" of a new installation, with its first grant. */
export function ensureFirstAccount(
  database: WritableDatabase,
  now: Date,
  environment: EnvironmentName = 'live',
): void {
  if (listAccounts(database).length > 0) return;
  inTransaction(database, () => {
    const account = createAccount(database, 'Local workspace', now);
    const units = creditUnits(firstGrants[environment] * unitsPerCredit);
    const subject = { kind: 'grant', id: 'first grant' } as const;
    grantCredits(database, { accountId: account.id, units, subject }, now);
  });
}

/** Changes an account's name or rules. Running jobs keep the settings they started with. */
export function changeAccount(
  database: WritableDatabase,
  uuid: string,
  change: AccountChange,
  now: Date,
): AccountRow {
  return inTransaction(database, () => {
    const account = getAccount(database, uuid);
    if (!account) throw noSuchAccount();
    updateAccount(database, account.id, change);
    const changed = getAccount(database, uuid);
    if (!changed) throw new Error(`account ${uuid} disappeared`);
    const details = describeChange(presentAccount(account), presentAccount(changed));
    const note = { action: 'account_changed', at: now.toISOString(), details } as const;
    if (Object.keys(details).length > 0) recordAudit(database, { ...note, accountId: account.id });
    return changed;
  });
}

export const grantCredits = (
  database: WritableDatabase,
  command: { accountId: number; units: CreditUnits; subject: GrantSubject },
  now: Date,
): void =>
  inTransaction(database, () => {
    const { accountId, units, subject } = command;
    const at = now.toISOString();
    grant(database, accountId, units, subject, at);
    recordAudit(database, { action: 'credits_granted', at, accountId, units });
  });
