// Which days are in force: the account's choice, within what others rule.
import {
  type EffectiveRetention,
  productDays,
  type RetentionKind,
  type RetentionPolicy,
  type RetentionRule,
  type RetentionSource,
  retentionKindNames,
  retentionKinds,
} from '../contract/retention/retention.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readSettings } from './retention-setting.table.ts';

/** Days, and who decided them. Null keeps forever. */
export interface DaysInForce {
  readonly days: number | null;
  readonly source: RetentionSource;
}

/**
 * The days in force for a setting. A fixed rule replaces it; `at_most` shortens it, also if it
 * keeps forever. The rule of the organisation is applied before the product's own limit.
 * @param setting days that the account chose; null forever
 * @param rule the organisation's rule; undefined for none
 * @param limit days that the product itself sets; undefined for none
 */
export function effectiveDays(
  setting: number | null,
  rule?: RetentionRule,
  limit?: number,
): DaysInForce {
  const isOwn =
    rule === undefined || (rule.binding === 'at_most' && (setting ?? Infinity) <= rule.days);
  const days = isOwn ? setting : rule.days;
  if (limit !== undefined && (days ?? Infinity) > limit) return { days: limit, source: 'product' };
  if (!isOwn) return { days, source: 'organisation' };
  return { days, source: setting === null ? 'default' : 'account' };
}

/** The most days that may be chosen; null if keeping forever is allowed. */
function maxOf(rule: RetentionRule | undefined, limit: number | undefined): number | null {
  const most = Math.min(rule?.days ?? Infinity, limit ?? Infinity);
  return most === Infinity ? null : most;
}

/** Whether a kind cannot be changed. */
const isFixed = (kind: RetentionKind, rule: RetentionRule | undefined): boolean =>
  rule?.binding === 'fixed' || kind === 'uploads';

/** The days of every kind. @param changes settings instead of the stored, for a preview */
export function readRetention(
  database: ReadableDatabase,
  accountId: number,
  policy: RetentionPolicy,
  changes: Readonly<Partial<Record<RetentionKind, number | null>>> = {},
): EffectiveRetention[] {
  const settings = readSettings(database, accountId);
  return retentionKindNames.map((kind) => {
    const changed = changes[kind];
    const setting = changed === undefined ? (settings[kind] ?? null) : changed || null;
    const [rule, limit] = [policy[kind], productDays[kind]];
    return {
      kind,
      scope: retentionKinds[kind].scope,
      setting,
      ...effectiveDays(setting, rule, limit),
      days_max: maxOf(rule, limit),
      is_fixed: isFixed(kind, rule),
    };
  });
}
