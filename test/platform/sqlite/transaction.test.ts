// Transactions: all writes or none, also in nested calls; statements are prepared once.
import { expect, test } from 'vitest';
import type {
  ReadableDatabase,
  WritableDatabase,
} from '../../../engine/platform/sqlite/open-database.ts';
import { openStore } from '../../../engine/platform/sqlite/open-store.ts';
import { statement } from '../../../engine/platform/sqlite/statement.ts';
import {
  inRepeatableTransaction,
  inTransaction,
} from '../../../engine/platform/sqlite/transaction.ts';
import { makeTemporaryFolder, openTemporaryStore } from '../../migrations/temporary-store.ts';

// A table for the test; only the durability of its rows matters.
function openNotes(): WritableDatabase {
  const database = openTemporaryStore();
  database.exec('CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) STRICT');
  return database;
}
const setNote = (database: WritableDatabase, name: string, value: string) => {
  database.prepare('INSERT OR REPLACE INTO note VALUES (?, ?)').run(name, value);
};
const getNote = (database: ReadableDatabase, name: string) =>
  database.prepare('SELECT value FROM note WHERE name = ?').pluck().get(name) ?? null;

const fail = () => {
  throw new Error('no');
};

test('the result of the work is returned, and its writes stay', () => {
  const database = openNotes();
  expect(inTransaction(database, () => setNote(database, 'a', '1') ?? 7)).toBe(7);
  expect(getNote(database, 'a')).toBe('1');
});

test('an error of the work is thrown, and its writes are rolled back', () => {
  const database = openNotes();
  const work = () => {
    setNote(database, 'a', '1');
    fail();
  };
  expect(() => inTransaction(database, work)).toThrow('no');
  expect([getNote(database, 'a'), database.inTransaction]).toEqual([null, false]);
});

test('a nested call lasts only if the outer one succeeds', () => {
  const database = openNotes();
  const outer = () => {
    inTransaction(database, () => setNote(database, 'a', '1'));
    fail();
  };
  expect(() => inTransaction(database, outer)).toThrow('no');
  expect(getNote(database, 'a')).toBeNull();
});

test('a nested call that fails and is caught keeps the writes around it', () => {
  const database = openNotes();
  inTransaction(database, () => {
    setNote(database, 'outer', '1');
    const inner = () => {
      setNote(database, 'inner', '1');
      fail();
    };
    expect(() => inTransaction(database, inner)).toThrow('no');
  });
  expect([getNote(database, 'outer'), getNote(database, 'inner')]).toEqual(['1', null]);
});

test('asynchronous work is refused, because the transaction would stay open', () => {
  const database = openNotes();
  expect(() => inTransaction(database, async () => setNote(database, 'a', '1'))).toThrow();
  expect([getNote(database, 'a'), database.inTransaction]).toEqual([null, false]);
});

test('a transaction that writes one file does not lock an attached one', () => {
  const attachedFolder = makeTemporaryFolder();
  const other = openStore(attachedFolder);
  other.exec('CREATE TABLE note (name TEXT PRIMARY KEY, value TEXT) STRICT');
  const database = openNotes();
  database.prepare('ATTACH DATABASE ? AS directory').run(other.name);
  inTransaction(database, () => {
    setNote(database, 'a', '1');
    setNote(other, 'b', '2');
  });
  expect([getNote(database, 'a'), getNote(other, 'b')]).toEqual(['1', '2']);
  other.close();
});

test('a statement is prepared once for each connection', () => {
  const [one, two] = [openNotes(), openNotes()];
  const sql = 'SELECT 1';
  expect(statement(one, sql)).toBe(statement(one, sql));
  expect(statement(one, sql)).not.toBe(statement(two, sql));
});

test('repeatable work does not wait for the disk, the next transaction does', () => {
  const database = openNotes();
  const readWaits = () => database.pragma('synchronous', { simple: true });
  const [inTime, atOnce] = [1, 2];
  const within = inRepeatableTransaction(database, () => {
    setNote(database, 'a', '1');
    return readWaits();
  });
  expect([within, readWaits(), getNote(database, 'a')]).toEqual([inTime, atOnce, '1']);
  expect(() => inRepeatableTransaction(database, fail)).toThrow('no');
  expect(readWaits()).toBe(atOnce);
  const nested = () => inRepeatableTransaction(database, readWaits);
  expect(() => inTransaction(database, nested)).toThrow('repeatable_within_another');
});
