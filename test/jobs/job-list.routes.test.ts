// The app's list of jobs: search, names, deletion with undo, the queue, run again.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { batchRowsMax, jobUndoMs } from '../../engine/contract/limits/jobs.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import {
  csv,
  type Desk,
  expectRefusal,
  type Json,
  sessionToken,
  shareApiDesk,
} from '../http/open-api-desk.ts';

let passedMs = 0;
const people = `person id,first name,last name,title,company,email,is current
a1,Ann,Lee,Chief,Acme,ann.chief@acme.example,1
a2,Ann,Lee,Clerk,Acme,ann.clerk@acme.example,1
b1,Bob,May,Head,Acme,bob@acme.example,1
`;
const openDesk = shareApiDesk(
  {},
  { people, provider: null, now: () => new Date(Date.now() + passedMs) },
);
const ann = { first_name: 'Ann', last_name: 'Lee', company_name: 'Acme' };
const bob = { first_name: 'Bob', last_name: 'May', company_name: 'Acme' };
const eve = { first_name: 'Eve', last_name: 'Nowhere', company_name: 'Acme' };
const unknown = '00000000-0000-4000-8000-000000000001';

async function submit(desk: Desk, title: string, rows: readonly object[] = [bob]): Promise<string> {
  const json = { selected_layers: ['L1'], title, rows };
  return (await desk.call('POST', 'submit/', { json })).data.job_id;
}
async function finish(desk: Desk, title: string, rows?: readonly object[]): Promise<string> {
  const jobId = await submit(desk, title, rows);
  await desk.environment.finish(jobId);
  return jobId;
}
const list = async (desk: Desk, query = ''): Promise<Json> =>
  (await desk.app('GET', `job-list${query}`)).data;
const titles = async (desk: Desk, query = ''): Promise<string[]> =>
  (await list(desk, query)).jobs.map(({ title }: Json) => title);
const remove = (desk: Desk, jobIds: readonly string[], cancel = false) =>
  desk.app('POST', 'job-deletions', { json: { job_ids: jobIds, cancel } });
const restore = (desk: Desk, jobIds: readonly string[]) =>
  desk.app('POST', 'job-restorations', { json: { job_ids: jobIds } });
const queue = async (desk: Desk): Promise<[string, number][]> =>
  (await desk.app('GET', 'job-queue')).data.map(({ job, rows_ahead }: Json) => [
    job.title,
    rows_ahead,
  ]);
const rerun = (desk: Desk, jobId: string, rows: string) =>
  desk.app('POST', `jobs/${jobId}/rerun`, { json: { rows } });

test('jobs are listed by page, status and any part of their name, without case and accents', async () => {
  const desk = await openDesk();
  const names = ['Messe Zürich', 'Hamburg', 'zurich leads', 'Basel'];
  for (const name of names) await submit(desk, name);
  expect(await titles(desk)).toEqual([...names].reverse());
  expect(await titles(desk, '?search=ZURICH')).toEqual(['zurich leads', 'Messe Zürich']);
  const first = await list(desk, '?limit=1&search=zürich');
  expect(first.jobs.map(({ title }: Json) => title)).toEqual(['zurich leads']);
  const rest = await list(desk, `?limit=1&search=zürich&before=${first.next}`);
  expect([rest.jobs.map(({ title }: Json) => title), rest.next]).toEqual([['Messe Zürich'], null]);
  expect(await titles(desk, '?status=completed')).toEqual([]);
  expect(first.counts).toEqual({ queued: 4, running: 0, completed: 0, failed: 0, cancelled: 0 });
});

test('a job is renamed, without the spaces around its name', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'List');
  const change = (title: string, id = jobId) =>
    desk.app('PATCH', `jobs/${id}`, { json: { title } });
  expect((await change('  Spring fair ')).data.title).toBe('Spring fair');
  expect((await desk.call('GET', `status/${jobId}/`)).data.title).toBe('Spring fair');
  expectRefusal(await change('   '), 'validation_error');
  expectRefusal(await change('x'.repeat(201)), 'validation_error');
  expectRefusal(await change('x', unknown), 'not_found');
});

