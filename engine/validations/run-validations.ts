/**
 * Runs the email validations of an environment, in parallel with its jobs (round-robin-runner.ts).
 */

import { type RunningTurns, runInTurns } from '../platform/scheduler/round-robin-runner.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import type { EmailValidator } from './email-validator.ts';
import { failValidation, judgeNextEmails } from './validate-emails.ts';
import { nextOpenValidation } from './validation.table.ts';

/** What running validations needs of the thread around it. */
interface ValidationDeps {
  readonly database: WritableDatabase;
  readonly judge: EmailValidator;
  now(): Date;
  /** True when the engine is to stop: what is not written is judged again at the next start. */
  isStopping(): boolean;
  /** After each end, with the account whose wallet it moved. */
  onEnd(accountId: number): void;
  readonly storageRetryMs: number;
}

/** Begins with what an earlier run of the engine left open. */
export function runValidations(deps: ValidationDeps): RunningTurns {
  const { database, judge, now } = deps;
  return runInTurns({
    name: 'validation',
    next: (afterId) => nextOpenValidation(database, afterId),
    step: (id) => judgeNextEmails(database, judge, id, deps),
    fail(id, { detail }) {
      failValidation(database, id, `${detail} Nothing was charged; try again.`, now());
    },
    onStep(_id, outcome, accountId) {
      if (outcome === 'ended') deps.onEnd(accountId);
    },
    abandon: judge.stop,
    storageRetryMs: deps.storageRetryMs,
  });
}
