/** What a machine lacks is told from a bug, and each lack has its own sentence. */
import { expect, test } from 'vitest';
import { findShortage } from '../../engine/sqlite/find-shortage.ts';

const withCode = (code: string, message = 'it failed') =>
  Object.assign(new Error(message), { code });

test.each(['ENOSPC', 'EDQUOT', 'EROFS', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_CANTOPEN'])(
  '%s is a disk that cannot be written',
  (code) => {
    expect(findShortage(withCode(code))).toMatchObject({
      code: 'read_only',
      detail: expect.stringContaining('Free space'),
    });
  },
);

test.each([
  ['EMFILE', 'too many open files, open'],
  ['ENFILE', 'file table overflow'],
  ['ERR_WORKER_INIT_FAILED', 'Worker initialization failure: EMFILE'],
  ['ERR_DLOPEN_FAILED', 'cannot open shared object file: Too many open files'],
])('%s (%s) is too many open files, and no full disk', (code, message) => {
  const found = findShortage(withCode(code, message));
  expect(found).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('ulimit') });
  expect(found?.detail).not.toMatch(/disk|space/i);
});

test('a thread that the system refuses is a lack of threads', () => {
  const found = findShortage(withCode('ERR_WORKER_INIT_FAILED', 'EAGAIN'));
  expect(found).toMatchObject({ code: 'unavailable', detail: expect.stringContaining('thread') });
});

test.each([new Error('a bug'), withCode('ENOENT'), withCode('SQLITE_CONSTRAINT'), null, 'words'])(
  '%s is neither',
  (error) => {
    expect(findShortage(error)).toBeNull();
  },
);
