// Opening engine.db: durable, of a known version, or refused and unchanged.
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listAccounts } from '../../../engine/accounts/account.table.ts';
import type { ReadableDatabase } from '../../../engine/platform/sqlite/open-database.ts';
import { openStore, openStoreReadable } from '../../../engine/platform/sqlite/open-store.ts';
import { rememberUntilCommit } from '../../../engine/platform/sqlite/statement.ts';
import {
  addAccount,
  makeTemporaryFolder,
  openTemporaryStore,
} from '../../migrations/temporary-store.ts';

test('a commit is on the disk before it returns: WAL with synchronous FULL', () => {
  const database = openTemporaryStore();
  const pragma = (name: string) => database.pragma(name, { simple: true });
  expect([pragma('synchronous'), pragma('journal_mode')]).toEqual([2, 'wal']);
  const { length } = readdirSync('engine/migrations');
  expect([pragma('foreign_keys'), pragma('user_version')]).toEqual([1, length]);
  expect(pragma('page_size')).toBe(8192);
});

test('every table is STRICT', () => {
  const database = openTemporaryStore();
  const loose = database
    .prepare("SELECT name FROM pragma_table_list WHERE strict = 0 AND name NOT LIKE 'sqlite_%'")
    .all();
  expect(loose).toEqual([]);
});

test('opening again keeps the data and runs no migration twice', () => {
  const folder = makeTemporaryFolder();
  const first = openStore(folder);
  const account = addAccount(first, 100);
  first.close();
  const second = openStore(folder);
  expect(listAccounts(second)).toEqual([account]);
  second.close();
});

test('a reader reads committed data and cannot write', () => {
  const folder = makeTemporaryFolder();
  const writer = openStore(folder);
  const reader = openStoreReadable(folder);
  const account = addAccount(writer);
  expect(listAccounts(reader)).toEqual([account]);
  expect(() => reader.exec('DELETE FROM account')).toThrow(/readonly/);
  reader.close();
  writer.close();
});

test('a reader remembers what it read until a commit, and a writer reads each time', () => {
  const folder = makeTemporaryFolder();
  const writer = openStore(folder);
  const reader = openStoreReadable(folder);
  const list = (database: ReadableDatabase) =>
    rememberUntilCommit(database, 'accounts', () => listAccounts(database));
  const none = list(reader);
  expect(list(reader)).toBe(none);
  writer.exec('BEGIN');
  const account = addAccount(writer);
  expect([list(writer), list(reader)]).toEqual([[account], none]);
  writer.exec('ROLLBACK');
  expect(list(writer)).toEqual([]);
  expect([addAccount(writer)]).toEqual(list(reader));
  reader.close();
  writer.close();
});

/** The hash of every data file of a folder; the shared memory of WAL has no data. */
const readFolder = (folder: string) =>
  readdirSync(folder)
    .filter((name) => !name.endsWith('-shm'))
    .map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]);

test('a file of a newer version is refused with the remedy and is unchanged to the byte', () => {
  const folder = makeTemporaryFolder();
  const newer = openStore(folder);
  newer.pragma('user_version = 99');
  newer.close();
  const before = readFolder(folder);
  const refusal = expect.objectContaining({ code: 'database_too_new' });
  expect(() => openStore(folder)).toThrow(refusal);
  expect(() => openStore(folder)).toThrow(/newer version.*schema 99.*Install that version/);
  expect(readFolder(folder)).toEqual(before);
});

// What an earlier state of the schema lacks or has in another form, under the same version.
test.each([
  ['a column', 'ALTER TABLE account DROP COLUMN has_budget'],
  ['another constraint', 'ALTER TABLE monitor_finding ADD COLUMN more TEXT'],
  ['a table', 'DROP TABLE webhook_event'],
])(
  'a file of this version that differs in %s is refused with the folder and the remedy',
  (_what, sql) => {
    const folder = makeTemporaryFolder();
    const older = openStore(folder);
    older.pragma('foreign_keys = OFF');
    older.exec(sql);
    older.close();
    const before = readFolder(folder);
    const refusal = expect.objectContaining({ code: 'database_other_version' });
    expect(() => openStore(folder)).toThrow(refusal);
    expect(() => openStore(folder)).toThrow(`engine.db in ${folder}`);
    expect(() => openStore(folder)).toThrow(/desk restore FILE.*move the folder away/);
    expect(readFolder(folder)).toEqual(before);
  },
);

test('a file with other comments, and without an index, is opened', () => {
  const folder = makeTemporaryFolder();
  const store = openStore(folder);
  store.exec('DROP INDEX webhook_account');
  store.unsafeMode(true);
  store.pragma('writable_schema = ON');
  store.exec("UPDATE sqlite_schema SET sql = replace(sql, '-- What runs', '-- Which runs')");
  store.close();
  openStore(folder).close();
});

test('a copy of a newer version without a log is unchanged to the byte too', () => {
  const folder = makeTemporaryFolder();
  const copied = join(folder, 'copied');
  const newer = openStore(folder);
  newer.pragma('user_version = 99');
  mkdirSync(copied);
  newer.prepare('VACUUM INTO ?').run(join(copied, 'engine.db'));
  newer.close();
  const before = readFolder(copied);
  expect(() => openStore(copied)).toThrow(/newer version/);
  expect(readFolder(copied)).toEqual(before);
});

test('a file of a newer version that crashed keeps its log unchanged', () => {
  const folder = makeTemporaryFolder();
  const crashed = join(folder, 'crashed');
  const newer = openStore(folder);
  newer.pragma('user_version = 99');
  addAccount(newer);
  mkdirSync(crashed);
  for (const name of ['engine.db', 'engine.db-wal'])
    cpSync(join(folder, name), join(crashed, name));
  newer.close();
  const before = readFolder(crashed);
  expect(() => openStore(crashed)).toThrow(/newer version/);
  expect(readFolder(crashed)).toEqual(before);
});
