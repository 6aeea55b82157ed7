/** Commands about email validations to the writer thread. */

import type { Validation } from '../contract/validations.ts';
import type { Spending } from '../ledger/approvals.commands.ts';
import type { IdempotencyUse } from '../ledger/idempotency-use.ts';

export interface ValidateCommand extends Spending {
  /** As sent, without surrounding spaces. */
  readonly emails: readonly string[];
  readonly idempotency: IdempotencyUse | null;
}

/** `replayed`: an earlier request with the same idempotency key started this validation. */
export interface ValidateAnswer {
  readonly validation: Validation;
  readonly replayed: boolean;
}

/** Each may reject with an EngineError. */
export interface ValidationCalls {
  /** Holds the price of a list of addresses and starts to validate them. */
  validateEmails(command: ValidateCommand): Promise<ValidateAnswer>;
}
