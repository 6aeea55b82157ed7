// Validations and credits: held first, settled for decided addresses, the rest released.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccountRow } from '../../engine/accounts/account.table.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import { validationBatchEmailsMax } from '../../engine/contract/limits/validations.ts';
import { isDecided, statusOfReason } from '../../engine/contract/validations.ts';
import { submitJob } from '../../engine/jobs/submit-job.ts';
import {
  listEntries,
  readBalances,
  resolveHold,
  verifyLedger,
} from '../../engine/ledger/ledger.ts';
import { insertDefaultRates, setRate } from '../../engine/ledger/rate.table.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../engine/platform/sqlite/open-store.ts';
import { noteClock } from '../../engine/platform/trusted-clock.ts';
import type { EmailValidator } from '../../engine/validations/email-validator.ts';
import { readValidation as readPage } from '../../engine/validations/present-validation.ts';
import {
  failValidation,
  startValidation,
  type ValidateCommand,
  validateNextEmails,
} from '../../engine/validations/validate-emails.ts';
import { getValidation, nextOpenValidation } from '../../engine/validations/validation.table.ts';
import {
  addAccount,
  addKey,
  at,
  makeTemporaryFolder,
  openTemporaryStore,
  someJob,
} from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';

const now = new Date(at);

/** An account with the default rates and a wallet of this many units. */
function addPayer(database: WritableDatabase, units: number): AccountRow {
  const account = addAccount(database, units);
  insertDefaultRates(database, account.id);
  return account;
}
const readValidation = (database: WritableDatabase, accountId: number, jobId: string) =>
  readPage(database, accountId, jobId, { limit: 10_000, offset: 0 });
/** The default price: 0.1000 credits. */
const priceUnits = 1_000;

const commandOf = (
  accountId: number,
  emails: readonly string[],
  changes: Partial<ValidateCommand> = {},
): ValidateCommand => ({ accountId, keyId: null, emails, idempotency: null, ...changes });

/** Checks only syntax and the requested verdict: `valid…@` is valid, all others unknown. */
const plainJudge: EmailValidator = {
  validateEmails: async (emails) => ({
    verdicts: emails.map((email) => {
      const reason = email.startsWith('valid') ? 'verified_by_source' : 'domain_accepts_mail';
      return { email, status: statusOfReason(reason), reason };
    }),
    findings: [],
  }),
  stop: () => undefined,
};
const deps = { now: () => now, isStopping: () => false };

/** Validates all open addresses, in turns. */
async function finish(database: WritableDatabase): Promise<void> {
  for (let last = 0; ; ) {
    const next = nextOpenValidation(database, last);
    if (!next) return;
    last = next.id;
    await validateNextEmails(database, plainJudge, next.id, deps);
  }
}

const list = (decided: number, unknown: number): string[] => [
  ...Array.from({ length: decided }, (_, nth) => `valid${nth}@engines.org`),
  ...Array.from({ length: unknown }, (_, nth) => `who${nth}@engines.org`),
];

test('count × price is held at submit; decided addresses are settled, the rest released at the end', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 10_000);
  const { validation, replayed } = startValidation(database, commandOf(id, list(3, 4)), now);
  expect(replayed).toBe(false);
  expect(validation).toMatchObject({
    status: 'queued',
    ready: false,
    total_emails: 7,
    done_emails: 0,
    price_per_email: '0.1000',
    credits_held: '0.7000',
    credits_charged: '0.0000',
  });
  expect(readBalances(database, id)).toEqual({
    availableUnits: 3_000,
    heldUnits: 7_000,
    spentUnits: 0,
  });
  await finish(database);
  const report = readValidation(database, id, validation.job_id);
  expect(report).toMatchObject({
    status: 'completed',
    ready: true,
    done_emails: 7,
    credits_charged: '0.3000',
    credits_released: '0.4000',
    counts: { valid: 3, invalid: 0, catch_all: 0, disposable: 0, role: 0, unknown: 4 },
  });
  expect(report.results[3]).toEqual({
    email: 'who0@engines.org',
    status: 'unknown',
    reason: 'domain_accepts_mail',
  });
  expect(readBalances(database, id)).toEqual({
    availableUnits: 7_000,
    heldUnits: 0,
    spentUnits: 3_000,
  });
  expect(
    listEntries(database, id, { limit: 9, offset: 0 }).entries.map(({ kind }) => kind),
  ).toEqual(['release', 'settle', 'hold', 'grant']);
});

test('duplicates in one list are one: validated once, paid once, in their first spelling', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 2_000);
  const emails = ['Valid@engines.org', 'who@engines.org', 'valid@ENGINES.org', 'who@engines.org'];
  const { validation } = startValidation(database, commandOf(id, emails), now);
  expect(validation).toMatchObject({
    total_emails: 2,
    duplicate_emails: 2,
    credits_held: '0.2000',
  });
  await finish(database);
  expect(readValidation(database, id, validation.job_id).results.map(({ email }) => email)).toEqual(
    ['Valid@engines.org', 'who@engines.org'],
  );
});

