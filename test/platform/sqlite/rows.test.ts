// Rows are read and written by the names of properties.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { WritableDatabase } from '../../../engine/platform/sqlite/open-database.ts';
import { insertRow, selectColumns } from '../../../engine/platform/sqlite/rows.ts';

const open = () => {
  const database = new Database(':memory:') as unknown as WritableDatabase;
  database.exec(
    "CREATE TABLE place (id INTEGER PRIMARY KEY, full_name TEXT, kind TEXT DEFAULT 'x')",
  );
  return database;
};

test('a property is the column of its name; undefined is the default of the column', () => {
  const database = open();
  const id = insertRow(database, 'place', { fullName: 'Berlin', kind: undefined });
  const sql = `SELECT ${selectColumns('id fullName kind')} FROM place`;
  expect(database.prepare(sql).all()).toEqual([{ id, fullName: 'Berlin', kind: 'x' }]);
});

test('a name that is no property is refused, so that no value becomes SQL', () => {
  const row = { 'kind) VALUES (1); --': 'x' };
  expect(() => insertRow(open(), 'place', row)).toThrow('names no column');
});
