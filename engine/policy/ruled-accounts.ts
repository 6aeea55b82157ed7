/** Settings and prices of accounts under an organisation's rules. */
import { listAccounts } from '../accounts/account.table.ts';
import type { AccountCalls } from '../accounts/accounts.commands.ts';
import { changeAccount } from '../accounts/accounts.ts';
import { changeRate } from '../accounts/create-account-commands.ts';
import { parseCredits } from '../contract/credits.ts';
import { rateCodes } from '../contract/rates.ts';
import type { RuledSetting, TeamConfig } from '../contract/team/team-config.ts';
import type { LedgerCalls } from '../ledger/unlock.commands.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { refuseChange } from './describe-lock.ts';
import { listSettings } from './team-rules.ts';

type AccountChange = Parameters<AccountCalls['changeAccount']>[0];
type RateChange = Parameters<LedgerCalls['setRate']>[0];

/** The field of a change of an account, and the words of a refusal. */
const settings = {
  match_threshold: { field: 'matchThreshold', label: 'Match threshold' },
  charge_policy: { field: 'chargePolicy', label: 'Price of an enriched row' },
  free_repeat_days: { field: 'freeRepeatDays', label: 'Days without a second charge' },
  infer_emails: { field: 'inferEmails', label: 'Infer work emails' },
  monitor_charge: { field: 'monitorCharge', label: 'What a monitor charges' },
} as const satisfies Record<RuledSetting, { field: keyof AccountChange; label: string }>;

/** Throws `validation_error` for a change of an account that a rule forbids. */
export function checkAccountChange(config: TeamConfig, change: AccountChange): void {
  for (const [name, value] of Object.entries(listSettings(config, ['fixed']))) {
    const { field, label } = settings[name as RuledSetting];
    if (change[field] !== undefined && change[field] !== value) refuseChange(config, label, 'set');
  }
}

/** The price and state of a rate that are ruled; `isNew`: also what a new account starts with. */
function findRate(config: TeamConfig, code: string, isNew: boolean) {
  const rule = config.rates?.[code];
  if (!rule || (rule.binding === 'default' && !isNew)) return null;
  const priceUnits = rule.price === undefined ? null : parseCredits(rule.price);
  return {
    ...(priceUnits !== null && { priceUnits }),
    ...(rule.active !== undefined && { active: rule.active }),
  };
}

/** Throws `validation_error` for a change of a rate that a rule forbids. */
export function checkRateChange(config: TeamConfig, change: RateChange): void {
  const ruled = findRate(config, change.code, false);
  const { priceUnits, active } = change;
  if (ruled?.priceUnits !== undefined && (priceUnits ?? ruled.priceUnits) !== ruled.priceUnits)
    refuseChange(config, `The price of ${change.code}`, 'set');
  if (ruled?.active !== undefined && (active ?? ruled.active) !== ruled.active)
    refuseChange(config, `Whether ${change.code} is on`, 'set');
}

/**
 * Sets what the rules say about an account.
 * @param isNew whether the account was just created: it also gets the defaults
 */
export function ruleAccount(
  database: WritableDatabase,
  config: TeamConfig,
  account: { readonly id: number; readonly uuid: string },
  isNew: boolean,
  now: Date,
): void {
  const ruled = listSettings(config, isNew ? ['fixed', 'default'] : ['fixed']);
  const change = Object.fromEntries(
    Object.entries(ruled).map(([name, value]) => [settings[name as RuledSetting].field, value]),
  );
  if (Object.keys(change).length > 0) changeAccount(database, account.uuid, change, now);
  for (const code of rateCodes) {
    const rate = findRate(config, code, isNew);
    if (rate) changeRate(database, { accountId: account.id, code, ...rate }, now);
  }
}

/** Sets what the rules say about every account. */
export function ruleAccounts(
  database: WritableDatabase,
  config: TeamConfig,
  isNew: boolean,
  now: Date,
): void {
  for (const account of listAccounts(database)) ruleAccount(database, config, account, isNew, now);
}