test('results come in the order sent, a repeated address at its first position, on every page', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 2_000_000);
  const start = async (emails: string[]) => {
    const { validation } = startValidation(database, commandOf(id, emails), now);
    await finish(database);
    return validation.job_id;
  };
  const addressesOf = (jobId: string, page = { limit: 10_000, offset: 0 }) =>
    readPage(database, id, jobId, page).results.map(({ email }) => email);
  const [a, b, c] = ['a@engines.org', 'b@engines.org', 'c@engines.org'];
  expect(addressesOf(await start([b, a, 'B@engines.org', c]))).toEqual([b, a, c]);
  const many = fc.array(fc.constantFrom(a, b, c, 'A@engines.org', 'C@ENGINES.org'), {
    minLength: 1,
    maxLength: 20,
  });
  await fc.assert(
    fc.asyncProperty(many, async (emails) => {
      const jobId = await start(emails);
      const isFirst = (email: string, at: number) =>
        emails.findIndex((one) => one.toLowerCase() === email.toLowerCase()) === at;
      const expected = emails.filter(isFirst);
      expect(addressesOf(jobId)).toEqual(expected);
      for (const [offset, email] of expected.entries())
        expect(addressesOf(jobId, { limit: 1, offset })).toEqual([email]);
    }),
    { numRuns: runsOf(50) },
  );
});

test.each([0, 1, 999, 1_000, 1_999, 2_000])(
  'a wallet of %i units is never overdrawn: a validation beyond it is refused at submit',
  (units) => {
    const database = openTemporaryStore();
    const { id } = addPayer(database, units);
    const submit = (count: number) => () =>
      startValidation(database, commandOf(id, list(count, 0)), now);
    const affordable = Math.floor(units / priceUnits);
    expect(submit(affordable + 1)).toThrow(/This needs .* credits and the wallet has .*Add/);
    expect(nextOpenValidation(database, 0)).toBeNull();
    if (affordable > 0) submit(affordable)();
    expect(readBalances(database, id).availableUnits).toBe(units % priceUnits);
  },
);

test('a key validates no more than its cap, and can use released credits again', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 100_000);
  const keyId = addKey(database, id, { day: 3_000 });
  const start = (count: number) =>
    startValidation(database, commandOf(id, list(0, count), { keyId }), now);
  expect(() => start(4)).toThrow(/may spend 0\.3 a day/);
  start(3);
  expect(() => start(1)).toThrow(/ 0 left/);
  await finish(database);
  expect(start(3).replayed).toBe(false);
});

test('validation that is switched off is refused, with how to switch it on', () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 10_000);
  setRate(database, id, 'email_validation', { active: false });
  expect(() => startValidation(database, commandOf(id, list(1, 0)), now)).toThrow(/Settings/);
});

test('a validation keeps the price of its start; at a price of 0 it is free', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 10_000);
  startValidation(database, commandOf(id, list(2, 0)), now);
  setRate(database, id, 'email_validation', { priceUnits: creditUnits(0) });
  const free = startValidation(database, commandOf(id, list(5, 0)), now).validation;
  await finish(database);
  expect(readBalances(database, id).spentUnits).toBe(2 * priceUnits);
  expect(readValidation(database, id, free.job_id)).toMatchObject({
    status: 'completed',
    credits_charged: '0.0000',
  });
});

test('the same list under the same key within 24 hours is the same job; another is a conflict', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 10_000);
  const idempotency = { keyScope: 'scope', key: 'once' };
  const start = (emails: string[], when = now) =>
    startValidation(database, commandOf(id, emails, { idempotency }), when);
  const first = start(list(2, 0));
  expect(start(list(2, 0))).toEqual({ validation: first.validation, replayed: true });
  await finish(database);
  expect(start(list(2, 0)).validation).toMatchObject({
    job_id: first.validation.job_id,
    status: 'completed',
  });
  expect(() => start(list(1, 0))).toThrow(EngineError);
  const order = {
    accountId: id,
    keyId: null,
    selection: ['L1'],
    title: '',
    fileName: null,
    input: { dir: '', headers: [], rowCount: 1, sha256: '' },
    mapping: {},
    idempotency,
  };
  expect(() => submitJob(database, '', order, now)).toThrow(/another request/);
  expect(readBalances(database, id).spentUnits).toBe(2 * priceUnits);
  // A clock that was set far ahead ends no key: the repeat would be charged again.
  noteClock(database, now);
  const wrong = new Date(now.getTime() + 3_650 * 24 * 3_600_000);
  expect(start(list(2, 0), wrong).replayed).toBe(true);
  const nextDay = new Date(now.getTime() + 24 * 3_600_000 + 1);
  expect(start(list(1, 0), nextDay).replayed).toBe(false);
});

test('a refused validation does not use the idempotency key', () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 1_000);
  const idempotency = { keyScope: 'scope', key: 'once' };
  const start = (count: number) =>
    startValidation(database, commandOf(id, list(count, 0), { idempotency }), now);
  expect(() => start(2)).toThrow(EngineError);
  expect(start(1).replayed).toBe(false);
});

