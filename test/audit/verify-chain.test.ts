// The chain of the audit log: what a check finds, and what only an anchor finds.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAccount, grantCredits } from '../../engine/accounts/accounts.ts';
import { createKey } from '../../engine/accounts/api-keys.ts';
import { type AuditRow, readAuditRows } from '../../engine/audit/audit.table.ts';
import { firstHash, hashEntry } from '../../engine/audit/hash-entry.ts';
import { recordAudit } from '../../engine/audit/record-audit.ts';
import { verifyAudit } from '../../engine/audit/verify-chain.ts';
import { auditActionNames } from '../../engine/contract/audit/actions.ts';
import { creditUnits } from '../../engine/contract/credits.ts';
import { auditBatchEntries } from '../../engine/contract/limits/privacy/audit.ts';
import type { WritableDatabase } from '../../engine/platform/sqlite/open-database.ts';
import { inTransaction } from '../../engine/platform/sqlite/transaction.ts';
import { runWithOrigin } from '../../engine/platform/workers/call-origin.ts';
import { addAccount, addKey, at, openTemporaryStore } from '../migrations/temporary-store.ts';

/** Adds entries with numbers as their subjects. */
function addEntries(database: WritableDatabase, count: number): void {
  inTransaction(database, () => {
    for (let number = 1; number <= count; number++)
      recordAudit(database, { action: 'key_created', at, subject: `${number}`, rows: number });
  });
}

/** Removes the protection of the schema, as someone with the file can. */
function unlock(database: WritableDatabase): void {
  for (const name of ['follows_the_last', 'never_changes', 'never_goes'])
    database.exec(`DROP TRIGGER audit_entry_${name}`);
}

const readAll = (database: WritableDatabase): AuditRow[] =>
  readAuditRows(database, 0, Number.MAX_SAFE_INTEGER);
const column = (id: number, name: string) => `(SELECT ${name} FROM audit_entry WHERE id = ${id})`;

/** Computes every hash again from an entry on, as a careful forger does. */
function hashAgain(database: WritableDatabase): void {
  let previous = firstHash;
  for (const row of readAll(database)) {
    previous = hashEntry(previous, row);
    database.prepare('UPDATE audit_entry SET hash = ? WHERE id = ?').run(previous, row.id);
  }
}

/** A log of 5 entries, tampered with, and what the check says. */
async function check(tamper: (database: WritableDatabase) => void, anchor?: string) {
  const database = openTemporaryStore();
  addEntries(database, 5);
  const { head } = await verifyAudit(database);
  unlock(database);
  tamper(database);
  return { head, state: await verifyAudit(database, anchor ?? undefined), database };
}

const sql = (text: string) => (database: WritableDatabase) => void database.exec(text);
const tamperings: readonly (readonly [
  what: string,
  tamper: string,
  entry: number,
  says: string,
])[] = [
  ['a changed entry', "UPDATE audit_entry SET actor = 'x' WHERE id = 3", 3, 'changed'],
  [
    'a changed hash',
    `UPDATE audit_entry SET hash = ${column(4, 'hash')} WHERE id = 3`,
    3,
    'changed',
  ],
  ['the first entry, removed', 'DELETE FROM audit_entry WHERE id = 1', 1, 'removed'],
  ['an entry, removed from the middle', 'DELETE FROM audit_entry WHERE id = 3', 3, 'removed'],
  [
    'a removed entry whose number the next ones take',
    'DELETE FROM audit_entry WHERE id = 3; UPDATE audit_entry SET id = id - 1 WHERE id > 3',
    3,
    'changed',
  ],
  [
    'an inserted entry',
    `UPDATE audit_entry SET id = -id WHERE id > 2;
       UPDATE audit_entry SET id = 1 - id WHERE id < 0;
       INSERT INTO audit_entry SELECT 3, at, environment, actor_kind, actor, key_prefix, account,
         action, 'x', row_count, credit_units, details, hash FROM audit_entry WHERE id = 2`,
    3,
    'inserted',
  ],
  [
    'two entries that changed places',
    `UPDATE audit_entry SET id = -2 WHERE id = 2; UPDATE audit_entry SET id = 2 WHERE id = 3;
       UPDATE audit_entry SET id = 3 WHERE id = -2`,
    2,
    'moved',
  ],
  [
    'two times that changed places',
    `UPDATE audit_entry SET (subject, row_count) = (${column(5, 'subject')},
         ${column(5, 'row_count')}) WHERE id = 4`,
    4,
    'changed',
  ],
  ['an end that was cut off', 'DELETE FROM audit_entry WHERE id > 3', 4, 'were 5 entries'],
  ['an emptied log', 'DELETE FROM audit_entry', 1, 'were 5 entries'],
];

