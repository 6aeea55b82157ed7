// The ledger: one line per transfer with the balances between, and its refusals.
import { expect, test } from 'vitest';
import { updateAccount } from '../../engine/accounts/account.table.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { EngineError } from '../../engine/contract/errors.ts';
import {
  charge,
  grant,
  hold,
  listEntries,
  readBalances,
  resolveHold,
  verifyLedger,
} from '../../engine/ledger/ledger.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import {
  addAccount,
  addJob,
  addKey,
  at,
  openTemporaryStore,
  someCharge,
  someJob,
  spendSome,
} from '../migrations/temporary-store.ts';

type Transfer = 'grant' | 'hold' | 'settle' | 'charge';
type Line = [Transfer, units: number, available: number, held: number, spent: number];

// 'settle' resolves the last hold: the units are spent, the rest of the hold is released.
const stories: Record<string, Line[]> = {
  'a grant fills the wallet, and further grants add to it': [
    ['grant', 100, 100, 0, 0],
    ['grant', 1, 101, 0, 0],
  ],
  'a hold leaves the wallet, is spent in part and comes back in part': [
    ['grant', 100, 100, 0, 0],
    ['hold', 60, 40, 60, 0],
    ['settle', 45, 55, 0, 45],
  ],
  'a hold may be spent whole': [
    ['grant', 100, 100, 0, 0],
    ['hold', 100, 0, 100, 0],
    ['settle', 100, 0, 0, 100],
  ],
  'a hold may be released whole': [
    ['grant', 100, 100, 0, 0],
    ['hold', 100, 0, 100, 0],
    ['settle', 0, 100, 0, 0],
  ],
  'a hold of nothing is held and resolved like any other': [
    ['hold', 0, 0, 0, 0],
    ['settle', 0, 0, 0, 0],
  ],
  'a charge spends at once, also while another part is held': [
    ['grant', 100, 100, 0, 0],
    ['hold', 30, 70, 30, 0],
    ['charge', 70, 0, 30, 70],
    ['charge', 0, 0, 30, 70],
    ['settle', 30, 0, 0, 100],
  ],
};

test.each(Object.entries(stories))('%s', (_, lines) => {
  const database = openTemporaryStore();
  const { id } = addAccount(database);
  let holdId = 0;
  const transfers: Record<Transfer, (units: number) => unknown> = {
    grant: (units) => grant(database, id, creditUnits(units), { kind: 'grant', id: 'test' }, at),
    hold: (units) => {
      holdId = hold(database, id, creditUnits(units), someJob, at);
    },
    settle: (units) => resolveHold(database, holdId, creditUnits(units), at),
    charge: (units) => charge(database, id, creditUnits(units), someCharge, at),
  };
  for (const [transfer, units, availableUnits, heldUnits, spentUnits] of lines) {
    transfers[transfer](units);
    expect(readBalances(database, id)).toEqual({ availableUnits, heldUnits, spentUnits });
    expect(verifyLedger(database)).toEqual([]);
  }
});

test('resolving returns both parts, and writes an entry only for a part that is not 0', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 100);
  const parts = [30, 0, 40].map((units) => {
    const holdId = hold(database, id, creditUnits(40), someJob, at);
    return resolveHold(database, holdId, creditUnits(units), at);
  });
  expect(parts).toEqual([
    { settledUnits: 30, releasedUnits: 10 },
    { settledUnits: 0, releasedUnits: 40 },
    { settledUnits: 40, releasedUnits: 0 },
  ]);
  const { count, entries } = listEntries(database, id, { limit: 100, offset: 0 });
  expect(entries.map(({ kind, amountUnits, holdId }) => [kind, amountUnits, holdId])).toEqual([
    ['settle', 40, 3],
    ['hold', 40, 3],
    ['release', 40, 2],
    ['hold', 40, 2],
    ['release', 10, 1],
    ['settle', 30, 1],
    ['hold', 40, 1],
    ['grant', 100, null],
  ]);
  expect(count).toBe(8);
  const page = listEntries(database, id, { limit: 2, offset: 6 });
  expect(page).toEqual({ count: 8, entries: entries.slice(6) });
});

test('a wallet that cannot cover a hold or a charge is refused with both amounts', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 15_000);
  for (const verb of ['hold', 'charge'] as const) {
    const refused = () => spendSome(verb, database, id, creditUnits(25_000), at);
    expect(refused).toThrow(EngineError);
    expect(refused).toThrow(/2\.5 credits.*1\.5\. Add 1 credit,/);
  }
  expect(listEntries(database, id, { limit: 10, offset: 0 }).count).toBe(1);
});

test.each(['hold', 'charge'] as const)(
  'without a budget, a %s of the owner adds the missing credits, with an entry in both logs',
  (verb) => {
    const database = openTemporaryStore();
    const { id, uuid } = addAccount(database, 15_000);
    updateAccount(database, id, { hasBudget: false });
    spendSome(verb, database, id, creditUnits(15_000), at);
    spendSome(verb, database, id, creditUnits(25_000), at);
    const { entries } = listEntries(database, id, { limit: 10, offset: 0 });
    expect(entries.map(({ kind, amountUnits }) => [kind, amountUnits])).toEqual([
      [verb, 25_000],
      ['grant', 25_000],
      [verb, 15_000],
      ['grant', 15_000],
    ]);
    expect(entries[1]?.subject).toEqual({ kind: 'grant', id: 'added when needed' });
    const granted = database
      .prepare(
        "SELECT account, credit_units AS units FROM audit_entry WHERE action = 'credits_granted'",
      )
      .all();
    expect(granted).toEqual([{ account: uuid, units: 25_000 }]);
    expect(readBalances(database, id).availableUnits).toBe(0);
  },
);

