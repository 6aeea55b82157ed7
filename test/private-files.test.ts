/**
 * A data folder is private to its user: created files, and existing folders.
 * @module-tag posix
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDirectory } from '../engine/directory/open-directory.ts';
import { lockFolder } from '../engine/platform/data-dir-lock.ts';
import {
  closeToOthers,
  createPrivateFile,
  createPrivateFolder,
  findOtherUsers,
} from '../engine/platform/private-files.ts';
import { openStore } from '../engine/platform/sqlite/open-store.ts';

function makeFolder(mode: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'desk-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, mode);
  return folder;
}

/** Restricts no permission, as careless systems do. */
function withoutUmask(): void {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
}

const modeOf = (...parts: string[]) => (statSync(join(...parts)).mode & 0o777).toString(8);

test('databases and their logs are created private to their user, whatever the umask', () => {
  withoutUmask();
  const folder = makeFolder(0o755);
  const databases = [openStore(folder), openDirectory(folder)];
  for (const database of ['engine.db', 'directory.db'])
    for (const suffix of ['', '-wal', '-shm'])
      expect([database + suffix, modeOf(folder, database + suffix)]).toEqual([
        database + suffix,
        '600',
      ]);
  for (const database of databases) database.close();
});

test('a database that others could read becomes private when it is opened', () => {
  const folder = makeFolder(0o700);
  openStore(folder).close();
  chmodSync(join(folder, 'engine.db'), 0o644);
  openStore(folder).close();
  expect(modeOf(folder, 'engine.db')).toBe('600');
});

test('an existing file keeps its content; a folder with its name is refused', () => {
  const folder = makeFolder(0o700);
  writeFileSync(join(folder, 'kept'), 'content', { mode: 0o644 });
  createPrivateFile(join(folder, 'kept'));
  expect([modeOf(folder, 'kept'), statSync(join(folder, 'kept')).size]).toEqual(['600', 7]);
  createPrivateFolder(join(folder, 'a', 'b'));
  expect([modeOf(folder, 'a'), modeOf(folder, 'a', 'b')]).toEqual(['700', '700']);
  expect(() => createPrivateFile(join(folder, 'a'))).toThrow('is a folder');
});

test.each([0o777, 0o775, 0o722, 0o1777])(
  'a folder of mode %o, which others may write to, is refused with its remedy and unchanged',
  (mode) => {
    const folder = makeFolder(mode);
    expect(() => lockFolder(folder)).toThrow(
      expect.objectContaining({
        code: 'folder_not_private',
        message: expect.stringContaining(`Run: chmod 700 '${folder}'`),
      }),
    );
    expect([modeOf(folder), existsSync(join(folder, 'engine.lock'))]).toEqual([
      (mode & 0o777).toString(8),
      false,
    ]);
  },
);

test('a folder is created with its parents, or refused where the file system has no new ones', () => {
  const folder = join(makeFolder(0o700), 'one', 'two');
  createPrivateFolder(folder);
  createPrivateFolder(folder);
  expect(existsSync(folder)).toBe(true);
  expect(() => createPrivateFolder('/proc/one/two')).toThrow();
});

test('a folder of another user is refused', () => {
  // Only root can give a folder away; for others, /tmp is another user's.
  const isRoot = process.geteuid?.() === 0;
  const folder = isRoot ? makeFolder(0o700) : '/tmp';
  if (isRoot) chownSync(folder, 65_534, 65_534);
  expect(() => lockFolder(folder)).toThrow(
    expect.objectContaining({
      code: 'folder_not_private',
      message: expect.stringMatching(/Another user owns .*chmod 700/),
    }),
  );
});

test('a folder that others may read becomes private with the product’s files, and no others', () => {
  const folder = makeFolder(0o755);
  const files = [
    'engine.db',
    'directory.db-wal',
    'engine.key',
    'jobs/a/input.csv',
    'staging/engine.db',
  ];
  for (const path of [...files, 'notes.txt']) {
    mkdirSync(join(folder, path, '..'), { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, path), '', { mode: 0o644 });
  }
  symlinkSync(join(folder, 'notes.txt'), join(folder, 'jobs', 'link'));
  const lock = lockFolder(folder);
  expect(lock.wasOpenToOthers).toBe(true);
  expect(files.map((path) => modeOf(folder, path))).toEqual(files.map(() => '600'));
  for (const path of ['', 'jobs', 'jobs/a', 'staging']) expect(modeOf(folder, path)).toBe('700');
  expect(modeOf(folder, 'notes.txt')).toBe('644');
  lock.release();
});

test('a private folder stays unchanged', () => {
  const folder = makeFolder(0o700);
  writeFileSync(join(folder, 'engine.key'), '', { mode: 0o644 });
  expect([findOtherUsers(folder), closeToOthers(folder)]).toEqual([null, false]);
  expect(modeOf(folder, 'engine.key')).toBe('644');
});
