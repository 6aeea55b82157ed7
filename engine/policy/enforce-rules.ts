// Enforces an organisation's rules in a writer: at the start, and by refusals of commands.
import { getAccount, listAccounts } from '../accounts/account.table.ts';
import { changeAccount } from '../accounts/accounts.ts';
import { listKeys } from '../accounts/api-key.table.ts';
import { changeKey, type KeyLimitChange } from '../accounts/api-keys.ts';
import { type AccountCalls, changeRate } from '../accounts/create-account-commands.ts';
import { type CreditUnits, parseCredits, showCredits } from '../contract/credits.ts';
import { invalid } from '../contract/errors.ts';
import type { NewProviderKey, ProviderChange } from '../contract/providers.ts';
import { rateCodes } from '../contract/rates.ts';
import type { RuledSetting, TeamConfig } from '../contract/team/team-config.ts';
import type { OauthCalls } from '../oauth/create-oauth-commands.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { trimAddress } from '../providers/desk/desk-definition.ts';
import {
  changeProvider,
  type ProviderCalls,
  type ProviderCommandDeps,
} from '../providers/installed/change-providers.ts';
import { readSettings } from '../providers/waterfall/provider-setting.table.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';
import { listSettings } from './team-rules.ts';

const capNames = ['job', 'day', 'month'] as const;

const isBuiltIn = ({ builtIn }: ProviderCommandDeps, id: string): boolean =>
  builtIn.some(({ provider }) => provider.describe().id === id);

/** The address of a provider that is another engine; null without one, undefined for others. */
const findAddress = ({ installed }: ProviderCommandDeps, id: string): string | null | undefined =>
  installed.refresh().find((one) => one.id === id)?.checked.definition?.desk?.address;

/** Whether the rules forbid a provider; built-in ones are always allowed. */
function isForbidden(deps: ProviderCommandDeps, config: TeamConfig, id: string): boolean {
  if (isBuiltIn(deps, id)) return false;
  if (config.providers && !config.providers.allowed.includes(id)) return true;
  if (!config.upstream) return false;
  const address = findAddress(deps, id);
  return typeof address === 'string' && address !== trimAddress(config.upstream.address);
}

/**
 * The key to store for a provider; another engine gets the ruled address. Throws
 * `validation_error` for a provider or an address that the rules forbid.
 */
function fitProviderKey<Command extends NewProviderKey & { id: string }>(
  deps: ProviderCommandDeps,
  config: TeamConfig,
  command: Command,
): Command {
  const { id, address } = command;
  if (config.providers && !isBuiltIn(deps, id) && !config.providers.allowed.includes(id))
    refuseChange(config, `Data service ${id}`, 'not allowed');
  const { upstream } = config;
  if (!upstream || findAddress(deps, id) === undefined) return command;
  if (address !== undefined && URL.canParse(address)) {
    if (trimAddress(address) !== trimAddress(upstream.address))
      refuseChange(config, 'The address of the other engine', `set to ${upstream.address}`);
  }
  return { ...command, address: upstream.address, is_local: upstream.is_local ?? false };
}

/** Throws `validation_error` for a change of a provider that a rule forbids. */
function checkProviderChange(
  deps: ProviderCommandDeps,
  config: TeamConfig,
  { id, ...change }: ProviderChange & { readonly id: string },
): void {
  if (change.is_on && isForbidden(deps, config, id))
    refuseChange(config, `Data service ${id}`, 'not allowed');
  const most = config.caps?.providers?.[id] ?? {};
  for (const name of capNames) {
    const [wanted, limit] = [change.caps?.[name], most[name]];
    if (limit !== undefined && wanted !== undefined && (wanted ?? Infinity) > limit)
      refuseChange(config, `Credits per ${name} at ${id}`, `limited to ${limit}`);
  }
}

function ruleProviders(deps: ProviderCommandDeps, config: TeamConfig): void {
  if (!config.providers && !config.upstream && !config.caps?.providers) return;
  for (const [id, setting] of readSettings(deps.database)) {
    const most = config.caps?.providers?.[id] ?? {};
    const now = {
      job: setting.capJobUnits,
      day: setting.capDayUnits,
      month: setting.capMonthUnits,
    };
    const over = capNames.filter((name) => {
      const [units, limit] = [now[name], most[name]];
      return limit !== undefined && (units === null ? Infinity : toCredits(units)) > limit;
    });
    const isOff = setting.isOn && isForbidden(deps, config, id);
    if (over.length === 0 && !isOff) continue;
    changeProvider(deps, id, {
      ...(isOff && { is_on: false }),
      ...(over.length > 0 && {
        caps: Object.fromEntries(over.map((name) => [name, most[name]])),
      }),
    });
  }
}

type AccountChange = Parameters<AccountCalls['changeAccount']>[0];
type RateChange = Parameters<AccountCalls['setRate']>[0];

