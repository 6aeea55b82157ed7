/** Data services under an organisation's rules: which may be used, and what they may cost. */
import type { NewProviderKey, ProviderChange } from '../contract/providers.ts';
import type { TeamConfig } from '../contract/team/team-config.ts';
import { trimAddress } from '../providers/desk/desk-definition.ts';
import {
  changeProvider,
  type ProviderCommandDeps,
} from '../providers/installed/change-providers.ts';
import { readSettings } from '../providers/waterfall/provider-setting.table.ts';
import { toCredits } from '../providers/waterfall/provider-units.ts';
import { refuseChange } from './describe-lock.ts';

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
export function fitProviderKey<Command extends NewProviderKey & { id: string }>(
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
export function checkProviderChange(
  deps: ProviderCommandDeps,
  config: TeamConfig,
  { id, change }: { readonly id: string; readonly change: ProviderChange },
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

/** Switches forbidden providers off, and lowers caps to the ruled ones. */
export function ruleProviders(deps: ProviderCommandDeps, config: TeamConfig): void {
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
