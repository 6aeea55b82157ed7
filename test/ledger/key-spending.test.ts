// A key's spending per day and month, compared with the plain definition.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import { readKeySpending } from '../../engine/ledger/key-guard.ts';
import {
  charge,
  hold,
  listEntries,
  readBalances,
  resolveHold,
  verifyLedger,
} from '../../engine/ledger/ledger.ts';
import {
  addAccount,
  addKey,
  at,
  openTemporaryStore,
  someCharge,
  someJob,
  spendSome,
} from '../migrations/temporary-store.ts';

const units = creditUnits;

test('a hold counts in full when it is placed, and as settled once it has ended', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 1_000);
  const key = addKey(database, id, { day: 100 });
  const spent = () => readKeySpending(database, key, at).spentDayUnits;
  const holdId = hold(database, id, units(90), someJob, at, key);
  expect(spent()).toBe(90);
  expect(() => charge(database, id, units(11), someCharge, at, key)).toThrow(EngineError);
  charge(database, id, units(10), someCharge, at, key);
  // The job ends the day after; released credits belong to the day of its hold.
  resolveHold(database, holdId, units(30), '2026-11-21T00:00:01.000Z');
  expect(spent()).toBe(40);
  charge(database, id, units(60), someCharge, at, key);
  expect(spent()).toBe(100);
});

test('the app, the command line and other keys do not count for a key’s cap', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 1_000);
  const [key, other] = [addKey(database, id, { day: 10 }), addKey(database, id)];
  charge(database, id, units(100), someCharge, at);
  charge(database, id, units(100), someCharge, at, other);
  charge(database, id, units(10), someCharge, at, key);
  expect(readKeySpending(database, key, at).spentMonthUnits).toBe(10);
  expect(readKeySpending(database, other, at).spentMonthUnits).toBe(100);
});

test('every entry but a grant names the key that caused it', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 1_000);
  const key = addKey(database, id);
  resolveHold(database, hold(database, id, units(50), someJob, at, key), units(20), at);
  charge(database, id, units(5), someCharge, at, key);
  charge(database, id, units(5), someCharge, at);
  const { entries } = listEntries(database, id, { limit: 10, offset: 0 });
  expect(entries.map((entry) => [entry.kind, entry.keyId === key, entry.keyLabel])).toEqual([
    ['charge', false, null],
    ...['charge', 'release', 'settle', 'hold'].map((kind) => [
      kind,
      true,
      expect.stringMatching(/^Key \d/),
    ]),
    ['grant', false, null],
  ]);
});

test.each<[string, { day?: number; month?: number }, RegExp]>([
  ['day', { day: 100_000 }, /10 a day and has 2\.5 left until 2026-11-21T00:00:00\.000Z/],
  ['month', { month: 100_000 }, /10 a month and has 2\.5 left until 2026-12-01T00:00/],
  [
    'month, where both are reached',
    { day: 90_000, month: 100_000 },
    /10 a month and has 2\.5 left/,
  ],
  ['day, where there is nothing to spend', { day: 0 }, / 0 a day and has 0 left/],
])('over the cap of the %s the refusal says what is left and until when', (_, caps, detail) => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 1_000_000);
  const key = addKey(database, id, caps);
  if (caps.day !== 0) charge(database, id, units(75_000), someCharge, at, key);
  for (const verb of ['hold', 'charge'] as const) {
    const refused = () => spendSome(verb, database, id, units(25_001), at, key);
    expect(refused).toThrow(expect.objectContaining({ code: 'spending_cap_reached' }));
    expect(refused).toThrow(detail);
  }
  expect(readBalances(database, id).heldUnits).toBe(0);
});

test('a short wallet is refused before a cap, and free requests are never refused', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 10);
  const key = addKey(database, id, { day: 0 });
  const short = expect.objectContaining({ code: 'insufficient_credits' });
  expect(() => hold(database, id, units(11), someJob, at, key)).toThrow(short);
  expect(charge(database, id, units(0), someCharge, at, key)).toBeNull();
  resolveHold(database, hold(database, id, units(0), someJob, at, key), units(0), at);
});

test('an unknown key spends nothing, and the audit finds sums that differ from the rows', () => {
  const database = openTemporaryStore({ isSpoilt: true });
  const { id } = addAccount(database, 1_000);
  expect(() => charge(database, id, units(1), someCharge, at, 'nobody')).toThrow('key_unknown');
  const key = addKey(database, id);
  charge(database, id, units(7), someCharge, at, key);
  expect(verifyLedger(database)).toEqual([]);
  database.exec('UPDATE key_spending SET spent_units = 6');
  expect(verifyLedger(database).join()).toContain('what it spent on 2026-11-20');
});

interface Step {
  verb: 'hold' | 'charge' | 'resolve';
  units: number;
  /** Hours before the step, so that days and months change. */
  hours: number;
}
const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  verb: fc.constantFrom('hold', 'charge', 'resolve'),
  units: fc.integer({ min: 0, max: 60 }),
  hours: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 400 })),
});
const capArbitrary = fc.option(fc.integer({ min: 0, max: 150 }), { nil: undefined });

test('a key never causes more than its caps on any UTC day and in any UTC month', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 1_000_000_000);
  fc.assert(
    fc.property(
      fc.array(stepArbitrary, { minLength: 1, maxLength: 40 }),
      capArbitrary,
      capArbitrary,
      (steps, day, month) => {
        const key = addKey(database, id, {
          ...(day !== undefined && { day }),
          ...(month !== undefined && { month }),
        });
        // The key's spending: open holds in full, resolved ones as settled.
        const caused: { at: string; units: number; holdId: number | null }[] = [];
        const sumOf = (period: string) =>
          caused
            .filter((one) => one.at.startsWith(period))
            .reduce((sum, one) => sum + one.units, 0);
        let time = Date.UTC(2026, 0, 31, 20);
        for (const step of steps) {
          time += step.hours * 3_600_000;
          const now = new Date(time).toISOString();
          if (step.verb === 'resolve') {
            const open = caused.find(({ holdId }) => holdId !== null);
            if (!open) continue;
            open.units = Math.min(step.units, open.units);
            resolveHold(database, open.holdId ?? 0, units(open.units), now);
            open.holdId = null;
            continue;
          }
          const fits =
            step.units === 0 ||
            (sumOf(now.slice(0, 10)) + step.units <= (day ?? Number.POSITIVE_INFINITY) &&
              sumOf(now.slice(0, 7)) + step.units <= (month ?? Number.POSITIVE_INFINITY));
          const { verb } = step;
          const work = () => spendSome(verb, database, id, units(step.units), now, key);
          if (!fits) {
            expect(work).toThrow(expect.objectContaining({ code: 'spending_cap_reached' }));
            continue;
          }
          const made = work();
          const holdId = step.verb === 'hold' ? made : null;
          caused.push({ at: now, units: step.units, holdId });
          expect(readKeySpending(database, key, now)).toMatchObject({
            spentDayUnits: sumOf(now.slice(0, 10)),
            spentMonthUnits: sumOf(now.slice(0, 7)),
          });
        }
      },
    ),
    { numRuns: 60 },
  );
});