test.each(tamperings)('%s is found', async (_, tamper, entry, says) => {
  const { state } = await check(sql(tamper));
  expect(state).toMatchObject({ entries: entry - 1, fault: { entry } });
  expect(state.fault?.what).toContain(says);
});

describe('only an anchor finds', () => {
  const cut = `DELETE FROM audit_entry WHERE id > 3;
    UPDATE sqlite_sequence SET seq = 3 WHERE name = 'audit_entry'`;
  test('an end that was cut off together with the highest number', async () => {
    const { head, state, database } = await check(sql(cut));
    expect(state).toMatchObject({ entries: 3, fault: null });
    expect((await verifyAudit(database, head ?? '')).fault).toMatchObject({ entry: 5 });
  });

  test('a log that was written again to its end', async () => {
    const { head, state, database } = await check((store) => {
      store.exec("UPDATE audit_entry SET actor = 'x' WHERE id = 2");
      hashAgain(store);
    });
    expect(state).toMatchObject({ entries: 5, fault: null });
    const { fault } = await verifyAudit(database, head ?? '');
    expect(fault).toEqual({ entry: 5, what: expect.stringContaining('written again') });
  });
});

const recordedAt = '2026-11-20T10:00:00.000Z';
const records: readonly (readonly [what: string, add: (database: WritableDatabase) => unknown])[] =
  [
    ['an account', (database) => createAccount(database, 'Sales', new Date(recordedAt))],
    [
      'a key',
      (database) => {
        const account = createAccount(database, 'Sales', new Date(recordedAt));
        createKey(database, 'live', { accountId: account.id, label: '' }, new Date(recordedAt));
      },
    ],
    [
      'granted credits',
      (database) => {
        const { id: accountId } = createAccount(database, 'Sales', new Date(recordedAt));
        for (const id of ['one', 'two'])
          grantCredits(
            database,
            { accountId, units: creditUnits(5), subject: { kind: 'grant', id } },
            new Date(recordedAt),
          );
      },
    ],
  ];

describe.each(records)('a log that was cut, with %s in the database, is found', (_what, add) => {
  test.each([
    ['emptied', 0],
    ['cut by one entry', -1],
  ])('%s', async (_how, left) => {
    const database = openTemporaryStore();
    add(database);
    const { entries, fault } = await verifyAudit(database);
    expect(fault).toBeNull();
    unlock(database);
    const kept = left === 0 ? 0 : entries + left;
    database.prepare('DELETE FROM audit_entry WHERE id > ?').run(kept);
    database.prepare("DELETE FROM sqlite_sequence WHERE name = 'audit_entry'").run();
    if (kept > 0)
      database.prepare("INSERT INTO sqlite_sequence VALUES ('audit_entry', ?)").run(kept);
    const state = await verifyAudit(database);
    expect(state.fault?.what).toMatch(/^no entry is left about (account|API key|credits) /);
    expect(state.fault?.entry).toBe(kept + 1);
  });
});

test('an anchor still fits after more entries', async () => {
  const database = openTemporaryStore();
  addEntries(database, 2);
  const { head } = await verifyAudit(database);
  addEntries(database, 1);
  expect(await verifyAudit(database, head ?? '')).toMatchObject({ entries: 3, fault: null });
  expect(await verifyAudit(openTemporaryStore())).toEqual({ entries: 0, head: null, fault: null });
});

test('a log of several batches is checked to its end', async () => {
  const database = openTemporaryStore();
  const count = auditBatchEntries * 2 + 1;
  addEntries(database, count);
  expect(await verifyAudit(database)).toMatchObject({ entries: count, fault: null });
});

