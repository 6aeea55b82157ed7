// Section E over HTTP: the Career Monitor job list row by row, and the product's additions.
import { expect, test } from 'vitest';
import { type Desk, expectRefusal, shareApiDesk } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const jobs = '/api/v1/career-monitor/jobs/';
const row = (email: string) => ({ email });

async function start(desk: Desk, ...emails: string[]): Promise<number> {
  const answer = await desk.call('POST', jobs, { json: { title: 'List', rows: emails.map(row) } });
  expect(answer.status).toBe(202);
  return answer.body.job_id;
}

/** An account in addition to the desk's own, with its own wallet and key. */
async function addAccount(desk: Desk, credits: number) {
  const { data } = await desk.app('POST', 'accounts', { json: { name: 'Other' } });
  const headers = { 'x-desk-account': data.id };
  if (credits > 0) await desk.app('POST', 'wallet/grants', { headers, json: { credits } });
  const made = await desk.app('POST', 'keys', { headers, json: { label: 'other' } });
  return { headers, key: made.data.key as string };
}

test('GET /career-monitor/jobs/ returns its page directly, without the envelope', async () => {
  const desk = await openDesk();
  const answer = await desk.call('GET', jobs);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ count: 0, next: null, previous: null, results: [] });
});

test('it lists the jobs of the account, most recent first', async () => {
  const desk = await openDesk();
  const other = await addAccount(desk, 0);
  const ids = [await start(desk, 'a@x.example'), await start(desk, 'b@x.example')];
  const { body } = await desk.call('GET', jobs);
  expect(body.results.map((job: { job_id: number }) => job.job_id)).toEqual(ids.reverse());
  expect((await desk.call('GET', jobs, { key: other.key })).body.count).toBe(0);
});

test('limit is an integer, 10 by default', async () => {
  const desk = await openDesk();
  for (let at = 0; at < 11; at += 1) await start(desk, `a${at}@x.example`);
  const { body } = await desk.call('GET', jobs);
  expect(body.results).toHaveLength(10);
  expect(body.next).toBe(`${desk.url}${jobs}?limit=10&offset=10`);
  for (const limit of ['0', '1001', 'ten', '1.5'])
    expectRefusal(await desk.call('GET', `${jobs}?limit=${limit}`), 'validation_error', /limit/);
});

test('offset is an integer, 0 by default', async () => {
  const desk = await openDesk();
  const ids = [];
  for (let at = 0; at < 3; at += 1) ids.push(await start(desk, `a${at}@x.example`));
  const { body } = await desk.call('GET', `${jobs}?limit=1&offset=1`);
  expect(body).toMatchObject({
    count: 3,
    next: `${desk.url}${jobs}?limit=1&offset=2`,
    previous: `${desk.url}${jobs}?limit=1&offset=0`,
    results: [{ job_id: ids[1] }],
  });
  const negative = await desk.call('GET', `${jobs}?offset=-1`);
  expectRefusal(negative, 'validation_error', /offset/);
});

test('a Career Monitor job summary has exactly these fields', async () => {
  const desk = await openDesk();
  const id = await start(desk, 'found@x.example', 'lost@x.example');
  const queued = (await desk.call('GET', jobs)).body.results[0];
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(queued).toEqual({
    job_id: id,
    title: 'List',
    status: 'Queued',
    total_records: 2,
    processed_records: 0,
    submitted_at: time,
    started_at: null,
    completed_at: null,
    total_credits_charged: 0,
    credit_charge_failed: false,
    credit_charge_failure_reason: null,
  });
  await desk.environment.finishMonitorJob(id);
  const completed = (await desk.call('GET', `${jobs}${id}/`)).body;
  expect(completed).toEqual({
    ...queued,
    status: 'Completed',
    processed_records: 2,
    started_at: time,
    completed_at: time,
    total_credits_charged: 1,
  });
});

test('jobs are visible only to the account owning the key; other jobs give 404', async () => {
  const desk = await openDesk();
  const other = await addAccount(desk, 0);
  const id = await start(desk, 'found@x.example');
  await desk.environment.finishMonitorJob(id);
  for (const [method, path] of [
    ['GET', ''],
    ['GET', 'result/'],
    ['POST', 'pay/'],
  ] as const)
    expectRefusal(await desk.call(method, `${jobs}${id}/${path}`, { key: other.key }), 'not_found');
  for (const unknown of ['999', '0', '-1', 'x', '1e1'])
    expectRefusal(await desk.call('GET', `${jobs}${unknown}/result/`), 'not_found');
});

test('no other list of jobs shows them', async () => {
  const desk = await openDesk();
  await start(desk, 'a@x.example');
  expect((await desk.call('GET', 'jobs/')).data.count).toBe(0);
  expect((await desk.app('GET', 'jobs')).data.count).toBe(0);
});

test('POST accepts rows by the rules of submit', async () => {
  const desk = await openDesk();
  const post = (json: unknown) => desk.call('POST', jobs, { json });
  expectRefusal(await post({ title: 'x' }), 'bad_rows');
  expectRefusal(await post({ rows: [] }), 'bad_rows');
  expectRefusal(await post({ rows: 'x' }), 'validation_error', /rows/);
  expectRefusal(await post({ rows: [7] }), 'validation_error', /rows\[0\]/);
  expectRefusal(await post({ rows: [{ email: 7 }] }), 'validation_error', /rows\[0\]\.email/);
  const long = { title: 'x'.repeat(201), rows: [{}] };
  expectRefusal(await post(long), 'validation_error', /title/);
  expectRefusal(await post([]), 'validation_error', /object/);
  expect(desk.listLeftovers()).toEqual([]);
});

