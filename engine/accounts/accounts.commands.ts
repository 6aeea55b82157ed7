/** Commands about accounts and API keys to the writer thread. */

import type { Account } from '../contract/accounts.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { Key } from '../contract/keys.ts';

/**
 * Limits of an API key to set. Omitted limits keep their value, or get the default for a new key.
 */
export interface KeyLimitChange {
  readonly requestsPerMinute?: number | undefined;
  /** null removes the cap. */
  readonly capDayUnits?: CreditUnits | null | undefined;
  readonly capMonthUnits?: CreditUnits | null | undefined;
  /** The most one request may cost. */
  readonly capCallUnits?: CreditUnits | null | undefined;
  /** A request that would cost more needs a person's approval. */
  readonly askAboveUnits?: CreditUnits | null | undefined;
  /** Whether its client may request the approval itself. */
  readonly selfApproval?: boolean | undefined;
  /** The most one request may spend at each data service, in its credits; null for no limit. */
  readonly providerCap?: number | null | undefined;
}

/** Each may reject with an EngineError. */
export interface AccountCalls {
  createAccount(command: { name: string }): Promise<Account>;
  changeAccount(command: {
    accountUuid: string;
    name?: string | undefined;
    chargePolicy?: 'row' | 'layers_found' | undefined;
    matchThreshold?: number | undefined;
    freeRepeatDays?: number | undefined;
    inferEmails?: boolean | undefined;
    monitorCharge?: 'answers' | 'changes' | undefined;
    hasBudget?: boolean | undefined;
  }): Promise<Account>;
  createKey(
    command: { accountId: number; label: string } & KeyLimitChange,
  ): Promise<{ id: string; key: string; label: string }>;
  changeKey(
    command: { accountId: number; id: string; label?: string | undefined } & KeyLimitChange,
  ): Promise<Key>;
  revokeKey(command: { accountId: number; id: string }): Promise<Key>;
  /** The key that an assistant on the local socket uses. Throws `forbidden`. */
  admitStdioClient(command: { accountId: number; name: string }): Promise<{ keyId: string }>;
  /** Fire and forget. Stored at most once a minute per key. */
  touchKey(command: { id: string }): Promise<void>;
}
