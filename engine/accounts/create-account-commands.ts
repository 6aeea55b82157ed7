/** The commands about accounts, their credits, prices and API keys, on the writing connection. */

import { describeChange, recordAudit } from '../audit/record-audit.ts';
import type { CreditUnits } from '../contract/credits.ts';
import { formatCredits } from '../contract/credits.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import { listRates, setRate } from '../ledger/rate.table.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { type AccountChange, changeAccount, createAccount, grantCredits } from './accounts.ts';
import { admitStdioClient } from './admit-stdio-client.ts';
import { touchKey } from './api-key.table.ts';
import { changeKey, createKey, type KeyLimitChange, revokeAccountKey } from './api-keys.ts';
import { presentAccount } from './present-account.ts';

interface AccountCommandDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  /** Wall clock. */
  now(): Date;
  onWallet(accountId: number): void;
  /** Called after the limits of an API key changed. */
  onKey(accountId: number): void;
}

/** The settings of a rate, as the audit log shows them. */
function describeRate(database: WritableDatabase, accountId: number, code: string) {
  const rate = listRates(database, accountId).find((one) => one.code === code);
  return rate ? { price: formatCredits(rate.priceUnits), active: rate.active } : {};
}

interface RateCommand {
  readonly accountId: number;
  readonly code: LayerCode | 'email_validation';
  readonly priceUnits?: CreditUnits | undefined;
  readonly active?: boolean | undefined;
}

/** Changes a price of an account, or whether it can be bought, and records it. */
export function changeRate(
  database: WritableDatabase,
  { accountId, code, ...change }: RateCommand,
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
export const accountCommands = ({ database, now, onWallet }: AccountCommandDeps) => ({
  createAccount: async ({ name }: { name: string }) =>
    presentAccount(createAccount(database, name, now())),
  changeAccount: async ({ accountUuid, ...change }: AccountChange & { accountUuid: string }) =>
    presentAccount(changeAccount(database, accountUuid, change, now())),
  async grant(command: Parameters<typeof grantCredits>[1]) {
    grantCredits(database, command, now());
    onWallet(command.accountId);
  },
  setRate: async (command: RateCommand) => changeRate(database, command, now()),
});

/** Creates the handlers for API keys. */
export const keyCommands = ({ database, environment, now, onKey }: AccountCommandDeps) => ({
  createKey: async (command: { accountId: number; label: string } & KeyLimitChange) =>
    createKey(database, environment, command, now()),
  async changeKey(command: Parameters<typeof changeKey>[1]) {
    const changed = changeKey(database, command, now());
    onKey(command.accountId);
    return changed;
  },
  revokeKey: async (command: { accountId: number; id: string }) =>
    revokeAccountKey(database, command, now()),
  /** The key that an assistant on the local socket uses. Throws `forbidden`. */
  admitStdioClient: async (command: { accountId: number; name: string }) =>
    admitStdioClient(database, environment, command, now()),
  /** Stored at most once a minute per key. */
  touchKey: async ({ id }: { id: string }) => touchKey(database, id, now().toISOString()),
});

export type AccountCalls = ReturnType<typeof accountCommands> & ReturnType<typeof keyCommands>;
