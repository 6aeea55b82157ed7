// `desk jobs`: list, rename, queue, delete, restore and run again.
import { expect, test } from 'vitest';
import { runHere } from './run-desk.ts';
import { servePlace } from './serve-place.ts';

let jobId = '';
const place = servePlace(async () => {
  place.write('people.csv', 'person id,first name,last name,company\nb1,Bob,May,Acme\n');
  place.write('fair.csv', 'First name,Last name,Company\nBob,May,Acme\nEve,Nowhere,Acme\n');
  await place.here('directory', 'import', 'people.csv');
  const order = ['fair.csv', '--layers', 'L1', '--out', 'out.csv', '--yes', '--json'];
  jobId = String((await place.here('enrich', ...order)).json.job_id);
});

test('jobs are listed with their outcome, and renamed', async () => {
  const renamed = await place.here('jobs', 'rename', jobId, ' Spring fair ');
  expect(renamed.last).toBe('The job is now named "Spring fair".');
  const listed = await place.here('jobs', 'list', '--search', 'spring', '--status', 'completed');
  expect(listed.stdout).toMatch(
    new RegExp(
      `^${jobId}  \\d{4}-\\d\\d-\\d\\d  completed  1 of 2 rows enriched  Spring fair$`,
      'm',
    ),
  );
  expect(listed.last).toBe('Jobs shown: 1.');
  expect((await place.here('jobs', 'list', '--search', 'autumn')).last).toBe('Jobs shown: 0.');
  expect((await place.here('jobs', 'list', '--status', 'done')).code).toBe(2);
});

test('rows without a match run again once their price is accepted', async () => {
  const rerun = ['jobs', 'rerun', jobId, '--rows', 'unmatched'];
  expect((await place.here(...rerun)).code).toBe(2);
  let asked = '';
  const refused = await runHere(place, rerun, {
    answer(question) {
      asked = question;
      return false;
    },
  });
  expect([refused.code, asked]).toEqual([
    1,
    'Run 1 row again, as "Spring fair (2)", for at most 1 credit? Imports since: 0.',
  ]);
  const again = await place.here(...rerun, '--yes', '--json');
  expect(again.json).toMatchObject({ title: 'Spring fair (2)', total_rows: 1 });
  const saved = await place.here(
    'enrich',
    '--resume',
    String(again.json.job_id),
    '--out',
    'again.csv',
    '--json',
  );
  expect(saved.json).toMatchObject({ total_rows: 1, skipped_rows: 1, credits_charged: '0.0000' });
  expect((await place.here('jobs', 'queue')).last).toBe('Waiting: 0.');
  expect((await place.here('jobs', 'queue', jobId)).code).toBe(2);
});

test('a deleted job is gone until it is restored', async () => {
  expect((await place.here('jobs', 'delete', jobId)).code).toBe(2);
  const deleted = await place.here('jobs', 'delete', jobId, '--yes');
  expect([deleted.code, deleted.last]).toEqual([0, 'Jobs deleted: 1.']);
  expect(deleted.stdout).toContain(`desk jobs restore ${jobId}`);
  expect((await place.here('enrich', '--resume', jobId, '--out', 'x.csv')).code).toBe(1);
  expect((await place.here('jobs', 'restore', jobId)).last).toBe('Jobs restored: 1.');
  expect((await place.here('jobs', 'restore', jobId)).code).toBe(1);
});
