// Transactions: all of the writes or none, also of a call within a call; statements prepared once.
import { expect, test } from 'vitest';
import { statement } from '../../engine/sqlite/statement.ts';
import { inTransaction } from '../../engine/sqlite/transaction.ts';
import { openStore } from '../../engine/store/open-store.ts';
import { getSetting, setSetting } from '../../engine/store/setting.ts';
import { makeTemporaryFolder, openTemporaryStore } from '../store/temporary-store.ts';

const fail = () => {
  throw new Error('no');
};

test('what work returns is handed back, and its writes last', () => {
  const database = openTemporaryStore();
  expect(inTransaction(database, () => setSetting(database, 'a', '1') ?? 7)).toBe(7);
  expect(getSetting(database, 'a')).toBe('1');
});

test('what work throws is thrown on, and undoes its writes', () => {
  const database = openTemporaryStore();
  const work = () => {
    setSetting(database, 'a', '1');
    fail();
  };
  expect(() => inTransaction(database, work)).toThrow('no');
  expect([getSetting(database, 'a'), database.inTransaction]).toEqual([null, false]);
});

test('a call within a call lasts only if the outer one ends well', () => {
  const database = openTemporaryStore();
  const outer = () => {
    inTransaction(database, () => setSetting(database, 'a', '1'));
    fail();
  };
  expect(() => inTransaction(database, outer)).toThrow('no');
  expect(getSetting(database, 'a')).toBeNull();
});

test('an inner call that fails and is caught leaves the writes around it alone', () => {
  const database = openTemporaryStore();
  inTransaction(database, () => {
    setSetting(database, 'outer', '1');
    const inner = () => {
      setSetting(database, 'inner', '1');
      fail();
    };
    expect(() => inTransaction(database, inner)).toThrow('no');
  });
  expect([getSetting(database, 'outer'), getSetting(database, 'inner')]).toEqual(['1', null]);
});

test('work that waits for something is refused: the transaction would stay open', () => {
  const database = openTemporaryStore();
  expect(() => inTransaction(database, async () => setSetting(database, 'a', '1'))).toThrow();
  expect([getSetting(database, 'a'), database.inTransaction]).toEqual([null, false]);
});

test('a transaction that writes one file leaves an attached one to its own writer', () => {
  const attachedFolder = makeTemporaryFolder();
  const other = openStore(attachedFolder);
  const database = openTemporaryStore();
  database.prepare('ATTACH DATABASE ? AS directory').run(other.name);
  inTransaction(database, () => {
    setSetting(database, 'a', '1');
    setSetting(other, 'b', '2');
  });
  expect([getSetting(database, 'a'), getSetting(other, 'b')]).toEqual(['1', '2']);
  other.close();
});

test('a statement is prepared once for each connection', () => {
  const [one, two] = [openTemporaryStore(), openTemporaryStore()];
  const sql = 'SELECT 1';
  expect(statement(one, sql)).toBe(statement(one, sql));
  expect(statement(one, sql)).not.toBe(statement(two, sql));
});
