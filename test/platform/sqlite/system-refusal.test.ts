// Errors of the system and of SQLite become messages that a person can act on.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { explainTarget } from '../../../engine/platform/check-file-target.ts';
import {
  explainFullFolder,
  findShortage,
  findSystemRefusal,
} from '../../../engine/platform/sqlite/system-refusal.ts';

const fail = (code: string, message = 'what the system says') =>
  Object.assign(new Error(message), { code });

test.each([
  ['SQLITE_CORRUPT', 'database_damaged', /^engine\.db in \/data is damaged.*desk restore FILE/],
  ['SQLITE_CORRUPT_VTAB', 'database_damaged', /^engine\.db in \/data is damaged/],
  ['SQLITE_NOTADB', 'database_damaged', /^engine\.db in \/data is damaged/],
  ['EROFS', 'read_only', /^\/data is read-only\. Make it writable.*--data-dir/],
  ['SQLITE_READONLY', 'read_only', /^\/data is read-only\. Make it writable.*--data-dir/],
  ['SQLITE_READONLY_DBMOVED', 'database_missing', /missing/],
  ['ENOSPC', 'read_only', /Free disk space/],
  ['SQLITE_FULL', 'read_only', /Free disk space/],
  ['EACCES', 'folder_unusable', /^engine\.db in \/data cannot be used.*Give your user permission/],
  ['EPERM', 'folder_unusable', /^engine\.db in \/data cannot be used/],
])('%s is refused as %s', (system, code, words) => {
  const refusal = findSystemRefusal(fail(system), '/data/engine.db');
  expect(refusal).toMatchObject({ code, detail: expect.stringMatching(words) });
  expect(refusal?.detail).not.toContain('    at ');
});

test.each([
  ['ENOSPC', {}],
  ['EROFS', {}],
  ['EACCES', {}],
  // The folder was removed, or its disk unplugged, during the job.
  ['ENOENT', { path: '/out/list.csv.1.partial' }],
  ['EIO', { syscall: 'write' }],
])('%s of a file that the caller chose names the file, and not the data folder', (code, of) => {
  expect(explainTarget(Object.assign(fail(code), of), '/out/list.csv')).toMatchObject({
    code: 'validation_error',
    detail: expect.stringMatching(/^\/out\/list\.csv cannot be written.*another folder/),
  });
  const bug = new TypeError('a bug');
  expect(explainTarget(bug, '/out/list.csv')).toBe(bug);
  const other = Object.assign(fail('ENOENT'), { path: '/data/input.csv' });
  expect(explainTarget(other, '/out/list.csv')).toBe(other);
});

test.each([
  ['a database whose folder has space', join(tmpdir(), 'engine.db')],
  ['a temporary database', ''],
])('a full folder of temporary files is named for %s', (_what, path) => {
  const bug = fail('SQLITE_ERROR');
  expect(explainFullFolder(bug, path)).toBe(bug);
  expect(explainFullFolder(fail('SQLITE_FULL'), path)).toMatchObject({
    code: 'unavailable',
    detail: expect.stringMatching(/temporary files, .+, was full.*TMPDIR/),
  });
});

test('a read-only disk never gives the advice to restore a backup', () => {
  for (const code of ['EROFS', 'SQLITE_READONLY'])
    expect(findSystemRefusal(fail(code))?.detail).not.toContain('restore');
});

test('a path in the error itself is named if there is no other', () => {
  const error = Object.assign(fail('EACCES'), { path: '/out/list.csv' });
  expect(findSystemRefusal(error)?.detail).toContain('list.csv in /out');
});

test.each([fail('ENOENT'), fail('SQLITE_ERROR'), new Error('a bug'), null, 'text'])(
  'any other error is not a refusal: %s',
  (error) => {
    expect(findSystemRefusal(error)).toBeNull();
  },
);

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN'])(
  '%s is a shortage: the disk cannot be written',
  (code) => {
    expect(findShortage(fail(code))).toMatchObject({ code: 'read_only' });
  },
);

test.each([
  ['EMFILE', 'too many open files, open'],
  ['ENFILE', 'file table overflow'],
  ['ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'],
  ['ERR_DLOPEN_FAILED', 'cannot open shared object file: Too many open files'],
])('%s (%s) means too many open files, not a full disk', (code, message) => {
  const found = findShortage(fail(code, message));
  expect(found).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('ulimit') });
  expect(found?.detail).not.toMatch(/disk|space/i);
});

test('a thread that the system refuses is a lack of threads', () => {
  const found = findShortage(fail('ERR_WORKER_INIT_FAILED', 'EAGAIN'));
  expect(found).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('thread') });
});

test.each([
  new Error('a bug'),
  fail('ENOENT'),
  fail('SQLITE_CONSTRAINT'),
  fail('SQLITE_CORRUPT'),
  fail('EACCES'),
  null,
  'words',
])('%s is not a shortage', (error) => {
  expect(findShortage(error)).toBeNull();
});
