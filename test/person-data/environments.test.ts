// A deletion covers both environments, and is continued by the next engine of the folder.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { emptySubject } from '../../engine/person-data/subject.ts';
import { type Environments, startEnvironments } from '../http/open-environments.ts';
import { pollUntil } from '../poll-until.ts';
import { findBytes } from './person-desk.ts';

const [first, second] = ['zq.first@sandbox.example', 'zq.second@sandbox.example'];

/** Records a deletion of which nothing is erased yet, as a kill leaves it. */
function leaveDeletion(dataDir: string, email: string): void {
  const database = new Database(join(dataDir, 'engine.db'));
  database
    .prepare(
      `INSERT INTO person_deletion (uuid, state, subject, subject_hashes, places, is_suppressed,
         author, source, requested_at)
       VALUES (?, 'erasing', ?, '[]', '[]', 0, 'tests', 'app', '2026-11-23T08:00:00.000Z')`,
    )
    .run(
      randomUUID(),
      JSON.stringify({ subject: { ...emptySubject, emails: [email] }, entries: {} }),
    );
  database.close();
}

const listReceipts = async ({ live }: Environments) =>
  (await live.call('POST', 'app/v1/person-data/receipts', { json: {} })).data;

test('staging is erased too, and the next engine continues a deletion', {
  tags: ['full'],
}, async () => {
  let environments = await startEnvironments();
  onTestFinished(() => environments.remove());
  const { dataDir, live, staging } = environments;
  for (const environment of [live, staging])
    await environment.run([{ email: first }, { email: second }]);
  const json = { value: first, confirmed: true, suppress: false };
  const { data } = await live.call('POST', 'app/v1/person-data/deletions', { json });
  const where = new Set(data.places.map(({ environment }: { environment: string }) => environment));
  expect([...where]).toEqual(['live', 'staging']);
  expect(findBytes(dataDir, [first])).toEqual([]);
  expect(findBytes(dataDir, [second])).not.toEqual([]);

  environments = await environments.restart(() => leaveDeletion(dataDir, second));
  await pollUntil(
    () => listReceipts(environments),
    ([newest]) => newest.state === 'done',
  );
  expect(findBytes(dataDir, [second])).toEqual([]);
  expect(await listReceipts(environments)).toHaveLength(2);
});