test('POST is refused if L1 or L3 is switched off', async () => {
  const desk = await openDesk();
  await desk.app('PUT', 'rates/L3', { json: { active: false } });
  const answer = await desk.call('POST', jobs, { json: { rows: [row('a@x.example')] } });
  expectRefusal(answer, 'validation_error', /L3 is switched off/);
});

test('the result of a job that has not finished is 409 not_ready', async () => {
  const desk = await openDesk();
  const id = await start(desk, 'a@x.example');
  expectRefusal(await desk.call('GET', `${jobs}${id}/result/`), 'not_ready');
  expectRefusal(await desk.call('POST', `${jobs}${id}/pay/`), 'not_ready');
});

test('the result pages the finding of each contact', async () => {
  const desk = await openDesk();
  const rows = [
    { email: 'found@x.example', company_name: 'Acme', client_reference_id: 'CRM-1' },
    { email: 'found-moved@x.example', company_name: 'Acme', client_reference_id: 'CRM-2' },
    { email: 'found-left@x.example', company_name: 'Acme' },
    { email: 'lost@x.example', last_name: 'Lost' },
    { email: 'failed@x.example' },
  ];
  const { job_id: id } = (await desk.call('POST', jobs, { json: { rows } })).body;
  await desk.environment.finishMonitorJob(id);
  const { status, body } = await desk.call('GET', `${jobs}${id}/result/?limit=4`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ job_id: id, status: 'Completed', count: 5, previous: null });
  expect(body.next).toBe(`${desk.url}${jobs}${id}/result/?limit=4&offset=4`);
  const told = { source: 'crm.csv', observed_at: '2026-11-01' };
  expect(body.results).toMatchObject([
    { row_index: 0, client_reference_id: 'CRM-1', status: 'unchanged', changes: [] },
    {
      row_index: 1,
      client_reference_id: 'CRM-2',
      status: 'changed',
      changes: [{ field: 'company_name', old_value: 'Acme', new_value: 'Globex', ...told }],
    },
    {
      status: 'left',
      changes: [
        { field: 'company_name', old_value: 'Acme', new_value: '', ...told },
        { field: 'email', old_value: 'found-left@x.example', new_value: '', ...told },
      ],
    },
    { status: 'no_match', reason: 'no_match', last_name: 'Lost', upstream_contact_uuid: '' },
  ]);
  const only = (await desk.call('GET', `${jobs}${id}/result/?status=failed`)).body;
  expect(only).toMatchObject({ count: 1, results: [{ row_index: 4, reason: 'source_error' }] });
  expectRefusal(await desk.call('GET', `${jobs}${id}/result/?status=x`), 'validation_error');
});

test('a failed charge has its reason, and locks the result until it is paid', async () => {
  const desk = await openDesk();
  const { headers, key } = await addAccount(desk, 1.5);
  const id = (
    await desk.call('POST', jobs, {
      key,
      json: { rows: [row('found1@x.example'), row('found2@x.example')] },
    })
  ).body.job_id;
  await desk.environment.finishMonitorJob(id);
  const job = await desk.call('GET', `${jobs}${id}/`, { key });
  expect(job.body).toMatchObject({
    status: 'Completed',
    total_credits_charged: 0,
    credit_charge_failed: true,
    credit_charge_failure_reason: expect.stringContaining('Add 0.5 credits, then pay.'),
  });
  const locked = await desk.call('GET', `${jobs}${id}/result/`, { key });
  expectRefusal(locked, 'insufficient_credits', /locked.*2 credits.*Add 0\.5 credits/);
  const short = await desk.call('POST', `${jobs}${id}/pay/`, { key });
  expectRefusal(short, 'insufficient_credits', /Add 0\.5 credits/);
  await desk.app('POST', 'wallet/grants', { headers, json: { credits: 10 } });
  const pay = () => desk.call('POST', `${jobs}${id}/pay/`, { key });
  const paid = await Promise.all([pay(), pay(), pay()]);
  for (const answer of paid)
    expect(answer.body).toMatchObject({ total_credits_charged: 2, credit_charge_failed: false });
  const wallet = (await desk.app('GET', 'wallet', { headers })).data;
  expect(wallet).toMatchObject({ available: '9.5000', spent: '2.0000' });
  expect((await desk.call('GET', `${jobs}${id}/result/`, { key })).body.count).toBe(2);
});

test('a key’s spending cap locks the findings too, and the app can pay for them', async () => {
  const desk = await openDesk();
  const made = await desk.app('POST', 'keys', { json: { label: 'capped', cap_per_day: 1 } });
  const { key } = made.data;
  const rows = [row('found1@x.example'), row('found2@x.example')];
  const id = (await desk.call('POST', jobs, { key, json: { rows } })).body.job_id;
  await desk.environment.finishMonitorJob(id);
  const { body } = await desk.call('GET', `${jobs}${id}/`);
  expect(body.credit_charge_failed).toBe(true);
  expect(body.credit_charge_failure_reason).toMatch(/cap/);
  const capped = await desk.call('POST', `${jobs}${id}/pay/`, { key });
  expectRefusal(capped, 'spending_cap_reached');
  const paid = await desk.app('POST', `monitor-jobs/${id}/pay`);
  expect(paid.data).toMatchObject({ total_credits_charged: 2, credits_due: '2.0000' });
  const entries = (await desk.app('GET', 'wallet/entries')).data.results;
  expect(entries[0]).toMatchObject({ kind: 'charge', reference: `career monitor job ${id}` });
});
