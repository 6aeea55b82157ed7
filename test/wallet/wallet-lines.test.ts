// The lines of the wallet add up to the ledger, and the newest balance is the wallet.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { creditUnits } from '../../engine/contract/credits.ts';
import type { WalletFilter } from '../../engine/contract/wallet/wallet-lines.ts';
import {
  charge,
  grant,
  hold,
  readBalances,
  refund,
  resolveHold,
} from '../../engine/ledger/ledger.ts';
import { type LineRow, listClients, readBalanceAt } from '../../engine/wallet/line.table.ts';
import { findLines } from '../../engine/wallet/search-lines.ts';
import { reportSpend, startOf } from '../../engine/wallet/wallet.routes.ts';
import {
  addAccount,
  addKey,
  makeTemporaryFolder,
  openNewStore,
} from '../migrations/temporary-store.ts';
import { runsOf } from '../property-runs.ts';

const verbs = ['grant', 'hold', 'resolve', 'charge', 'review', 'refund', 'lookup'] as const;
const steps = fc.array(
  fc.record({
    verb: fc.constantFrom(...verbs),
    units: fc.integer({ min: 1, max: 900 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    job: fc.integer({ min: 0, max: 5 }),
    byKey: fc.boolean(),
    hours: fc.integer({ min: 0, max: 60 }),
  }),
  { minLength: 1, maxLength: 60, size: 'max' },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

const jobOf = (job: number) => `30000000-0000-4000-8000-00000000000${job}`;
const sumOf = (lines: readonly LineRow[], read: (line: LineRow) => number) =>
  lines.reduce((sum, line) => sum + read(line), 0);

function openHistory() {
  const database = openNewStore(makeTemporaryFolder());
  // A second account has its lines between those of the first.
  const [own, other] = [addAccount(database, 0), addAccount(database, 1_000_000)];
  const keyId = addKey(database, own.id);
  const open: { id: number; units: number }[] = [];
  let time = Date.UTC(2026, 0, 30);
  const take = ({ verb, units: size, share, job, byKey, hours }: Step) => {
    time += hours * 3_600_000;
    const at = new Date(time).toISOString();
    const key = byKey ? keyId : null;
    const units = creditUnits(size);
    charge(database, other.id, units, { kind: 'tool', id: 'other' }, at);
    const subject = { kind: 'review', id: jobOf(job) } as const;
    if (verb === 'grant') grant(database, own.id, units, { kind: 'grant', id: 'a gift' }, at);
    if (verb === 'hold')
      open.push({
        id: hold(database, own.id, units, { kind: 'job', id: jobOf(job) }, at, key),
        units,
      });
    if (verb === 'charge') charge(database, own.id, units, { kind: 'tool', id: 'T' }, at, key);
    if (verb === 'lookup')
      charge(database, own.id, units, { kind: 'email_lookup', id: jobOf(job) }, at, key);
    if (verb === 'review') charge(database, own.id, units, subject, at, key);
    if (verb === 'refund') refund(database, own.id, units, subject, at, key);
    const last = verb === 'resolve' ? open.pop() : undefined;
    if (last) resolveHold(database, last.id, creditUnits(Math.floor(last.units * share)), at);
  };
  const run = (history: readonly Step[]) => {
    for (const step of history)
      try {
        take(step);
      } catch {
        // Not enough credits, or more refunded than spent: nothing was written.
      }
  };
  return { database, accountId: own.id, keyId, run, day: () => new Date(time).toISOString() };
}

/** Every line of a filter, read in small pages. */
function readAll(history: ReturnType<typeof openHistory>, filter: WalletFilter = {}): LineRow[] {
  const all: LineRow[] = [];
  let before: number | undefined;
  do {
    const page = { ...filter, before, limit: 3 };
    const { lines, next } = findLines(history.database, history.accountId, page);
    all.push(...lines);
    before = next?.id;
  } while (before !== undefined);
  return all;
}

test('lines add up to the ledger and to the spending, and the newest balance is the wallet', () => {
  fc.assert(
    fc.property(steps, (random) => {
      const history = openHistory();
      const { database, accountId, keyId } = history;
      history.run(random);
      const lines = readAll(history);
      const balances = readBalances(database, accountId);
      expect(sumOf(lines, (line) => line.netUnits)).toBe(balances.availableUnits);
      const spent = sumOf(
        lines,
        (line) => line.settledUnits + line.chargedUnits - line.refundedUnits,
      );
      expect(spent).toBe(balances.spentUnits);
      const after = lines.map(({ id }) => readBalanceAt(database, accountId, id));
      if (lines.length > 0) expect(after[0]).toBe(balances.availableUnits);
      lines.forEach((line, at) => {
        expect(after[at]).toBe((after[at + 1] ?? 0) + line.netUnits);
      });
      expect(readAll(history, { client: 'app' })).toEqual(
        lines.filter((line) => line.keyId === null),
      );
      expect(readAll(history, { client: keyId, kind: 'job' })).toEqual(
        lines.filter((line) => line.keyId === keyId && line.kind === 'job'),
      );
      const range = { since: '2026-02-01', until: '2026-02-03' };
      expect(readAll(history, range)).toEqual(
        lines.filter(({ at }) => at >= '2026-02-01' && at < '2026-02-04'),
      );
      for (const step of ['day', 'week', 'month'] as const) {
        const until = history.day().slice(0, 10);
        const report = reportSpend(database, accountId, { step, since: '2026-01-30', until });
        const unitsOf = (credits: string) => Math.round(Number(credits) * 10_000);
        const sums = [report.parts, report.clients].map((series) =>
          series.reduce((sum, { total }) => sum + unitsOf(total), 0),
        );
        expect([unitsOf(report.total), ...sums]).toEqual([spent, spent, spent]);
      }
      database.close();
    }),
    { numRuns: runsOf(30) },
  );
});

test('a name is searched in a bounded number of lines, and the next page continues', () => {
  const history = openHistory();
  const { database, accountId } = history;
  const at = '2026-02-01T00:00:00.000Z';
  grant(database, accountId, creditUnits(50_000_000), { kind: 'grant', id: 'Größte Gabe' }, at);
  database.exec('BEGIN');
  for (let nth = 0; nth < 20_500; nth += 1)
    charge(database, accountId, creditUnits(1), { kind: 'tool', id: 'enrich_person' }, at);
  database.exec('COMMIT');
  const first = findLines(database, accountId, { name: 'GRÖSSTE', limit: 5 });
  expect(first.lines).toEqual([]);
  const second = { name: 'größte', limit: 5, before: first.next?.id };
  expect(findLines(database, accountId, second)).toMatchObject({
    lines: [{ kind: 'grant', name: 'Größte Gabe' }],
    next: null,
  });
  expect(listClients(database, accountId, 5)).toMatchObject([{ keyId: null }]);
  database.close();
});

test.each([
  ['2026-11-23', 'day', '2026-11-23'],
  ['2026-11-29', 'week', '2026-11-23'],
  ['2026-11-23', 'week', '2026-11-23'],
  ['2027-01-01', 'week', '2026-12-28'],
  ['2026-12-31', 'month', '2026-12-01'],
] as const)('%s is in the %s of %s', (day, step, start) => {
  expect(startOf(day, step)).toBe(start);
});
