// Paying for single values of people: charged once, owned permanently, never beyond the balance.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createKey } from '../../engine/accounts/api-keys.ts';
import { type CreditUnits, creditUnits, unitsPerCredit } from '../../engine/contract/credits.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import { lookupPrices, type OwnedKind, ownedKinds } from '../../engine/contract/lookup.ts';
import { grant, listEntries, readBalances, verifyLedger } from '../../engine/ledger/ledger.ts';
import { insertOwned, isOwned } from '../../engine/ledger/owned-values.ts';
import { type UnlockCommand, unlock } from '../../engine/ledger/unlock.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import { addAccount, addJob, at, openTemporaryStore } from '../migrations/temporary-store.ts';

const now = new Date(at);
const credits = (count: number): CreditUnits => creditUnits(count * unitsPerCredit);
const ada = 'a0000000-0000-4000-8000-000000000000';
const bob = 'b0000000-0000-4000-8000-000000000000';

type Value = readonly [kind: OwnedKind, personUuid: string];
const commandOf = (
  accountId: number,
  values: readonly Value[],
  changes: Partial<UnlockCommand> = {},
): UnlockCommand => ({
  accountId,
  keyId: null,
  values: values.map(([kind, personUuid]) => ({ kind, personUuid })),
  subject: { kind: 'tool', id: 'enrich_contact' },
  whenShort: 'refuse',
  ...changes,
});
const listCharges = (database: WritableDatabase, accountId: number) =>
  listEntries(database, accountId, { limit: 1000, offset: 0 }).entries.filter(
    ({ kind }) => kind === 'charge',
  );

test('1 credit per email, 5 per phone, 1 per profile', () => {
  expect(lookupPrices).toEqual({ email: credits(1), phone: credits(5), profile: credits(1) });
});

test('paid values are owned, and later requests for them are free', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, credits(20));
  const buy = (...values: Value[]) => unlock(database, commandOf(id, values), now);
  expect(buy(['email', ada])).toMatchObject({ states: ['charged'], chargedUnits: credits(1) });
  expect(buy(['email', ada])).toMatchObject({ states: ['owned'], chargedUnits: 0 });
  expect(buy(['phone', ada], ['email', ada], ['phone', ada])).toMatchObject({
    states: ['charged', 'owned', 'owned'],
    chargedUnits: credits(5),
  });
  expect(listCharges(database, id).map(({ amountUnits }) => amountUnits)).toEqual([
    credits(5),
    credits(1),
  ]);
});

test('values that one account owns are charged to another', () => {
  const database = openTemporaryStore();
  for (const account of [addAccount(database, credits(5)), addAccount(database, credits(5))])
    expect(unlock(database, commandOf(account.id, [['phone', ada]]), now).states).toEqual([
      'charged',
    ]);
});

test('a short wallet refuses all values and names the missing amount', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, credits(5));
  const values: Value[] = [
    ['email', ada],
    ['phone', ada],
  ];
  const refused = () => unlock(database, commandOf(id, values), now);
  expect(refused).toThrow(EngineError);
  expect(refused).toThrow(/needs 6 credits.*has 5\. Add 1 credit,/);
  expect(isOwned(database, id, { kind: 'email', personUuid: ada })).toBe(false);
  expect(readBalances(database, id).availableUnits).toBe(credits(5));
});

test('values beyond the balance stay locked', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, credits(7));
  const values: Value[] = [
    ['profile', ada],
    ['phone', ada],
    ['phone', bob],
    ['email', bob],
    ['email', ada],
  ];
  expect(unlock(database, commandOf(id, values, { whenShort: 'leave_locked' }), now)).toMatchObject(
    {
      states: ['charged', 'charged', 'locked', 'charged', 'locked'],
      chargedUnits: credits(7),
      lockedBy: 'insufficient_credits',
    },
  );
  expect(readBalances(database, id).availableUnits).toBe(0);
});

test('held credits unlock nothing', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 1000 + credits(1) - 1);
  addJob(database, id);
  expect(() => unlock(database, commandOf(id, [['email', ada]]), now)).toThrow(
    /wallet has 0\.9999/,
  );
});

test.each([
  ['a day', { capDayUnits: credits(6) }],
  ['a month', { capMonthUnits: credits(6) }],
])('a key spends no more than its cap for %s', (_title, caps) => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, credits(100));
  const { id: keyId } = createKey(database, 'live', { accountId: id, label: 'k', ...caps }, now);
  const values: Value[] = [
    ['phone', ada],
    ['phone', bob],
    ['email', bob],
    ['email', ada],
  ];
  const leave = { keyId, whenShort: 'leave_locked' } as const;
  expect(unlock(database, commandOf(id, values, leave), now).states).toEqual([
    'charged',
    'locked',
    'charged',
    'locked',
  ]);
  const refused = () => unlock(database, commandOf(id, [['email', ada]], { keyId }), now);
  expect(refused).toThrow(expect.objectContaining({ code: 'spending_cap_reached' }));
  // Owned values cost nothing, whatever the cap.
  expect(unlock(database, commandOf(id, [['phone', ada]], { keyId }), now).states).toEqual([
    'owned',
  ]);
});

