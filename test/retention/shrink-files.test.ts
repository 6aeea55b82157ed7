// The files become smaller after a run, and requests are answered in between. A log becomes smaller
// after a large transaction, although other connections keep the file open.
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDirectoryWorker } from '../../engine/app/workers/create-directory-worker.ts';
import { shrinkStepPages } from '../../engine/contract/limits/privacy/retention.ts';
import { openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';
import { hasFreePages, shrinkFile } from '../../engine/retention/run-retention.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';

const fill = `INSERT INTO tool_call (account_id, key_scope, tool, arguments, outcome, detail,
    charged_units, took_ms, at)
  WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000)
  SELECT 1, 'k', 't', hex(zeroblob(1000)), 'done', '', 0, 0, 'now' FROM n`;

test('a database shrinks in steps, between which readers are answered', async () => {
  const { database, folder } = await openJobFixture();
  const size = () => statSync(join(folder, 'engine.db')).size;
  database.exec(fill);
  database.exec('DELETE FROM tool_call');
  database.pragma('wal_checkpoint(TRUNCATE)');
  const [before, free] = [size(), Number(database.pragma('freelist_count', { simple: true }))];
  expect(hasFreePages(database, 'engine.db')).toBe(true);
  const reader = openStoreReadable(folder);
  const shrinking = shrinkFile(database, folder, 'engine.db');
  let answered = 0;
  let step = shrinking.next();
  for (; !step.done; step = shrinking.next())
    answered += reader.prepare('SELECT count(*) FROM account').pluck().get() as number;
  reader.close();
  expect(answered).toBeGreaterThan(free / shrinkStepPages);
  expect(before - size()).toBe(free * 8192);
  expect(step.value).toBe(free * 8192);
  expect(statSync(join(folder, 'engine.db-wal')).size).toBe(0);
  expect(database.pragma('quick_check', { simple: true })).toBe('ok');
});

test('a reader of an older state keeps the file large until it ends; the next run shrinks it', async () => {
  const { database, folder } = await openJobFixture();
  const size = () => statSync(join(folder, 'engine.db')).size;
  database.exec(fill);
  database.pragma('wal_checkpoint(TRUNCATE)');
  const before = size();
  const reader = openStoreReadable(folder);
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM tool_call').get();
  database.exec('DELETE FROM tool_call');
  for (const _step of shrinkFile(database, folder, 'engine.db'));
  expect(size()).toBe(before);
  expect(reader.prepare('SELECT count(*) FROM tool_call').pluck().get()).toBe(4000);
  reader.exec('COMMIT');
  reader.close();
  database.exec(fill);
  database.exec('DELETE FROM tool_call');
  for (const _step of shrinkFile(database, folder, 'engine.db'));
  expect(size()).toBeLessThan(before / 2);
});

test('the directory shrinks too, unless an import writes to it', async () => {
  const { database, directory, folder } = await openJobFixture();
  const size = () => statSync(join(folder, 'directory.db')).size;
  directory.exec(`CREATE TABLE filling AS WITH RECURSIVE n (i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT zeroblob(1000) AS x FROM n`);
  directory.exec('DROP TABLE filling');
  directory.pragma('wal_checkpoint(TRUNCATE)');
  const before = size();
  directory.exec('BEGIN IMMEDIATE');
  for (const _step of shrinkFile(database, folder, 'directory.db'));
  expect(size()).toBe(before);
  directory.exec('COMMIT');
  for (const _step of shrinkFile(database, folder, 'directory.db'));
  expect(size()).toBeLessThan(before);
  expect(readdirSync(folder)).toContain('directory.db');
});

test('the log of an import, of one that fails and of an undo is emptied', async () => {
  const { folder } = await openJobFixture();
  const list = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `person_id,first_name,last_name,organization\n${text}`);
    return path;
  };
  const logBytes = () => statSync(join(folder, 'directory.db-wal')).size;
  const worker = createDirectoryWorker({ folder, onProgress: () => undefined });
  const { report } = await worker.importDirectory({
    peoplePath: list('people.csv', '1,Ann,Lee,Acme\n'),
  });
  expect([report.people_added, logBytes()]).toEqual([1, 0]);
  const unread = {
    peoplePath: list('unread.csv', '2,Bob,Roe,"Glo'),
    mapping: { nothing: 'email' },
  };
  await expect(worker.importDirectory(unread)).rejects.toThrow();
  expect(logBytes()).toBe(0);
  await worker.undoImport({ importId: report.import_id });
  expect(logBytes()).toBe(0);
  await worker.stop(null);
});

test('the commit after a large transaction cuts the log', async () => {
  const { database, folder } = await openJobFixture();
  const logBytes = () => statSync(join(folder, 'engine.db-wal')).size;
  database.exec(`CREATE TABLE filling AS WITH RECURSIVE n (i) AS (
    SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT zeroblob(1e6) AS x FROM n`);
  expect(logBytes()).toBeGreaterThan(100e6);
  database.exec('DROP TABLE filling');
  expect(logBytes()).toBe(64 * 1024 ** 2);
});