test('the validations of an account are hidden from others', () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 1_000);
  const { job_id: jobId } = startValidation(database, commandOf(id, list(1, 0)), now).validation;
  const other = addPayer(database, 1_000);
  expect(() => readValidation(database, other.id, jobId)).toThrow(/validation does not exist/);
});

test('a validation with a bug ends failed: nothing is charged or shown', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 1_000_000);
  const emails = list(validationBatchEmailsMax + 1, 0);
  const { job_id: jobId } = startValidation(database, commandOf(id, emails), now).validation;
  const row = getValidation(database, id, jobId)!;
  expect(await validateNextEmails(database, plainJudge, row.id, deps)).toBe('open');
  expect(readValidation(database, id, jobId).results).toHaveLength(validationBatchEmailsMax);
  failValidation(database, row.id, 'A bug.', now);
  expect(readValidation(database, id, jobId)).toMatchObject({
    status: 'failed',
    results: [],
    error_detail: 'A bug.',
    credits_charged: '0.0000',
  });
  expect(readBalances(database, id).availableUnits).toBe(1_000_000);
});

test('an engine that stops during the lookups leaves the addresses to the next one', async () => {
  const database = openTemporaryStore();
  const { id } = addPayer(database, 1_000);
  const { job_id: jobId } = startValidation(database, commandOf(id, list(1, 0)), now).validation;
  const row = getValidation(database, id, jobId)!;
  const stopping = { ...deps, isStopping: () => true };
  expect(await validateNextEmails(database, plainJudge, row.id, stopping)).toBe('open');
  expect(getValidation(database, id, jobId)).toEqual(row);
});

test('an audit finds a hold that was resolved before its validation has ended', () => {
  const database = openTemporaryStore({ isSpoilt: true });
  const { id } = addPayer(database, 10_000);
  const { job_id: jobId } = startValidation(database, commandOf(id, list(1, 1)), now).validation;
  expect(verifyLedger(database)).toEqual([]);
  resolveHold(database, getValidation(database, id, jobId)!.holdId, creditUnits(0), at);
  expect(verifyLedger(database)).toEqual([
    `email validation ${jobId}: its hold does not agree with its state`,
  ]);
});

test('an audit finds a hold that does not name its validation', () => {
  const database = openTemporaryStore({ isSpoilt: true });
  const { id } = addPayer(database, 10_000);
  startValidation(database, commandOf(id, list(1, 1)), now);
  database.exec(`DROP TRIGGER ledger_hold_never_changes;
    UPDATE ledger_hold SET subject_id = '${someJob.id}'`);
  expect(verifyLedger(database).join('\n')).toContain('its subject is not what it is held for');
});

interface Step {
  readonly verb: 'start' | 'judge';
  readonly decided: number;
  readonly unknown: number;
  /** The process dies before the commit, and another one opens the file. */
  readonly isKill: boolean;
}
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom('start', 'judge', 'judge'),
  decided: fc.oneof(fc.nat(6), fc.integer({ min: 200, max: 400 })),
  unknown: fc.oneof(fc.nat(6), fc.integer({ min: 200, max: 400 })),
  isKill: fc.integer({ min: 0, max: 4 }).map((die) => die === 0),
});

test('any mix of decided and unknown addresses, kills and restarts validates and charges each address once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(stepArbitrary, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(0, 5_000, 10_000_000),
      async (steps, walletUnits) => {
        const folder = makeTemporaryFolder();
        let database = openStore(folder);
        const { id } = addPayer(database, walletUnits);
        const started: { jobId: string; emails: string[] }[] = [];
        const take = async (step: Step) => {
          const { decided, unknown } = step;
          if (step.verb === 'start' && decided + unknown > 0) {
            const emails = list(decided, unknown);
            const { validation } = startValidation(database, commandOf(id, emails), now);
            return { jobId: validation.job_id, emails };
          }
          const next = nextOpenValidation(database, decided);
          if (next) await validateNextEmails(database, plainJudge, next.id, deps);
          return null;
        };
        for (const step of steps) {
          if (step.isKill) {
            database.exec('BEGIN');
            await take(step).catch(() => null);
            database.close();
            database = openStore(folder);
          } else {
            const made = await take(step).catch((error) => {
              expect(error).toBeInstanceOf(EngineError);
              return null;
            });
            if (made) started.push(made);
          }
          expect(verifyLedger(database)).toEqual([]);
        }
        await finish(database);
        let spentUnits = 0;
        for (const { jobId, emails } of started) {
          const report = readValidation(database, id, jobId);
          expect(report.results.map(({ email }) => email)).toEqual(emails);
          spentUnits += report.results.filter(({ status }) => isDecided(status)).length * 1_000;
        }
        expect(readBalances(database, id)).toEqual({
          availableUnits: walletUnits - spentUnits,
          heldUnits: 0,
          spentUnits,
        });
        expect(verifyLedger(database)).toEqual([]);
        database.close();
      },
    ),
    { numRuns: runsOf(20) },
  );
});
