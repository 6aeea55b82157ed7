/** The commands about accounts, their credits, prices and API keys, on the writing connection. */

import { describeChange, recordAudit } from '../audit/record-audit.ts';
import { formatCredits } from '../contract/credits.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import { listRates, setRate } from '../ledger/rate.table.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import type { AccountCalls } from './accounts.commands.ts';
import { changeAccount, createAccount, grantCredits } from './accounts.ts';
import { touchKey } from './api-key.table.ts';
import { changeKey, createKey, revokeAccountKey } from './api-keys.ts';
import { presentAccount } from './present-account.ts';

interface AccountCommandDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  /** Wall clock. */
  now(): Date;
  /** Called after the balance of an account changed. */
  onWallet(accountId: number): void;
  /** Called after the limits of an API key changed. */
  onKey(accountId: number): void;
}

/** The settings of a rate, as the audit log shows them. */
function describeRate(database: WritableDatabase, accountId: number, code: string) {
  const rate = listRates(database, accountId).find((one) => one.code === code);
  return rate ? { price: formatCredits(rate.priceUnits), active: rate.active } : {};
}

/** Changes a price of an account, or whether it can be bought, and records it. */
export function changeRate(
  database: WritableDatabase,
  { accountId, code, ...change }: Parameters<LedgerCalls['setRate']>[0],
  now: Date,
): void {
  inTransaction(database, () => {
    const before = describeRate(database, accountId, code);
    setRate(database, accountId, code, {
      ...(change.priceUnits !== undefined && { priceUnits: change.priceUnits }),
      ...(change.active !== undefined && { active: change.active }),
    });
    const details = describeChange(before, describeRate(database, accountId, code));
    const note = { action: 'rate_changed', at: now.toISOString(), details } as const;
    if (Object.keys(details).length > 0)
      recordAudit(database, { ...note, accountId, subject: code });
  });
}

/** Creates the handlers for accounts, their credits and prices. */
export const accountCommands = ({
  database,
  now,
  onWallet,
}: AccountCommandDeps): Pick<
  AccountCalls & LedgerCalls,
  'createAccount' | 'changeAccount' | 'grant' | 'setRate'
> => ({
  createAccount: async ({ name }) => presentAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }) =>
    presentAccount(changeAccount(database, accountUuid, change, now())),
  async grant(command) {
    grantCredits(database, command, now());
    onWallet(command.accountId);
  },
  setRate: async (command) => changeRate(database, command, now()),
});

/** Creates the handlers for API keys. */
export const keyCommands = ({
  database,
  environment,
  now,
  onKey,
}: AccountCommandDeps): Pick<
  AccountCalls,
  'createKey' | 'changeKey' | 'revokeKey' | 'touchKey'
> => ({
  createKey: async (command) => createKey(database, environment, command, now()),
  async changeKey(command) {
    const changed = changeKey(database, command, now());
    onKey(command.accountId);
    return changed;
  },
  revokeKey: async (command) => revokeAccountKey(database, command, now()),
  touchKey: async ({ id }) => touchKey(database, id, now().toISOString()),
});
