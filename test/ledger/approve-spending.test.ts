// Approvals and the ledger: random questions, answers, spending and time, with every rule checked
// after every step; and outcomes that no route of the API reaches.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getKey, updateKey } from '../../engine/accounts/api-key.table.ts';
import { type CreditUnits, creditUnits } from '../../engine/contract/credits.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import {
  approvalKeptMs,
  approvalsMax,
  idempotencyKeptMs,
} from '../../engine/contract/limits/ledger.ts';
import {
  answerApproval,
  listApprovals,
  type Spending,
  spendAllowed,
} from '../../engine/ledger/approve-spending.ts';
import { authoriseSpending } from '../../engine/ledger/key-guard.ts';
import { charge, grant, readBalances, verifyLedger } from '../../engine/ledger/ledger.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import {
  addAccount,
  addKey,
  at,
  noCaps,
  openTemporaryStore,
  someCharge,
  spendSome,
} from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';

const startMs = Date.parse(at);
const units = creditUnits;

/** A request of a key: a charge, a hold, or an authorisation of this amount. */
interface Order {
  readonly verb: 'charge' | 'hold' | 'authorise';
  readonly units: number;
  readonly request: string;
  readonly idempotencyKey?: string | null;
  readonly taken?: readonly string[] | null;
}

/** A store with one key and a clock. */
function openAsked(limits: { call?: number; askAbove?: number }, wallet = 10_000) {
  const database = openTemporaryStore();
  const { id: accountId } = addAccount(database, wallet);
  const keyId = addKey(database, accountId, limits);
  let nowMs = startMs;
  const now = () => new Date(nowMs);
  return {
    database,
    accountId,
    keyId,
    now,
    pass: (ms: number) => {
      nowMs += ms;
    },
    /** The outcome of a request: its spending or its refusal. */
    send({ verb, request, idempotencyKey = null, taken = null, ...order }: Order) {
      const asking = {
        operation: 'x',
        arguments: '{}',
        idempotencyKey,
        taken,
        askedIn: 'app',
      } as const;
      const spending: Spending = { accountId, keyId, asking };
      const amount = units(order.units);
      const time = now().toISOString();
      try {
        spendAllowed(database, spending, request, now(), (permit) => {
          if (verb === 'authorise') return authoriseSpending(database, keyId, amount, permit, time);
          return spendSome(verb, database, accountId, amount, time, keyId, permit);
        });
        return { spent: order.units, refused: null, approval: null };
      } catch (error) {
        if (!(error instanceof EngineError)) throw error;
        return { spent: 0, refused: error.code, approval: error.approval?.approval_id ?? null };
      }
    },
    answer: (id: string, isAllowed: boolean, by: 'app' | 'client' = 'app') =>
      answerApproval(database, { accountId, id, isAllowed, by }, now()),
    open: () => listApprovals(database, accountId, now()),
  };
}

interface ApprovalRecord {
  id: string;
  status: string;
  asked_units: number;
  used_units: number | null;
  entry_id: number | null;
}
const readAll = (database: WritableDatabase) =>
  database.prepare<[], ApprovalRecord>('SELECT * FROM approval').all();

type Step =
  | ({ readonly do: 'send' } & Order)
  | { readonly do: 'answer'; readonly pick: number; readonly isAllowed: boolean }
  | { readonly do: 'pass'; readonly ms: number }
  | { readonly do: 'grant'; readonly units: number }
  | { readonly do: 'limit'; readonly askAbove: number | null; readonly call: number | null };

const amounts = fc.integer({ min: 0, max: 120 });
const limits = fc.option(fc.integer({ min: 0, max: 120 }), { nil: null });
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      verb: fc.constantFrom('charge', 'hold', 'authorise'),
      units: amounts,
      request: fc.constantFrom('a', 'b'),
      idempotencyKey: fc.constantFrom(null, 'k'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      pick: fc.nat(),
      isAllowed: fc.integer({ min: 0, max: 3 }).map((die) => die > 0),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, approvalKeptMs / 2, approvalKeptMs, idempotencyKeptMs),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('grant' as const),
      units: fc.integer({ min: 1, max: 300 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('limit' as const), askAbove: limits, call: limits }),
  },
);

