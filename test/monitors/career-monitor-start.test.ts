// POST /career-monitor/jobs/ repeated and as a form: the rules shared with submit, row by row.
import { expect, test } from 'vitest';
import {
  type CallOptions,
  csv,
  type Desk,
  expectRefusal,
  shareApiDesk,
} from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const jobs = '/api/v1/career-monitor/jobs/';
const json = { title: 'Customers', rows: [{ email: 'found@a.example' }] };
const headers = { 'idempotency-key': 'one' };
const file = csv('First Name;Work Email;Team', 'Ada;found@a.example;West', 'Bo;b@b.example;');

const start = (desk: Desk, options: CallOptions) => desk.call('POST', jobs, options);
const list = async (desk: Desk) => (await desk.call('GET', jobs)).body.results;

test.each([
  ['JSON', { json }],
  ['a form', { form: { title: 'Customers', file } }],
])('the same request as %s with the same key is one job: 202, then 200', async (_how, asked) => {
  const desk = await openDesk();
  const first = await start(desk, { ...asked, headers });
  const again = await start(desk, { ...asked, headers });
  expect([first.status, again.status]).toEqual([202, 200]);
  expect(first.body).toEqual({ job_id: expect.any(Number) });
  expect(again.body).toEqual(first.body);
  const options = { ...asked, headers: { 'idempotency-key': 'two' } };
  const both = await Promise.all([start(desk, options), start(desk, options)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 202]);
  expect(both[0]?.body).toEqual(both[1]?.body);
  expect(await list(desk)).toHaveLength(2);
  expect(desk.listLeftovers()).toEqual([]);
});

test('it is the same job after its end, and is charged once', async () => {
  const desk = await openDesk();
  const { job_id: id } = (await start(desk, { json, headers })).body;
  await desk.environment.finishMonitorJob(id);
  await desk.app('PUT', 'rates/L3', { json: { active: false } });
  const again = await start(desk, { json, headers });
  expect([again.status, again.body]).toEqual([200, { job_id: id }]);
  expect((await desk.app('GET', 'wallet')).data.spent).toBe('1.0000');
});

test.each([
  ['another title', { ...json, title: 'Leads' }],
  ['other rows', { ...json, rows: [{ email: 'c@b.example' }] }],
  ['another field', { ...json, rows: [{ title: 'found@a.example' }] }],
])('%s under the same key is an idempotency_conflict', async (_what, other) => {
  const desk = await openDesk();
  await start(desk, { json, headers });
  expectRefusal(await start(desk, { json: other, headers }), 'idempotency_conflict');
  expect(await list(desk)).toHaveLength(1);
});

test('a key that submitted a job belongs to another request, and vice versa', async () => {
  const desk = await openDesk();
  const submit = (options: CallOptions) =>
    desk.call('POST', 'submit/', { json: { ...json, selected_layers: ['L1'] }, ...options });
  await submit({ headers });
  expectRefusal(await start(desk, { json, headers }), 'idempotency_conflict');
  const other = { 'idempotency-key': 'other' };
  await start(desk, { json, headers: other });
  expectRefusal(await submit({ headers: other }), 'idempotency_conflict');
});

test('a CSV file is read by its usual headers, or by a mapping', async () => {
  const desk = await openDesk();
  const title = 'From a file';
  const mapped = csv('A,B', 'found@a.example,found-moved@b.example');
  const forms = [
    { file, title },
    { title, mapping: '{"email":"B"}', file: mapped },
  ];
  const found = [];
  for (const form of forms) {
    const { status, body } = await start(desk, { form });
    expect(status).toBe(202);
    await desk.environment.finishMonitorJob(body.job_id);
    found.push((await desk.call('GET', `${jobs}${body.job_id}/result/`)).body.results);
  }
  expect(found).toMatchObject([
    [{ current: { Email: 'found@a.example' } }, { status: 'no_match' }],
    [{ current: { Email: 'found-moved@b.example' } }],
  ]);
  expect(await list(desk)).toMatchObject([
    { title, total_records: 1 },
    { title, total_records: 2 },
  ]);
  const own = (await desk.app('GET', 'monitor-jobs')).data.results;
  expect(own[0]).toMatchObject({ file_name: 'contacts.csv', monitor_id: null });
  expect(desk.listLeftovers()).toEqual([]);
});

test.each<[string, NonNullable<CallOptions['form']>, 'bad_rows' | 'validation_error', RegExp]>([
  ['without a file', { title: 'x' }, 'bad_rows', /file/],
  ['with an unknown header', { file, mapping: '{"email":"A"}' }, 'validation_error', /no column/],
])('a form %s is refused and leaves nothing behind', async (_what, form, code, detail) => {
  const desk = await openDesk();
  expectRefusal(await start(desk, { form, headers }), code, detail);
  expect(desk.listLeftovers()).toEqual([]);
  expect((await start(desk, { json, headers })).status).toBe(202);
  expect(await list(desk)).toHaveLength(1);
});
