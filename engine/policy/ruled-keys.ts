/** Spending caps of API keys under an organisation's rules. */

import { listAccounts } from '../accounts/account.table.ts';
import type { KeyLimitChange } from '../accounts/accounts.commands.ts';
import { listKeys } from '../accounts/api-key.table.ts';
import { changeKey } from '../accounts/api-keys.ts';
import { type CreditUnits, parseCredits, showCredits } from '../contract/credits.ts';
import type { TeamConfig } from '../contract/team/team-config.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { refuseChange } from './describe-lock.ts';

const capNames = {
  per_call: { field: 'capCallUnits', label: 'Credits per request' },
  per_day: { field: 'capDayUnits', label: 'Credits per day' },
  per_month: { field: 'capMonthUnits', label: 'Credits per month' },
} as const;
type CapField = (typeof capNames)[keyof typeof capNames]['field'];
type Caps = { readonly [field in CapField]?: CreditUnits | null | undefined };

/** The ruled caps of keys, each with its field and label. */
const listCaps = ({ caps }: TeamConfig) =>
  Object.entries(caps?.keys ?? {}).flatMap(([name, text]) => {
    const most = text === undefined ? null : parseCredits(text);
    return most === null ? [] : [{ ...capNames[name as keyof typeof capNames], most }];
  });

/**
 * The limits of a key that a change asks for, within the ruled caps. Throws `validation_error` for
 * more than they allow.
 * @param isNew whether the key is created: without a cap it gets the ruled one
 */
export function fitKeyLimits<Change extends KeyLimitChange>(
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

/** Lowers the caps of every active key to the ruled ones. */
export function lowerKeyCaps(database: WritableDatabase, config: TeamConfig, now: Date): void {
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