test('after any questions, answers, spending and time each approval is used once, within its amount, with a balanced ledger', () => {
  fc.assert(
    fc.property(fc.array(stepArbitrary, { minLength: 1, maxLength: 60, size: 'max' }), (steps) => {
      const desk = openAsked({ askAbove: 30 }, 200);
      const { database, accountId, keyId } = desk;
      let guard: { askAbove: number | null; call: number | null } = { askAbove: 30, call: null };
      /** Ids of used approvals with their requests. */
      const used = new Map<string, number>();
      const known = new Set<string>();
      for (const step of steps) {
        if (step.do === 'pass') desk.pass(step.ms);
        if (step.do === 'grant')
          grant(database, accountId, units(step.units), { kind: 'grant', id: 'more' }, at);
        if (step.do === 'limit') {
          guard = step;
          const asked = (value: number | null): CreditUnits | null =>
            value === null ? null : units(value);
          const caps = { capCallUnits: asked(step.call), askAboveUnits: asked(step.askAbove) };
          updateKey(database, keyId, { ...noCaps, label: 'k', ...caps });
        }
        if (step.do === 'answer') {
          const ids = [...known];
          const id = ids[step.pick % Math.max(1, ids.length)];
          const wasOpen = desk.open().some((question) => question.id === id);
          if (id) expect(desk.answer(id, step.isAllowed)).toBe(wasOpen);
        }
        if (step.do === 'send') {
          const before = readAll(database);
          const { spent, refused, approval } = desk.send(step);
          if (approval) known.add(approval);
          const newly = readAll(database).filter(
            ({ id, status }) => status === 'used' && !used.has(id),
          );
          expect(newly.length).toBeLessThanOrEqual(1);
          const [yes] = newly;
          if (yes) {
            // Approved before for at least this amount, and used for exactly this.
            expect(before.find(({ id }) => id === yes.id)?.status).toBe('allowed');
            expect(yes.used_units).toBe(spent);
            expect(spent).toBeLessThanOrEqual(yes.asked_units);
            used.set(yes.id, yes.asked_units);
          }
          if (refused === null && step.units > 0) {
            expect(step.units).toBeLessThanOrEqual(guard.call ?? Number.POSITIVE_INFINITY);
            if (!yes)
              expect(step.units).toBeLessThanOrEqual(guard.askAbove ?? Number.POSITIVE_INFINITY);
          }
          if (step.units === 0) expect(refused).toBeNull();
        }
        const spentUnder = readAll(database).filter(({ status }) => status === 'used');
        expect(spentUnder).toHaveLength(used.size);
        for (const { asked_units, used_units } of spentUnder)
          expect(used_units).toBeLessThanOrEqual(asked_units);
        const entries = spentUnder.flatMap(({ entry_id }) => entry_id ?? []);
        expect(new Set(entries).size).toBe(entries.length);
        expect(readBalances(database, accountId).availableUnits).toBeGreaterThanOrEqual(0);
        expect(verifyLedger(database)).toEqual([]);
      }
    }),
    { numRuns: runsOf(60) },
  );
});

const costly = { verb: 'charge', units: 50, request: 'a' } as const;

test('an unanswered question expires, and the same request creates another', () => {
  const desk = openAsked({ askAbove: 30 });
  const { approval } = desk.send(costly);
  desk.pass(approvalKeptMs - 1);
  expect(desk.open()).toHaveLength(1);
  desk.pass(1);
  expect(desk.open()).toEqual([]);
  expect(desk.answer(approval ?? '', true)).toBe(false);
  const again = desk.send(costly);
  expect(again.refused).toBe('approval_required');
  expect(again.approval).not.toBe(approval);
  expect(
    readAll(desk.database)
      .map(({ status }) => status)
      .sort(),
  ).toEqual(['asked', 'expired']);
});

test('an unused approval expires', () => {
  const desk = openAsked({ askAbove: 30 });
  const { approval } = desk.send(costly);
  desk.pass(approvalKeptMs - 1);
  expect(desk.answer(approval ?? '', true)).toBe(true);
  // A late answer leaves the program as much time as an early one.
  desk.pass(approvalKeptMs - 1);
  expect(desk.send(costly).spent).toBe(50);
  const second = desk.send(costly).approval ?? '';
  desk.answer(second, true);
  desk.pass(approvalKeptMs);
  expect(desk.send(costly).refused).toBe('approval_required');
});

