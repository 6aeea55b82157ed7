/** Commands about accounts and API keys, to the writer thread. */

import type { Account, Key } from '../contract/accounts.ts';
import type { CreditUnits } from '../contract/credits.ts';

/** Limits of an API key that are set; what is left out stays, or is the usual. */
export interface KeyLimitChange {
  readonly requestsPerMinute?: number | undefined;
  /** null takes the cap away. */
  readonly capDayUnits?: CreditUnits | null | undefined;
  readonly capMonthUnits?: CreditUnits | null | undefined;
  /** The most that one request may cost. */
  readonly capCallUnits?: CreditUnits | null | undefined;
  /** A person is asked about a request that would cost more. */
  readonly askAboveUnits?: CreditUnits | null | undefined;
  /** Whether its client may ask the person itself. */
  readonly selfApproval?: boolean | undefined;
}

/** Each may refuse with an EngineError. */
export interface AccountCalls {
  createAccount(command: { name: string }): Promise<Account>;
  changeAccount(command: {
    accountUuid: string;
    name?: string | undefined;
    chargePolicy?: 'row' | 'layers_found' | undefined;
    matchThreshold?: number | undefined;
  }): Promise<Account>;
  createKey(
    command: { accountId: number; label: string } & KeyLimitChange,
  ): Promise<{ id: string; key: string; label: string }>;
  changeKey(
    command: { accountId: number; id: string; label?: string | undefined } & KeyLimitChange,
  ): Promise<Key>;
  revokeKey(command: { accountId: number; id: string }): Promise<Key>;
  /** The key by which an assistant on the local socket acts. Throws `forbidden`. */
  admitStdioClient(command: { accountId: number; name: string }): Promise<{ keyId: string }>;
  /** Fire and forget: kept at most once a minute per key. */
  touchKey(command: { id: string }): Promise<void>;
}