test('a deleted job is hidden everywhere, and an undo brings it back', async () => {
  const desk = await openDesk();
  const [kept, gone] = [await finish(desk, 'Kept'), await finish(desk, 'Gone')];
  const deleted = await remove(desk, [gone]);
  expect(deleted.data.deleted).toBe(1);
  expect(Date.parse(deleted.data.undo_until)).toBeGreaterThan(Date.now() + jobUndoMs - 60_000);
  expect(await titles(desk)).toEqual(['Kept']);
  expect((await desk.call('GET', 'jobs/')).data.count).toBe(1);
  for (const path of ['status', 'result', 'review'])
    expectRefusal(await desk.call('GET', `${path}/${gone}/`), 'not_found');
  for (const path of ['rows', 'rerun', 'providers'])
    expectRefusal(await desk.app('GET', `jobs/${gone}/${path}`), 'not_found');
  expectRefusal(await desk.app('POST', `jobs/${gone}/exports`, { json: {} }), 'not_found');
  expectRefusal(await remove(desk, [kept, gone]), 'not_found');
  expect(await titles(desk)).toEqual(['Kept']);
  expect((await restore(desk, [gone])).data).toEqual({ restored: 1 });
  expect(await titles(desk)).toEqual(['Gone', 'Kept']);
  expectRefusal(await restore(desk, [gone]), 'not_found');
});

test('a deleted job of another account stays', async () => {
  const [desk, other] = [await openDesk(), await openDesk()];
  const jobId = await finish(desk, 'Mine');
  expectRefusal(await remove(other, [jobId]), 'not_found');
  await remove(desk, [jobId]);
  expectRefusal(await restore(other, [jobId]), 'not_found');
});

test('an open job is deleted only if it may be cancelled, which releases its hold', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'Open', [bob, ann]);
  expectRefusal(await remove(desk, [jobId]), 'not_ready', /“Open” has not finished/);
  expect((await desk.app('GET', 'wallet')).data.held).toBe('2.0000');
  expect((await remove(desk, [jobId], true)).data.deleted).toBe(1);
  expect((await desk.app('GET', 'wallet')).data.held).toBe('0.0000');
  await restore(desk, [jobId]);
  expect((await list(desk)).jobs[0]).toMatchObject({ title: 'Open', status: 'cancelled' });
});

test('a job is kept while another one needs its rows', async () => {
  const desk = await openDesk();
  const first = await finish(desk, 'First');
  const form = { file: csv('Email,Company', 'a@x.example,Acme') };
  const { upload_id } = (await desk.app('POST', 'uploads', { form })).data;
  const order = { upload_id, selected_layers: ['L1'], title: 'New', new_since: first };
  const second = (await desk.app('POST', 'jobs', { json: order })).data.job_id;
  expectRefusal(await remove(desk, [first]), 'not_ready', /“New” still needs the rows of “First”/);
  expect((await remove(desk, [first, second], true)).data.deleted).toBe(2);
});

test('the rows of a deleted job are deleted when it can no longer be restored', async () => {
  const desk = await openDesk();
  const { folder, database, writer } = desk.environment;
  const jobId = await finish(desk, 'Old');
  await remove(desk, [jobId]);
  expect(existsSync(jobDir(folder, jobId))).toBe(true);
  passedMs += jobUndoMs;
  // The next change of a list wakes the run.
  const job_id = await submit(desk, 'x');
  await writer['jobList.move']({ accountId: desk.accountId, job_id, place: 1 });
  const read = () =>
    database.prepare('SELECT title, deleted_at, is_clearing FROM job WHERE uuid = ?').get(jobId);
  await expect.poll(read).toEqual({ title: '', deleted_at: expect.any(String), is_clearing: 0 });
  expect(existsSync(jobDir(folder, jobId))).toBe(false);
  expectRefusal(await restore(desk, [jobId]), 'not_found');
});

test('queued jobs start as they were moved, and other accounts keep their turn', async () => {
  const [desk, other] = [await openDesk(), await openDesk()];
  const first = await submit(desk, 'first', [bob, bob]);
  await desk.environment.begin(first);
  const ids = new Map<string, string>();
  for (const title of ['a', 'b', 'c']) {
    ids.set(title, await submit(desk, title, [bob, ann]));
    if (title === 'a') ids.set('other', await submit(other, 'other', [bob, bob, bob]));
  }
  expect(await queue(desk)).toEqual([
    ['a', 0],
    ['b', 5],
    ['c', 7],
  ]);
  const move = (title: string, place: number) =>
    desk.app('POST', `jobs/${ids.get(title)}/move`, { json: { place } });
  await move('c', 1);
  expect(await queue(desk)).toEqual([
    ['c', 0],
    ['a', 5],
    ['b', 7],
  ]);
  await move('c', 2);
  await move('a', 9);
  expect(await queue(desk)).toEqual([
    ['c', 0],
    ['b', 5],
    ['a', 7],
  ]);
  expectRefusal(
    await other.app('POST', `jobs/${ids.get('a')}/move`, { json: { place: 1 } }),
    'not_found',
  );
  await desk.environment.finish(ids.get('a') ?? '');
  const settled = desk.environment.database
    .prepare(
      `SELECT j.title FROM ledger_entry e JOIN job j ON j.uuid = e.subject_id
       WHERE e.kind = 'settle' AND j.uuid IN (SELECT value FROM json_each(?)) ORDER BY e.id`,
    )
    .pluck()
    .all(JSON.stringify([...ids.values()]));
  expect(settled).toEqual(['c', 'other', 'b', 'a']);
  expectRefusal(await move('a', 1), 'already_finished');
});

