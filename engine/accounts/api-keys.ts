// API keys: generated at random, shown once, stored as SHA-256, each with its own limits
// (docs/api.md, "Authentication").
//
//   created ──changeKey──> created ──revokeAccountKey──> revoked, permanently
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describeChange, recordAudit } from '../audit/record-audit.ts';
import { type CreditUnits, formatCredits } from '../contract/credits.ts';
import { notFound } from '../contract/errors.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { Key } from '../contract/keys.ts';
import { rateLimitRequestsMax } from '../contract/limits/http-server.ts';
import { readKeySpending } from '../ledger/key-guard.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import {
  getKey,
  insertKey,
  type KeyLimits,
  type KeyRow,
  revokeKey,
  updateKey,
} from './api-key.table.ts';

/** Omitted limits keep their value, or get the default for a new key. */
export interface KeyLimitChange {
  readonly requestsPerMinute?: number | undefined;
  /** null removes the cap. */
  readonly capDayUnits?: CreditUnits | null | undefined;
  readonly capMonthUnits?: CreditUnits | null | undefined;
  readonly capCallUnits?: CreditUnits | null | undefined;
  readonly askAboveUnits?: CreditUnits | null | undefined;
  readonly selfApproval?: boolean | undefined;
  /** The most one request may spend at each data service, in its credits; null for no limit. */
  readonly providerCap?: number | null | undefined;
}

const prefixes: Readonly<Record<EnvironmentName, string>> = {
  live: 'sk_live_',
  staging: 'sk_test_',
};

/** Characters of a key that may be shown later: its prefix and the first few random ones. */
const shownCharacters = 12;

/** The stored form of a key: its SHA-256 in lower-case hexadecimal. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex');

const defaultLimits: KeyLimits = {
  requestsPerMinute: rateLimitRequestsMax,
  capDayUnits: null,
  capMonthUnits: null,
  capCallUnits: null,
  askAboveUnits: null,
  selfApproval: false,
  providerCap: 0,
};

/** Omitted limits keep their value. null is an explicit choice: no cap. */
function pickLimits(limits: KeyLimits, change: KeyLimitChange): KeyLimits {
  const pick = <Name extends keyof KeyLimits>(name: Name): KeyLimits[Name] => {
    const chosen = change[name];
    return chosen === undefined ? limits[name] : (chosen as KeyLimits[Name]);
  };
  return {
    requestsPerMinute: pick('requestsPerMinute'),
    capDayUnits: pick('capDayUnits'),
    capMonthUnits: pick('capMonthUnits'),
    capCallUnits: pick('capCallUnits'),
    askAboveUnits: pick('askAboveUnits'),
    selfApproval: pick('selfApproval'),
    providerCap: pick('providerCap'),
  };
}

const formatCap = (units: CreditUnits | null) => (units === null ? null : formatCredits(units));

const describeSettings = (key: KeyLimits & Pick<KeyRow, 'label'>) => ({
  label: key.label,
  requests_per_minute: key.requestsPerMinute,
  cap_per_day: formatCap(key.capDayUnits),
  cap_per_month: formatCap(key.capMonthUnits),
  cap_per_call: formatCap(key.capCallUnits),
  ask_above: formatCap(key.askAboveUnits),
  self_approval: key.selfApproval,
  provider_cap: key.providerCap,
});

/** An API key as lists show it, with its spending on the day and in the month of `now`. */
export function describeKey(database: ReadableDatabase, key: KeyRow, now: Date): Key {
  const spending = readKeySpending(database, key.id, now.toISOString());
  return {
    id: key.id,
    prefix: key.prefix,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
    ...describeSettings(key),
    spent_today: formatCredits(spending.spentDayUnits),
    spent_this_month: formatCredits(spending.spentMonthUnits),
  };
}

/**
 * Creates a key of an environment. The answer is the only place where the key is shown.
 * @param command byItself: a client exchanges a code for the key, so that the log names the key
 */
export function createKey(
  database: WritableDatabase,
  environment: EnvironmentName,
  command: { accountId: number; label: string; byItself?: boolean } & KeyLimitChange,
  now: Date,
): { id: string; key: string; label: string } {
  const id = randomUUID();
  const key = prefixes[environment] + randomBytes(32).toString('base64url');
  const { accountId, label } = command;
  const prefix = key.slice(0, shownCharacters);
  const at = now.toISOString();
  const limits = pickLimits(defaultLimits, command);
  // Only what is not the default of a new key.
  const chosen = describeSettings({ label, ...limits });
  const usual = Object.entries(describeSettings({ label: '', ...defaultLimits }));
  const defaults = new Map(usual);
  const set = Object.entries(chosen).filter(([name, value]) => defaults.get(name) !== value);
  const details = { prefix, ...Object.fromEntries(set) };
  inTransaction(database, () => {
    insertKey(database, { id, accountId, label, prefix, at, ...limits, hash: hashKey(key) });
    const keyId = command.byItself ? id : null;
    recordAudit(database, { action: 'key_created', at, accountId, keyId, subject: id, details });
  });
  return { id, key, label };
}

function readKey(database: ReadableDatabase, command: { accountId: number; id: string }): KeyRow {
  const key = getKey(database, command.accountId, command.id);
  if (!key) throw notFound('This key does not exist.');
  return key;
}

/** Omitted values stay. A lower limit applies from the next request. Throws `not_found`. */
export function changeKey(
  database: WritableDatabase,
  command: { accountId: number; id: string; label?: string | undefined } & KeyLimitChange,
  now: Date,
): Key {
  return inTransaction(database, () => {
    const key = readKey(database, command);
    const { id, accountId, prefix } = key;
    updateKey(database, id, { label: command.label ?? key.label, ...pickLimits(key, command) });
    const changed = readKey(database, command);
    const change = describeChange(describeSettings(key), describeSettings(changed));
    const details = { prefix, ...change };
    const note = { action: 'key_changed', at: now.toISOString(), accountId } as const;
    if (Object.keys(change).length > 0) recordAudit(database, { ...note, subject: id, details });
    return describeKey(database, changed, now);
  });
}

/**
 * Revokes a key that is not revoked yet, and records it. Ignores an unknown key.
 * @param keyId the key that causes it, if it is not that of the request
 */
export function endKey(
  database: WritableDatabase,
  { accountId, id }: { readonly accountId: number; readonly id: string },
  at: string,
  keyId: string | null = null,
): void {
  inTransaction(database, () => {
    if (!revokeKey(database, accountId, id, at)) return;
    const { label = '', prefix = '' } = getKey(database, accountId, id) ?? {};
    const note = { action: 'key_revoked', at, accountId, subject: id, keyId } as const;
    recordAudit(database, { ...note, details: { prefix, label } });
  });
}

/** Revokes a key of an account permanently. Throws `not_found`. */
export function revokeAccountKey(
  database: WritableDatabase,
  command: { accountId: number; id: string },
  now: Date,
): Key {
  endKey(database, command, now.toISOString());
  return describeKey(database, readKey(database, command), now);
}
