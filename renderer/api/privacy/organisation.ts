// The organisation's rules, and the reason why a control is locked.
import type { UserProvider } from '../../../engine/contract/providers.ts';
import { type Organisation, organisation } from '../../../engine/contract/team/team-config.ts';
import { useAnswer } from '../live.ts';

/** The rules in force. They change with a start of the engine only. */
export const useOrganisation = () => useAnswer(['organisation'], organisation.read);

const setBy = (organisation: Organisation) => `Set by ${organisation.name ?? 'your organisation'}.`;

/** Why a control is locked: "Set by Acme."; null if it is not. */
function describeLock(organisation: Organisation | undefined, path: string): string | null {
  const isLocked = organisation?.rules.some((rule) => rule.path === path && rule.is_locked);
  return organisation && isLocked ? setBy(organisation) : null;
}

/** Why the control of a rule is locked; null if it is not, or as long as that is not known. */
export const useLock = (path: string): string | null => describeLock(useOrganisation().data, path);

/** Why a data service may not be used: "Set by Acme."; null if it may be. */
function describeProviderLock(
  organisation: Organisation,
  { id, origin, engine }: UserProvider,
): string | null {
  const { allowed_providers: allowed, upstream } = organisation;
  if (origin === 'built_in') return null;
  const isOther = upstream !== null && engine?.address && engine.address !== upstream;
  return isOther || (allowed && !allowed.includes(id)) ? setBy(organisation) : null;
}

/** Why a data service may not be used; null if it may be, or as long as that is not known. */
export function useProviderLock(provider: UserProvider): string | null {
  const { data } = useOrganisation();
  return data ? describeProviderLock(data, provider) : null;
}

/** The organisation's rule about a rate; null if there is none. */
export function readRateLock(
  organisation: Organisation | undefined,
  code: string,
): { reason: string; price: boolean; active: boolean } | null {
  const path = `rates.${code}`;
  const reason = describeLock(organisation, path);
  const rule = organisation?.rules.find((one) => one.path === path);
  if (reason === null || !rule) return null;
  const value = JSON.parse(rule.value) as { price?: string; active?: boolean };
  return { reason, price: value.price !== undefined, active: value.active !== undefined };
}
