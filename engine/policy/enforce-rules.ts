/**
 * Enforces an organisation's rules in a writer: at its start it sets what they fix, and its
 * commands refuse what they forbid.
 */
import { getAccount } from '../accounts/account.table.ts';
import type { AccountCalls } from '../accounts/accounts.commands.ts';
import type { TeamConfig } from '../contract/team/team-config.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';
import type { OauthCalls } from '../oauth/oauth.commands.ts';
import type { ProviderCommandDeps } from '../providers/installed/change-providers.ts';
import type { ProviderCalls } from '../providers/providers.commands.ts';
import {
  checkAccountChange,
  checkRateChange,
  ruleAccount,
  ruleAccounts,
} from './ruled-accounts.ts';
import { fitKeyLimits, lowerKeyCaps } from './ruled-keys.ts';
import { checkProviderChange, fitProviderKey, ruleProviders } from './ruled-providers.ts';

/** The commands that change what can be ruled. Days of retention have their own rules. */
type RuledCalls = Pick<
  AccountCalls & LedgerCalls & OauthCalls & ProviderCalls,
  | 'createAccount'
  | 'changeAccount'
  | 'createKey'
  | 'changeKey'
  | 'admitStdioClient'
  | 'redeemCode'
  | 'setRate'
  | 'setProviderKey'
  | 'changeProvider'
>;

/** Sets what the rules fix, in a database that was just opened. */
export function applyRules(
  deps: ProviderCommandDeps,
  config: TeamConfig,
  isNewDatabase: boolean,
): void {
  const { database, now } = deps;
  ruleAccounts(database, config, isNewDatabase, now());
  lowerKeyCaps(database, config, now());
  ruleProviders(deps, config);
}

/** Wraps commands so that they refuse what the rules forbid. */
export function enforceRules<Calls extends RuledCalls>(
  calls: Calls,
  deps: ProviderCommandDeps,
  config: TeamConfig,
): Calls {
  const { database, now } = deps;
  /** Lowers the caps of a key that a command created, before its client can use it. */
  const withCaps = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const created = await answer;
    lowerKeyCaps(database, config, now());
    return created;
  };
  const ruled: RuledCalls = {
    async createAccount(command) {
      const created = await calls.createAccount(command);
      const account = getAccount(database, created.id);
      if (!account) return created;
      ruleAccount(database, config, account, true, now());
      return calls.changeAccount({ accountUuid: created.id });
    },
    async changeAccount(command) {
      checkAccountChange(config, command);
      return calls.changeAccount(command);
    },
    createKey: async (command) => calls.createKey(fitKeyLimits(config, command, true)),
    changeKey: async (command) => calls.changeKey(fitKeyLimits(config, command, false)),
    admitStdioClient: (command) => withCaps(calls.admitStdioClient(command)),
    redeemCode: (command) => withCaps(calls.redeemCode(command)),
    async setRate(command) {
      checkRateChange(config, command);
      return calls.setRate(command);
    },
    setProviderKey: async (command) => calls.setProviderKey(fitProviderKey(deps, config, command)),
    async changeProvider(command) {
      checkProviderChange(deps, config, command);
      return calls.changeProvider(command);
    },
  };
  return { ...calls, ...ruled };
}
