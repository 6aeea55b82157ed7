/** Commands about money, to the writer thread: grants, rates, and values of people unlocked. */

import type { OmissionReason } from '../contract/assistants/tools/paying.ts';
import type { CreditUnits } from '../contract/credits.ts';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ChargeSubject, GrantSubject } from '../contract/ledger-subject.ts';
import type { Spending } from './approvals.commands.ts';
import type { IdempotencyUse } from './idempotency-use.ts';
import type { PersonValue } from './owned-values.ts';

/** Values of people that an account wants to own. */
export interface UnlockOrder extends Spending {
  /** In the order in which the balance is spent. */
  readonly values: readonly PersonValue[];
}

/** Values of people that an account is to own. */
export interface UnlockCommand extends UnlockOrder {
  /** The subject of the one ledger entry. */
  readonly subject: ChargeSubject;
  /** Whether a wallet or a cap that is short refuses all, or leaves locked what it can't cover. */
  readonly whenShort: 'refuse' | 'leave_locked';
}

/** What became of a value: owned before, charged and owned now, or not paid for. */
export type UnlockState = 'owned' | 'charged' | 'locked';

/** What became of each value, in the order of the command, and what they cost together. */
export interface UnlockReport {
  readonly states: readonly UnlockState[];
  readonly chargedUnits: CreditUnits;
  /** What bounded the price where something stayed locked; null where nothing did. */
  readonly lockedBy: OmissionReason | null;
}

/** An unlocking that happens once: a repeat under the same key reads what the first one did. */
export interface UnlockOnceCommand extends UnlockCommand {
  readonly once: IdempotencyUse & {
    /** SHA-256 of all that a repeat must have in common with the first. */
    readonly fingerprint: string;
    /** JSON of what was found, kept for the repeat. */
    readonly material: string;
  };
}

/** What the first call under the key found and did. */
export interface UnlockOnceReport {
  readonly report: UnlockReport;
  readonly material: string;
  readonly replayed: boolean;
}

/** Each may refuse with an EngineError. */
export interface LedgerCalls {
  grant(command: { accountId: number; units: CreditUnits; subject: GrantSubject }): Promise<void>;
  setRate(command: {
    accountId: number;
    code: LayerCode | 'email_validation';
    priceUnits?: CreditUnits | undefined;
    active?: boolean | undefined;
  }): Promise<void>;
  /** Charges what the account does not own yet, and makes it owned. */
  unlock(command: UnlockCommand): Promise<UnlockReport>;
  /** The same under an idempotency key. Throws `idempotency_conflict`. */
  unlockOnce(command: UnlockOnceCommand): Promise<UnlockOnceReport>;
}
