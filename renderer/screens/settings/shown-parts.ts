// Which parts of Settings have something to say now. The palette finds the same ones.
import { useMemo } from 'react';
import { keys } from '../../../engine/contract/keys.ts';
import { sessions } from '../../../engine/contract/sessions.ts';
import { webhooks } from '../../../engine/contract/webhooks.ts';
import { useAccounts, useAnswer, useAppState } from '../../api/live.ts';
import { useOrganisation } from '../../api/privacy/organisation.ts';
import { type SettingsPart, settingsParts } from './settings-parts.ts';

export function useShownParts(): ReadonlySet<SettingsPart> {
  const { data: state } = useAppState();
  const accounts = useAccounts().data ?? [];
  const rules = useOrganisation().data?.rules ?? [];
  const { data: held } = useAnswer(['keys', 'live'], keys.list);
  const { data: secret } = useAnswer(['secret-key'], webhooks.secretKey);
  const { data: browsers } = useAnswer(['sessions'], sessions.list);
  const isDesktop = window.desk !== undefined;
  const shown: Readonly<Record<SettingsPart, boolean>> = {
    appearance: true,
    notifications: true,
    background: isDesktop,
    updates: isDesktop,
    rules: true,
    // Prices matter where credits are limited.
    rates:
      state?.account.has_budget === true ||
      (held !== undefined && held.length > 0) ||
      rules.some(({ path }) => path.startsWith('rates.')),
    accounts: accounts.length > 1,
    retention: true,
    backups: true,
    browsers: !isDesktop || (browsers !== undefined && browsers.length > 0),
    secrets: secret !== undefined && secret.place !== 'keychain',
    audit: true,
    organisation: rules.length > 0,
  };
  const ids = settingsParts.flatMap(({ id }) => (shown[id] ? id : [])).join();
  // The same set while the same parts are shown.
  return useMemo(() => new Set(ids.split(',') as SettingsPart[]), [ids]);
}
