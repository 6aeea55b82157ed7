// A deletion waits for other writers of the directory.
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { createDirectoryWorker } from '../../engine/app/workers/create-directory-worker.ts';
import { emptySubject } from '../../engine/person-data/subject.ts';
import { openListFolder } from '../directory/list-folder.ts';

test('people are deleted once another connection has written', async () => {
  using list = openListFolder();
  const [one, other] = ['one@engines.example', 'other@engines.example'];
  await list.importPeople([
    { first: 'One', last: 'Person', email: one },
    { first: 'Other', last: 'Person', email: other },
  ]);
  const writing = new Database(list.db.name);
  onTestFinished(() => void writing.close());
  const worker = createDirectoryWorker({ folder: dirname(list.db.name), onProgress: () => {} });
  writing.exec('BEGIN IMMEDIATE');
  const erased = worker.erasePeople({ subject: { ...emptySubject, emails: [one] } });
  writing.exec('COMMIT');
  await erased;
  await worker.stop(null);
  const emails = list.db.prepare('SELECT email FROM employment').pluck().all();
  expect(emails).toEqual([other]);
});
