// The backups that the engine makes by itself: before a migration, before an update.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openDirectory } from '../../engine/directory/open-directory.ts';
import { listAutomaticBackups } from '../../engine/maintenance/automatic-backups.ts';
import { backUpBeforeMigration } from '../../engine/maintenance/prepare-migration.ts';
import { restoreBackup } from '../../engine/maintenance/restore.ts';
import { automaticBackupsFolder } from '../../engine/platform/data-files.ts';
import { migrationsDir } from '../../engine/platform/paths.ts';
import { openStore, openStoreReadable } from '../../engine/platform/sqlite/open-store.ts';

const root = mkdtempSync(join(tmpdir(), 'desk-automatic-'));
afterAll(() => rmSync(root, { recursive: true }));

/** The migrations of a version with one more for engine.db. */
const next = { 'engine.db': join(root, 'migrations'), 'directory.db': migrationsDir('directory') };
beforeAll(() => {
  cpSync(migrationsDir('store'), next['engine.db'], { recursive: true });
  writeFileSync(join(next['engine.db'], '002-more.sql'), 'CREATE TABLE more (x INTEGER) STRICT;');
});

/** A data folder of this version, in a folder of its own. */
function makeFolder(): string {
  const folder = join(mkdtempSync(join(root, 'place-')), 'data');
  mkdirSync(join(folder, 'jobs'), { recursive: true, mode: 0o700 });
  openDirectory(folder).close();
  openStore(folder).close();
  return folder;
}
const readBytes = (folder: string) =>
  ['engine.db', 'directory.db'].map((name) => readFileSync(join(folder, name)));
const setTime = (at: string) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(at) });
  onTestFinished(() => void vi.useRealTimers());
};

test('a folder of this version is not backed up', async () => {
  const folder = makeFolder();
  expect(await backUpBeforeMigration('live', folder)).toBeNull();
  expect(await backUpBeforeMigration('live', join(root, 'none'))).toBeNull();
  expect(listAutomaticBackups(folder)).toEqual([]);
});

test('an older folder is backed up before, under its day and reason, and can be restored', async () => {
  setTime('2026-11-23T10:15:00.000Z');
  const folder = makeFolder();
  const before = readBytes(folder);
  const report = await backUpBeforeMigration('live', folder, next);
  const path = join(folder, automaticBackupsFolder, '2026-11-23T101500Z-before-migration.tar.gz');
  expect(report).toMatchObject({ path, files: 2, damage: [], counts: { account: 0, person: 0 } });
  expect(listAutomaticBackups(folder)).toEqual([
    { path, reason: 'migration', made_at: '2026-11-23T10:15:00.000Z', bytes: report?.bytes },
  ]);
  expect(readBytes(folder)).toEqual(before);
  const other = join(dirname(folder), 'other');
  await restoreBackup({ archivePath: path, dataDir: other, environment: 'live' });
  openStoreReadable(other).close();
});

test('what only the log of a crashed engine has is in the backup', async () => {
  const folder = makeFolder();
  const open = new Database(join(folder, 'engine.db'));
  open.exec(
    "INSERT INTO mail_domain (domain, outcome, kept_until) VALUES ('a.example', '{}', 'now')",
  );
  const crashed = join(dirname(folder), 'crashed');
  cpSync(folder, crashed, { recursive: true });
  open.close();
  const report = await backUpBeforeMigration('live', crashed, next);
  const other = join(dirname(folder), 'other');
  await restoreBackup({ archivePath: report!.path, dataDir: other, environment: 'live' });
  const store = openStoreReadable(other);
  expect(store.prepare('SELECT count(*) FROM mail_domain').pluck().get()).toBe(1);
  store.close();
});

test('three automatic backups are kept, and other files of the folder stay', async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, automaticBackupsFolder));
  writeFileSync(join(folder, automaticBackupsFolder, 'notes.tar.gz'), 'mine');
  for (const day of [1, 2, 3, 4, 5]) {
    setTime(`2026-11-0${day}T10:00:00.000Z`);
    await backUpBeforeMigration('live', folder, next);
  }
  expect(listAutomaticBackups(folder).map(({ made_at: at }) => at.slice(0, 10))).toEqual([
    '2026-11-05',
    '2026-11-04',
    '2026-11-03',
  ]);
  expect(readdirSync(join(folder, automaticBackupsFolder))).toContain('notes.tar.gz');
});

test('backups of a clock that was ahead do not displace newer ones', async () => {
  const folder = makeFolder();
  const days = ['2036-11-01', '2036-11-02', '2036-11-03', '2026-11-04', '2026-11-05'];
  for (const day of days) {
    setTime(`${day}T10:00:00.000Z`);
    await backUpBeforeMigration('live', folder, next);
  }
  expect(listAutomaticBackups(folder).map(({ made_at: at }) => at.slice(0, 10))).toEqual([
    '2036-11-01',
    '2026-11-05',
    '2026-11-04',
  ]);
});

test.each(['engine.db', 'directory.db'])(
  'a newer %s is refused, and both databases keep every byte',
  async (name) => {
    const folder = makeFolder();
    const newer = new Database(join(folder, name));
    newer.pragma('user_version = 99');
    newer.close();
    const before = [readdirSync(folder), ...readBytes(folder)];
    await expect(backUpBeforeMigration('live', folder, next)).rejects.toMatchObject({
      code: 'database_too_new',
      detail: expect.stringContaining(`${name} was written by a newer version`),
    });
    expect([readdirSync(folder), ...readBytes(folder)]).toEqual(before);
  },
);

test('a damaged database is not migrated', async () => {
  const folder = makeFolder();
  const path = join(folder, 'engine.db');
  const bytes = readFileSync(path);
  for (let page = 2; page < bytes.length / 8_192; page += 1) bytes[page * 8_192]! ^= 0xff;
  writeFileSync(path, bytes);
  await expect(backUpBeforeMigration('live', folder, next)).rejects.toMatchObject({
    code: 'database_damaged',
    detail: expect.stringMatching(/cannot be migrated.*desk restore FILE/),
  });
  expect(listAutomaticBackups(folder)).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a full disk refuses the migration with what to do, and changes nothing',
  async () => {
    setTime('2026-11-23T10:15:00.000Z');
    const folder = makeFolder();
    const dir = join(folder, automaticBackupsFolder);
    mkdirSync(dir);
    // Every write to this device fails with ENOSPC.
    symlinkSync('/dev/full', join(dir, '2026-11-23T101500Z-before-migration.tar.gz.partial'));
    const before = readBytes(folder);
    await expect(backUpBeforeMigration('live', folder, next)).rejects.toMatchObject({
      code: 'read_only',
      detail: expect.stringMatching(
        /does not have enough space.*Nothing was changed. Free some space/,
      ),
    });
    expect(readBytes(folder)).toEqual(before);
    expect(readdirSync(dir)).toEqual([]);
    expect(readdirSync(folder)).not.toContain('backup-copies');
  },
);