test('an owned value neither changes nor disappears, and is created only with a charge of its account', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, credits(10));
  const other = addAccount(database, credits(10));
  unlock(database, commandOf(id, [['phone', ada]]), now);
  const entryId = listCharges(database, id)[0]?.id ?? 0;
  const paid = { priceUnits: credits(5), entryId, at };
  const value = { kind: 'phone', personUuid: ada } as const;
  expect(() => insertOwned(database, id, value, paid)).toThrow('already_owned');
  expect(() => insertOwned(database, other.id, value, paid)).toThrow('owned_without_charge');
  expect(() => database.exec('UPDATE owned SET price_units = 1')).toThrow('owned_is_immutable');
  expect(() => database.exec('DELETE FROM owned')).toThrow('owned_is_immutable');
});

test('an audit finds a charge that differs from the sum of its values', () => {
  const database = openTemporaryStore({ isSpoilt: true });
  const { id } = addAccount(database, credits(10));
  unlock(database, commandOf(id, [['phone', ada]]), now);
  expect(verifyLedger(database)).toEqual([]);
  database.exec('DROP TRIGGER owned_never_changes; UPDATE owned SET price_units = 1');
  expect(verifyLedger(database).join('\n')).toContain('what it paid for');
});

interface Step {
  readonly account: number;
  readonly values: readonly Value[];
  readonly whenShort: UnlockCommand['whenShort'];
  /** Credits granted first. */
  readonly granted: number;
  /** The transaction fails after its writes. */
  readonly isCrash: boolean;
}

const stepArbitrary: fc.Arbitrary<Step> = fc.record({
  account: fc.integer({ min: 0, max: 1 }),
  values: fc.array(fc.tuple(fc.constantFrom(...ownedKinds), fc.constantFrom(ada, bob, 'c', 'd')), {
    maxLength: 5,
  }),
  whenShort: fc.constantFrom('refuse', 'leave_locked'),
  granted: fc.nat(6),
  isCrash: fc.integer({ min: 0, max: 5 }).map((die) => die === 0),
});

/** A wallet and its owned values after a step; null if the step is refused. */
function applyToModel(wallet: number, owned: ReadonlySet<string>, step: Step) {
  let left = wallet;
  const next = new Set(owned);
  for (const [kind, person] of step.values) {
    const name = `${kind} ${person}`;
    if (next.has(name)) continue;
    if (lookupPrices[kind] > left) {
      if (step.whenShort === 'refuse') return null;
      continue;
    }
    left -= lookupPrices[kind];
    next.add(name);
  }
  return { wallet: left, owned: next };
}

/** Runs a step in the store; returns whether it was refused or crashed. */
function takeStep(database: WritableDatabase, accountId: number, step: Step): 'done' | 'undone' {
  try {
    inTransaction(database, () => {
      unlock(database, commandOf(accountId, step.values, { whenShort: step.whenShort }), now);
      if (step.isCrash) throw new Error('the process dies here');
    });
    return 'done';
  } catch {
    return 'undone';
  }
}

test('any sequence of unlocks, grants, refusals and crashes charges each value once, never below zero', () => {
  const database = openTemporaryStore();
  fc.assert(
    fc.property(fc.array(stepArbitrary, { minLength: 1, maxLength: 15 }), (steps) => {
      const accounts = [0, 1].map(() => ({
        id: addAccount(database).id,
        model: { wallet: 0, owned: new Set<string>() },
      }));
      for (const step of steps) {
        const account = accounts[step.account]!;
        if (step.granted)
          grant(database, account.id, credits(step.granted), { kind: 'grant', id: 'test' }, at);
        account.model.wallet += credits(step.granted);
        const next = applyToModel(account.model.wallet, account.model.owned, step);
        expect(takeStep(database, account.id, step)).toBe(
          next && !step.isCrash ? 'done' : 'undone',
        );
        if (next && !step.isCrash) account.model = next;
        const spentUnits = [...account.model.owned]
          .map((name) => lookupPrices[name.split(' ')[0] as OwnedKind])
          .reduce((sum, price) => sum + price, 0);
        expect(readBalances(database, account.id)).toEqual({
          availableUnits: account.model.wallet,
          heldUnits: 0,
          spentUnits,
        });
      }
      const owned = database
        .prepare("SELECT kind || ' ' || person_uuid FROM owned WHERE account_id = ?")
        .pluck();
      for (const { id, model } of accounts) expect(new Set(owned.all(id))).toEqual(model.owned);
      expect(verifyLedger(database)).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
