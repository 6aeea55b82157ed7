// Validations under the scheduler: turns, ends and bugs.
import { expect, onTestFinished, test, vi } from 'vitest';
import { validationBatchEmailsMax } from '../../engine/contract/limits/validations.ts';
import { statusOfReason } from '../../engine/contract/validations.ts';
import { readBalances } from '../../engine/ledger/ledger.ts';
import { insertDefaultRates } from '../../engine/ledger/rate.table.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import type { EmailValidator } from '../../engine/validations/email-validator.ts';
import { createValidationSource } from '../../engine/validations/run-validations.ts';
import { startValidation } from '../../engine/validations/validate-emails.ts';
import { getValidation, nextOpenValidation } from '../../engine/validations/validation.table.ts';
import { addAccount, at, openTemporaryStore } from '../migrations/temporary-store.ts';
import { createClock } from '../platform/scheduler/scheduler-fixture.ts';

const now = new Date(at);

/** Opens a store with an account. A scheduler runs its validations when they are started. */
function openValidations() {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 10_000_000);
  insertDefaultRates(database, id);
  const ended: number[] = [];
  return {
    database,
    accountId: id,
    ended,
    start: (emails: readonly string[]) =>
      startValidation(database, { accountId: id, keyId: null, emails, idempotency: null }, now)
        .validation.job_id,
    /** Runs all validations to their end. `onBatch` receives each batch, and may throw. */
    async run(onBatch: (emails: readonly string[]) => void): Promise<void> {
      const validator: EmailValidator = {
        async validateEmails(emails) {
          onBatch(emails);
          const reason = 'verified_by_source';
          const verdict = { status: statusOfReason(reason), reason } as const;
          return { verdicts: emails.map((email) => ({ email, ...verdict })), findings: [] };
        },
        stop: () => undefined,
      };
      const onEnd = (accountId: number) => void ended.push(accountId);
      const source = createValidationSource({ database, validator, now: () => now, onEnd });
      onTestFinished(startScheduler(source, createClock()).stop);
      await expect.poll(() => nextOpenValidation(database, 0)).toBeNull();
    },
    read: (jobId: string) => getValidation(database, id, jobId),
  };
}

test('validations take turns: a short list does not wait for the end of a long one', async () => {
  const { accountId, ended, start, run } = openValidations();
  const count = 3 * validationBatchEmailsMax;
  start(Array.from({ length: count }, (_, nth) => `long${nth}@a.example`));
  start(['short@a.example']);
  const turns: string[] = [];
  await run(([email = '']) => turns.push(email.startsWith('long') ? 'long' : 'short'));
  expect(turns).toEqual(['long', 'short', 'long', 'long']);
  expect(ended).toEqual([accountId, accountId]);
});

test('a bug in a validation is logged under an id and releases its hold, and the next one runs', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const { database, accountId, ended, start, run, read } = openValidations();
  const [broken, whole] = [start(['broken@a.example']), start(['whole@a.example'])];
  await run(([email]) => {
    if (email?.startsWith('broken')) throw new TypeError('x is not a function');
  });
  expect(read(whole)).toMatchObject({ errorDetail: null, doneEmails: 1 });
  const { errorDetail, chargedUnits } = read(broken)!;
  expect(chargedUnits).toBe(0);
  expect(errorDetail).toMatch(/^Internal error .* Nothing was charged; try again\.$/);
  const [, id] = errorDetail?.match(/\((.*)\)/) ?? [];
  expect(log.mock.calls[0]?.[0]).toBe(`bug ${id} in validation 1`);
  expect(readBalances(database, accountId).heldUnits).toBe(0);
  expect(ended).toEqual([accountId, accountId]);
});
