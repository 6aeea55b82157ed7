/** Runs the validations of emails of a world, beside its jobs (run-in-turns.ts). */
import type { EmailJudge } from '../domain/judge-emails.ts';
import { failValidation, judgeNextEmails } from '../domain/validate-emails.ts';
import type { WritableDatabase } from '../sqlite/open.ts';
import { nextOpenValidation } from '../store/email-validation.ts';
import { type RunningTurns, runInTurns } from './run-in-turns.ts';

/** What running validations needs of the thread around it. */
interface ValidationSurroundings {
  readonly database: WritableDatabase;
  readonly judge: EmailJudge;
  now(): Date;
  /** True when the engine is to stop: what is not written is judged again at the next start. */
  isStopping(): boolean;
  /** After each end, with the account whose wallet it moved. */
  onEnd(accountId: number): void;
  readonly storageRetryMs: number;
}

/** Begins with what an earlier run of the engine left open. */
export function runValidations(around: ValidationSurroundings): RunningTurns {
  const { database, judge, now } = around;
  return runInTurns({
    name: 'validation',
    next: (afterId) => nextOpenValidation(database, afterId),
    step: (id) => judgeNextEmails(database, judge, id, around),
    fail(id, { detail }) {
      failValidation(database, id, `${detail} Nothing was charged; try again.`, now());
    },
    onStep(_id, outcome, accountId) {
      if (outcome === 'ended') around.onEnd(accountId);
    },
    abandon: judge.stop,
    storageRetryMs: around.storageRetryMs,
  });
}
