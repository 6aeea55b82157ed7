/** Commands about money to the writer thread: grants, rates, and unlocking values of people. */

import type { OmissionReason } from '../contract/assistants/tools/paying.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ChargeSubject, GrantSubject } from '../contract/ledger-subject.ts';
import type { Spending } from './approvals.commands.ts';
import type { IdempotencyUse } from './idempotency-use.ts';
import type { PersonValue } from './owned-values.ts';

export interface UnlockOrder extends Spending {
  /** In the order in which the balance is spent. */
  readonly values: readonly PersonValue[];
}

export interface UnlockCommand extends UnlockOrder {
  /** The subject of the single ledger entry. */
  readonly subject: ChargeSubject;
  /**
   * If the wallet or a cap does not cover everything: refuse all, or leave uncovered values locked.
   */
  readonly whenShort: 'refuse' | 'leave_locked';
}

/** State of a value: already owned, charged now, or not paid for. */
export type UnlockState = 'owned' | 'charged' | 'locked';

/** The state of each value, in the order of the command, and the total cost. */
export interface UnlockReport {
  readonly states: readonly UnlockState[];
  readonly chargedUnits: CreditUnits;
  /** What limited the spending if something stayed locked; otherwise null. */
  readonly lockedBy: OmissionReason | null;
}

/** An unlocking that happens once: a repeat with the same key returns the first result. */
export interface UnlockOnceCommand extends UnlockCommand {
  readonly once: IdempotencyUse & {
    /** SHA-256 of everything that must be identical in a repeat. */
    readonly fingerprint: string;
    /** JSON of the result, stored for the repeat. */
    readonly material: string;
  };
}

/** The stored result of the first call with the key. */
export interface UnlockOnceReport {
  readonly report: UnlockReport;
  readonly material: string;
  readonly replayed: boolean;
}

/** Each may reject with an EngineError. */
export interface LedgerCalls {
  grant(command: { accountId: number; units: CreditUnits; subject: GrantSubject }): Promise<void>;
  setRate(command: {
    accountId: number;
    code: LayerCode | 'email_validation';
    priceUnits?: CreditUnits | undefined;
    active?: boolean | undefined;
  }): Promise<void>;
  /** Charges for values that the account does not own yet, and makes them owned. */
  unlock(command: UnlockCommand): Promise<UnlockReport>;
  /** The same with an idempotency key. Throws `idempotency_conflict`. */
  unlockOnce(command: UnlockOnceCommand): Promise<UnlockOnceReport>;
}