const noteArbitrary = fc.record({
  action: fc.constantFrom(...auditActionNames),
  subject: fc.string({ unit: 'binary', maxLength: 6 }),
  rows: fc.option(fc.nat(), { nil: undefined }),
  units: fc.option(fc.nat().map(creditUnits), { nil: undefined }),
  details: fc.dictionary(
    fc.string({ unit: 'binary', maxLength: 4 }),
    fc.string({ unit: 'binary' }),
  ),
  isKept: fc.boolean(),
});

test('any sequence of kept and rolled-back actions fits; any changed column is found', async () => {
  const texts = ['at', 'actor', 'action', 'subject', 'details'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.array(noteArbitrary, { minLength: 1, maxLength: 12 }),
      fc.nat(),
      fc.constantFrom(...texts),
      async (notes, pick, changed) => {
        const database = openTemporaryStore();
        let kept = 0;
        for (const { isKept, ...note } of notes) {
          const work = () => {
            const { rows, units, ...rest } = note;
            const counted = { ...(rows !== undefined && { rows }), ...(units && { units }) };
            recordAudit(database, { ...rest, ...counted, at });
            if (!isKept) throw new Error('rolled back');
          };
          if (isKept) kept += 1;
          try {
            inTransaction(database, work);
          } catch (error) {
            expect(String(error)).toContain('rolled back');
          }
        }
        expect(await verifyAudit(database)).toMatchObject({ entries: kept, fault: null });
        if (kept === 0) return;
        unlock(database);
        const id = 1 + (pick % kept);
        const other = changed === 'details' ? '\'{"x":1.5}\'' : "'other'";
        database.exec(`UPDATE audit_entry SET ${changed} = ${other} WHERE id = ${id}`);
        expect((await verifyAudit(database)).fault).toMatchObject({ entry: id });
      },
    ),
    { numRuns: 15 },
  );
});

test('an entry needs the transaction of its action', () => {
  const database = openTemporaryStore();
  expect(() => recordAudit(database, { action: 'backup_made', at })).toThrow(
    'audit_outside_transaction',
  );
});

test('an entry names its actor: app, command line, key, assistant or engine', () => {
  const database = openTemporaryStore();
  const { id: accountId, uuid } = addAccount(database);
  const [key, oauth, stdio] = [1, 2, 3].map(() => addKey(database, accountId)) as [
    string,
    string,
    string,
  ];
  database
    .prepare("INSERT INTO oauth_connection VALUES (?, 'client', 'Claude', 'http://localhost')")
    .run(oauth);
  database.prepare("INSERT INTO stdio_client VALUES (?, 'Cursor', ?)").run(accountId, stdio);
  const origins = [
    { channel: 'app', keyId: null, accountId },
    { channel: 'command_line', keyId: null, accountId },
    ...[key, oauth, stdio].map((keyId) => ({ channel: 'key', keyId, accountId }) as const),
    null,
  ] as const;
  inTransaction(database, () => {
    for (const origin of origins)
      runWithOrigin(origin, () => recordAudit(database, { action: 'backup_made', at }));
    // A scheduler works in the name of who started the work.
    const started = { action: 'pipeline_started', at, subject: 'p' } as const;
    runWithOrigin(origins[1], () => recordAudit(database, started));
    const startedBy = { action: 'pipeline_started', subject: 'p' } as const;
    recordAudit(database, { action: 'values_unlocked', at, accountId, startedBy });
    recordAudit(database, { action: 'values_unlocked', at, accountId, keyId: stdio });
  });
  const rows = readAll(database);
  expect(rows.map(({ actorKind, actor, keyPrefix }) => [actorKind, actor, keyPrefix])).toEqual([
    ['app', 'app', null],
    ['command_line', 'command line', null],
    ['api_key', expect.stringMatching(/^Key \d+$/), 'sk_live_ab'],
    ['assistant', 'Claude', 'sk_live_ab'],
    ['assistant', 'Cursor', 'sk_live_ab'],
    ['engine', 'engine', null],
    ['command_line', 'command line', null],
    ['command_line', 'command line', null],
    ['assistant', 'Cursor', 'sk_live_ab'],
  ]);
  expect(rows.map(({ account }) => account)).toEqual([
    ...Array(5).fill(uuid),
    null,
    ...Array(3).fill(uuid),
  ]);
});