test('an ended job offers its rows again at the prices of now, with the imports since', async () => {
  const desk = await openDesk();
  const jobId = await finish(desk, 'Fair (7)', [bob, ann, eve, {}]);
  const offer = async () => (await desk.app('GET', `jobs/${jobId}/rerun`)).data;
  expect(await offer()).toEqual({
    title: 'Fair (8)',
    choices: [
      { rows: 'all', row_count: 4, credits_needed: '4.0000', sufficient: true },
      { rows: 'unmatched', row_count: 2, credits_needed: '2.0000', sufficient: true },
    ],
    price_per_row: '1.0000',
    available_credits: '99999.0000',
    free_repeat_days: 0,
    imports_since: 0,
    problem: null,
  });
  await desk.app('PUT', 'rates/L1', { json: { price: '2', active: false } });
  const changed = await offer();
  expect(changed.choices[0].credits_needed).toBe('8.0000');
  expect(changed.problem).toMatch(/L1/);
  expectRefusal(await rerun(desk, jobId, 'all'), 'validation_error');
});

test('all rows, or those without a match, run again as a new job', async () => {
  const desk = await openDesk();
  const jobId = await finish(desk, 'Fair', [bob, eve, ann]);
  const all = await rerun(desk, jobId, 'all');
  expect(all.status).toBe(202);
  expect(all.data).toMatchObject({ title: 'Fair (2)', total_rows: 3, credits_held: '3.0000' });
  const some = (await rerun(desk, jobId, 'unmatched')).data;
  expect(some).toMatchObject({ title: 'Fair (3)', total_rows: 2, credits_held: '2.0000' });
  expectRefusal(await rerun(desk, jobId, 'failed'), 'nothing_to_retry');
  expectRefusal(await rerun(desk, some.job_id, 'all'), 'not_ready');
  await desk.environment.finish(some.job_id);
  const { rows } = (await desk.app('GET', `jobs/${some.job_id}/rows`)).data;
  expect(rows.map(({ input }: Json) => input)).toEqual([
    ['Eve', 'Nowhere', 'Acme'],
    ['Ann', 'Lee', 'Acme'],
  ]);
  await remove(desk, [jobId]);
  expect((await desk.app('GET', `jobs/${all.data.job_id}/rows`)).status).toBe(200);
});

test('a cancelled job runs again with all its rows', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, 'Fair', [bob, ann]);
  await desk.app('POST', `jobs/${jobId}/cancel`);
  expect((await desk.app('GET', `jobs/${jobId}/rerun`)).data.choices).toEqual([
    { rows: 'all', row_count: 2, credits_needed: '2.0000', sufficient: true },
  ]);
  const again = (await rerun(desk, jobId, 'all')).data.job_id;
  await desk.environment.finish(again);
  expect((await desk.call('GET', `status/${again}/`)).data.enriched_rows).toBe(1);
});

/** Reads an event stream of the app until a job has ended; returns what the state then says. */
async function followEnd(desk: Desk, { body }: Response): Promise<number> {
  let text = '';
  for await (const bytes of body ?? []) {
    text += Buffer.from(bytes).toString();
    if (text.includes('"status":"completed"')) break;
  }
  return (await desk.app('GET', 'state')).data.running_jobs;
}

test('every tab learns of the end of a job, and the running count is that of the account', async () => {
  const [desk, other] = [await openDesk(), await openDesk()];
  // Two batches, of which the first is written.
  const rows = Array.from({ length: batchRowsMax + 1 }, () => bob);
  const jobId = await submit(desk, 'List', rows);
  await desk.environment.begin(jobId);
  const count = async (one: Desk) => (await one.app('GET', 'state')).data.running_jobs;
  expect([await count(desk), await count(other)]).toEqual([1, 0]);
  const account = (await desk.app('GET', 'state')).data.account.id;
  const headers = { 'x-desk-session': sessionToken, 'x-desk-account': account };
  const open = () => fetch(`${desk.url}/app/v1/events`, { headers });
  const tabs = [await open(), await open()].map((response) => followEnd(desk, response));
  await desk.environment.finish(jobId);
  expect(await Promise.all(tabs)).toEqual([0, 0]);
});