test('a denial holds as long as the idempotency key, and ten minutes without one', () => {
  const desk = openAsked({ askAbove: 30 });
  const keyed = { ...costly, idempotencyKey: 'k' };
  for (const order of [costly, keyed]) desk.answer(desk.send(order).approval ?? '', false);
  expect(desk.send(costly).refused).toBe('spending_cap_reached');
  desk.pass(approvalKeptMs);
  expect(desk.send(costly).refused).toBe('approval_required');
  expect(desk.send(keyed).refused).toBe('spending_cap_reached');
  desk.pass(idempotencyKeptMs - approvalKeptMs);
  expect(desk.send(keyed).refused).toBe('approval_required');
});

test('a waiting call has its own question, and a later call can use one that no call waits for', () => {
  const desk = openAsked({ askAbove: 30 });
  const first = desk.send({ ...costly, taken: [] }).approval ?? '';
  const second = desk.send({ ...costly, taken: [first] }).approval ?? '';
  expect(second).not.toBe(first);
  desk.answer(first, true);
  // The approval of the first call stays reserved while it waits.
  expect(desk.send({ ...costly, taken: [first] }).approval).toBe(second);
  expect(desk.send({ ...costly, taken: [second] }).spent).toBe(50);
});

test('the questions of a key are limited: its oldest is removed, and no other key loses one', () => {
  const desk = openAsked({ askAbove: 30 });
  const { database, accountId } = desk;
  const other = addKey(database, accountId, { askAbove: 0 });
  const asking = {
    operation: 'x',
    arguments: '',
    idempotencyKey: null,
    taken: null,
    askedIn: 'app',
  } as const;
  const ask = () =>
    spendAllowed(database, { accountId, keyId: other, asking }, 'o', desk.now(), (permit) =>
      charge(database, accountId, units(1), someCharge, at, other, permit),
    );
  expect(ask).toThrow(EngineError);
  for (let nth = 0; nth <= approvalsMax; nth += 1) {
    desk.pass(1);
    desk.send({ ...costly, request: `${nth}` });
  }
  expect(desk.open()).toHaveLength(approvalsMax + 1);
  expect(desk.open()[0]?.client).toBe(getKey(database, accountId, other)?.label);
});

test('a client brings an answer if its key permits it, and only to its own question', () => {
  const desk = openAsked({ askAbove: 30 });
  const { database, accountId, keyId } = desk;
  const asking = {
    operation: 'x',
    arguments: '',
    idempotencyKey: null,
    taken: [],
    askedIn: 'client',
  } as const;
  const send = () =>
    spendAllowed(database, { accountId, keyId, asking }, 'a', desk.now(), (permit) =>
      charge(database, accountId, units(50), someCharge, at, keyId, permit),
    );
  const readId = () => {
    try {
      send();
    } catch (error) {
      return (error as EngineError).approval?.approval_id ?? '';
    }
    return '';
  };
  const id = readId();
  // The app does not ask what the client asks.
  expect(desk.open()).toEqual([]);
  expect(desk.answer(id, true, 'app')).toBe(false);
  expect(desk.answer(id, true, 'client')).toBe(false);
  updateKey(database, keyId, {
    ...noCaps,
    label: 'k',
    askAboveUnits: units(30),
    selfApproval: true,
  });
  expect(desk.answer(id, true, 'client')).toBe(true);
  expect(desk.answer(id, true, 'client')).toBe(false);
  const inApp = desk.send({ ...costly, request: 'b' }).approval ?? '';
  expect(desk.answer(inApp, true, 'client')).toBe(false);
  send();
  expect(readBalances(database, accountId).spentUnits).toBe(50);
});

test('a question survives the rollback of its request, and none is created where it would be rolled back', () => {
  const desk = openAsked({ askAbove: 30 });
  expect(desk.send(costly).refused).toBe('approval_required');
  expect(() => inTransaction(desk.database, () => desk.send(costly))).toThrow(
    'asking_within_transaction',
  );
});

test('expired rows are marked at the next question and removed a day later; used ones stay', () => {
  const desk = openAsked({ askAbove: 30 });
  desk.answer(desk.send({ ...costly, request: 'used' }).approval ?? '', true);
  desk.send({ ...costly, request: 'used' });
  desk.answer(desk.send({ ...costly, request: 'no' }).approval ?? '', false);
  desk.send(costly);
  desk.pass(2 * idempotencyKeptMs);
  desk.send({ ...costly, request: 'b' });
  const statuses = () =>
    readAll(desk.database)
      .map(({ status }) => status)
      .sort();
  expect(statuses()).toEqual(['asked', 'used']);
});