const settings = {
  match_threshold: { field: 'matchThreshold', label: 'Match threshold' },
  charge_policy: { field: 'chargePolicy', label: 'Price of an enriched row' },
  free_repeat_days: { field: 'freeRepeatDays', label: 'Days without a second charge' },
  infer_emails: { field: 'inferEmails', label: 'Infer work emails' },
  monitor_charge: { field: 'monitorCharge', label: 'What a monitor charges' },
} as const satisfies Record<RuledSetting, { field: keyof AccountChange; label: string }>;

/** Throws `validation_error` for a change of an account that a rule forbids. */
function checkAccountChange(config: TeamConfig, change: AccountChange): void {
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
function checkRateChange(config: TeamConfig, change: RateChange): void {
  const ruled = findRate(config, change.code, false);
  const { priceUnits, active } = change;
  if (ruled?.priceUnits !== undefined && (priceUnits ?? ruled.priceUnits) !== ruled.priceUnits)
    refuseChange(config, `The price of ${change.code}`, 'set');
  if (ruled?.active !== undefined && (active ?? ruled.active) !== ruled.active)
    refuseChange(config, `Whether ${change.code} is on`, 'set');
}

/** @param isNew whether the account was just created: it also gets the defaults */
function ruleAccount(
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

function ruleAccounts(
  database: WritableDatabase,
  config: TeamConfig,
  isNew: boolean,
  now: Date,
): void {
  for (const account of listAccounts(database)) ruleAccount(database, config, account, isNew, now);
}

const keyCaps = {
  per_call: { field: 'capCallUnits', label: 'Credits per request' },
  per_day: { field: 'capDayUnits', label: 'Credits per day' },
  per_month: { field: 'capMonthUnits', label: 'Credits per month' },
} as const;
type CapField = (typeof keyCaps)[keyof typeof keyCaps]['field'];
type Caps = { readonly [field in CapField]?: CreditUnits | null | undefined };

const listCaps = ({ caps }: TeamConfig) =>
  Object.entries(caps?.keys ?? {}).flatMap(([name, text]) => {
    const most = text === undefined ? null : parseCredits(text);
    return most === null ? [] : [{ ...keyCaps[name as keyof typeof keyCaps], most }];
  });

/**
 * The limits of a key that a change asks for, within the ruled caps. Throws `validation_error` for
 * more than they allow.
 * @param isNew whether the key is created: without a cap it gets the ruled one
 */
function fitKeyLimits<Change extends KeyLimitChange>(
  config: TeamConfig,
  change: Change,
  isNew: boolean,
): Change {
  const fitted: { [field in CapField]?: CreditUnits } = {};
  for (const { field, label, most } of listCaps(config)) {
    const wanted = change[field];
    if (isNew && (wanted === undefined || wanted === null)) fitted[field] = most;
    else if (wanted !== undefined && (wanted ?? Infinity) > most)
      refuseChange(config, label, `limited to ${showCredits(most)}`);
  }
  return { ...change, ...fitted };
}

function lowerKeyCaps(database: WritableDatabase, config: TeamConfig, now: Date): void {
  const caps = listCaps(config);
  if (caps.length === 0) return;
  for (const { id: accountId } of listAccounts(database))
    for (const key of listKeys(database, accountId)) {
      if (key.revokedAt !== null) continue;
      const over = caps.filter(({ field, most }) => ((key as Caps)[field] ?? Infinity) > most);
      const lowered = Object.fromEntries(over.map(({ field, most }) => [field, most]));
      if (over.length > 0) changeKey(database, { accountId, id: key.id, ...lowered }, now);
    }
}

/** The commands that change what can be ruled. Days of retention have their own rules. */
type RuledCalls = Pick<
  AccountCalls & OauthCalls & ProviderCalls,
  | 'accounts.create'
  | 'changeAccount'
  | 'createKey'
  | 'changeKey'
  | 'admitStdioClient'
  | 'redeemCode'
  | 'setRate'
  | 'providers.setKey'
  | 'providers.change'
>;

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
    async 'accounts.create'(command) {
      const created = await calls['accounts.create'](command);
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
    'providers.setKey': async (command) =>
      calls['providers.setKey'](fitProviderKey(deps, config, command)),
    async 'providers.change'(command) {
      checkProviderChange(deps, config, command);
      return calls['providers.change'](command);
    },
  };
  return { ...calls, ...ruled };
}

/**
 * Throws `validation_error` for a change that a rule forbids.
 * @param what the setting, as the start of a sentence
 * @param how how the rule binds it
 */
function refuseChange(
  { organisation = 'your organisation' }: TeamConfig,
  what: string,
  how: string,
): never {
  throw invalid(`${what}: ${how} by ${organisation.replace(/\.$/, '')}.`);
}