test('a hold that is refused for another reason leaves no added credits', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database);
  updateAccount(database, id, { hasBudget: false });
  const refused = () =>
    inTransaction(database, () => {
      hold(database, id, creditUnits(25_000), someJob, at);
      throw new Error('the job cannot be written');
    });
  expect(refused).toThrow('cannot be written');
  expect(listEntries(database, id, { limit: 10, offset: 0 }).count).toBe(0);
});

test('a key spends only what the wallet has, also in an account without a budget', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 15_000);
  updateAccount(database, id, { hasBudget: false });
  const keyId = addKey(database, id);
  for (const verb of ['hold', 'charge'] as const)
    expect(() => spendSome(verb, database, id, creditUnits(25_000), at, keyId)).toThrow(
      /2\.5 credits.*1\.5\. Add 1 credit,/,
    );
  expect(listEntries(database, id, { limit: 10, offset: 0 }).count).toBe(1);
});

test('every other refusal has its own code and moves nothing', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, 100);
  const open = hold(database, id, creditUnits(50), someJob, at);
  const resolved = hold(database, id, creditUnits(0), someJob, at);
  resolveHold(database, resolved, creditUnits(0), at);
  const refusals: [string, () => unknown][] = [
    [
      'amount_not_positive',
      () => grant(database, id, creditUnits(0), { kind: 'grant', id: 'test' }, at),
    ],
    ['amount_negative', () => hold(database, id, creditUnits(-1), someJob, at)],
    ['amount_negative', () => charge(database, id, creditUnits(-1), someCharge, at)],
    ['hold_unknown', () => resolveHold(database, 99, creditUnits(0), at)],
    ['hold_already_resolved', () => resolveHold(database, resolved, creditUnits(0), at)],
    ['settle_exceeds_hold', () => resolveHold(database, open, creditUnits(51), at)],
    ['settle_negative', () => resolveHold(database, open, creditUnits(-1), at)],
    ['account_unknown', () => readBalances(database, 99)],
    ['account_unknown', () => charge(database, 99, creditUnits(1), someCharge, at)],
  ];
  for (const [name, refused] of refusals) expect(refused).toThrow(new Error(name));
  expect(readBalances(database, id)).toEqual({
    availableUnits: 50,
    heldUnits: 50,
    spentUnits: 0,
  });
});

test('the balances of one account are independent of another', () => {
  const database = openTemporaryStore();
  const rich = addAccount(database, 100);
  const poor = addAccount(database);
  expect(readBalances(database, poor.id).availableUnits).toBe(0);
  expect(() => charge(database, poor.id, creditUnits(1), someCharge, at)).toThrow(EngineError);
  expect(readBalances(database, rich.id).availableUnits).toBe(100);
});

test('grants stop before the sums exceed exact integers', () => {
  const database = openTemporaryStore();
  const { id } = addAccount(database, Number.MAX_SAFE_INTEGER);
  expect(() => grant(database, id, creditUnits(1), { kind: 'grant', id: 'test' }, at)).toThrow(
    /CHECK/,
  );
  expect(readBalances(database, id).availableUnits).toBe(Number.MAX_SAFE_INTEGER);
});

const insertCharge = (subject: string) => `INSERT INTO ledger_entry
  (account_id, kind, from_ledger, to_ledger, amount_units, subject_kind, subject_id, at)
  VALUES (1, 'charge', 'wallet', 'spent', 5, ${subject}, 'now')`;

test('an audit finds every kind of difference between rows and balances', () => {
  const spoil = [
    ['balances', 'UPDATE ledger_balance SET wallet_units = wallet_units + 1'],
    ['balances', 'DELETE FROM ledger_balance'],
    ['entries', "DELETE FROM ledger_entry WHERE kind = 'settle'"],
    ['entries', "UPDATE ledger_entry SET amount_units = 1 WHERE kind = 'hold'"],
    ['make up', 'UPDATE ledger_resolution SET released_units = 0'],
    ['below 0', "DELETE FROM ledger_entry WHERE kind = 'grant'"],
    ['state', "UPDATE job SET status = 'running', started_at = 'now'"],
    [
      'not that of its hold',
      `UPDATE ledger_entry SET subject_id = '${someJob.id}' WHERE hold_id > 0`,
    ],
    ['not what it is held for', `UPDATE ledger_hold SET subject_id = '${someJob.id}'`],
    ['not what it is held for', "UPDATE ledger_hold SET subject_kind = 'email_validation'"],
    ['paid for no values', insertCharge("'email_lookup', 'p'")],
    ['paid for no values', insertCharge("'tool', 'enrich_email'")],
    ['not what is due', insertCharge("'monitor_job', '1'")],
    ['not what is due', "UPDATE monitor_job SET due_units = 7, paid_at = 'now'"],
  ] as const;
  for (const [finding, sql] of spoil) {
    const database = openTemporaryStore({ isSpoilt: true });
    const { id } = addAccount(database, 5000);
    const job = addJob(database, id);
    resolveHold(database, job.holdId ?? 0, creditUnits(400), at);
    database.exec(`
      PRAGMA ignore_check_constraints = ON;
      PRAGMA foreign_keys = OFF;
      UPDATE job SET status = 'failed', error = 'upstream_error', completed_at = 'now',
        charged_units = 400, released_units = 600;
      INSERT INTO monitor_job (account_id, job_id, price_units) VALUES (1, ${job.id}, 1);
      DROP TRIGGER ledger_hold_never_changes;
      DROP TRIGGER ledger_entry_never_changes;
      DROP TRIGGER ledger_entry_never_goes;
      DROP TRIGGER ledger_resolution_never_changes;`);
    expect(verifyLedger(database)).toEqual([]);
    database.exec(sql);
    expect(verifyLedger(database).join('\n')).toContain(finding);
  }
});
