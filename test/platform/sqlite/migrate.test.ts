// The migration runner: each file once, in order, completely or not at all.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import {
  migrate,
  newestVersion,
  readKnownVersion,
} from '../../../engine/platform/sqlite/migrate.ts';

/** A folder of migrations that is removed with the test. */
function makeMigrations(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), 'desk-migrations-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(dir, name), sql);
  return dir;
}

function openEmpty(): Database.Database {
  const database = new Database(':memory:');
  onTestFinished(() => void database.close());
  return database;
}

const versionOf = (database: Database.Database) =>
  database.pragma('user_version', { simple: true });
const readLog = (database: Database.Database) =>
  database.prepare('SELECT step FROM log ORDER BY rowid').pluck().all();

const first = 'CREATE TABLE log (step INTEGER NOT NULL) STRICT; INSERT INTO log VALUES (1);';
const second = 'INSERT INTO log VALUES (2);';

test('migrations run in the order of their numbers and raise the version', () => {
  const dir = makeMigrations({ '002-second.sql': second, '001-first.sql': first });
  const database = openEmpty();
  migrate(database, dir);
  expect([readLog(database), versionOf(database), newestVersion(dir)]).toEqual([[1, 2], 2, 2]);
});

test('a new migration runs alone, and none runs twice', () => {
  const database = openEmpty();
  migrate(database, makeMigrations({ '001-first.sql': first }));
  const dir = makeMigrations({ '001-first.sql': first, '002-second.sql': second });
  expect(readKnownVersion(database, dir)).toBe(1);
  migrate(database, dir);
  migrate(database, dir);
  expect([readLog(database), versionOf(database)]).toEqual([[1, 2], 2]);
});

test('a migration that fails changes nothing, and those before it stay', () => {
  const dir = makeMigrations({
    '001-first.sql': first,
    '002-second.sql': `${second} INSERT INTO log VALUES (NULL);`,
  });
  const database = openEmpty();
  expect(() => migrate(database, dir)).toThrow('NOT NULL');
  expect([readLog(database), versionOf(database)]).toEqual([[1], 1]);
});

test('a missing number stops the runner before it runs anything', () => {
  const dir = makeMigrations({ '001-first.sql': first, '003-third.sql': second });
  const database = openEmpty();
  expect(() => migrate(database, dir)).toThrow('migration 2 is missing');
  expect(versionOf(database)).toBe(0);
});

test('a database of a newer version is refused and unchanged', () => {
  const dir = makeMigrations({ '001-first.sql': first });
  const database = openEmpty();
  database.pragma('user_version = 2');
  expect(() => migrate(database, dir)).toThrow(/newer version.*schema 2, this version supports 1/);
  expect(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(0);
});

test('files without a number are ignored', () => {
  const dir = makeMigrations({ '001-first.sql': first, 'notes.sql': second, '002.txt': second });
  const database = openEmpty();
  migrate(database, dir);
  expect(readLog(database)).toEqual([1]);
});
