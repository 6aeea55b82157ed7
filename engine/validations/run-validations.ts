/**
 * Runs the email validations of an environment, in parallel with its jobs (round-robin-runner.ts).
 */

import { type RunningTurns, runInTurns } from '../platform/scheduler/round-robin-runner.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { EmailValidator } from './email-validator.ts';
import { failValidation, validateNextEmails } from './validate-emails.ts';
import { nextOpenValidation } from './validation.table.ts';

/** What running validations needs of the thread around it. */
interface ValidationDeps {
  readonly database: WritableDatabase;
  readonly validator: EmailValidator;
  now(): Date;
  /** True when the engine is to stop: what is not written is judged again at the next start. */
  isStopping(): boolean;
  /** After each end, with the account whose wallet it moved. */
  onEnd(accountId: number): void;
  readonly storageRetryMs: number;
}

/** Begins with what an earlier run of the engine left open. */
export function runValidations(deps: ValidationDeps): RunningTurns {
  const { database, validator, now } = deps;
  return runInTurns({
    name: 'validation',
    next: (afterId) => nextOpenValidation(database, afterId),
    step: (id) => validateNextEmails(database, validator, id, deps),
    fail(id, { detail }) {
      failValidation(database, id, `${detail} Nothing was charged; try again.`, now());
    },
    onStep(_id, outcome, accountId) {
      if (outcome === 'ended') deps.onEnd(accountId);
    },
    abandon: validator.stop,
    storageRetryMs: deps.storageRetryMs,
  });
}
