// Monitors of the app over HTTP: created from a spreadsheet or a job, changed, run, deleted, saved.
import { expect, test } from 'vitest';
import { csv, type Desk, expectRefusal, shareApiDesk, submit } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const schedule = { rhythm: 'weekly', time: '09:00', weekday: 1, time_zone: 'Europe/Berlin' };

async function upload(desk: Desk, ...lines: string[]): Promise<string> {
  const file = csv('Email,Company,Note', ...lines);
  return (await desk.app('POST', 'uploads', { form: { file } })).data.upload_id;
}

async function create(desk: Desk, more: object = {}, ...lines: string[]) {
  const upload_id = await upload(desk, ...(lines.length ? lines : ['found@x.example,Acme,"=1"']));
  const json = { title: 'Customers', schedule, upload_id, ...more };
  const answer = await desk.app('POST', 'monitors', { json });
  expect(answer.status).toBe(201);
  return answer.data;
}

test('a monitor is created from a spreadsheet, with the maximum price of a run', async () => {
  const desk = await openDesk();
  const monitor = await create(desk, {}, 'a@x.example,Acme,1', 'b@x.example,Acme,2');
  expect(monitor).toMatchObject({
    title: 'Customers',
    file_name: 'contacts.csv',
    total_records: 2,
    schedule: { ...schedule, month_day: 1 },
    paused: false,
    price_per_record: '1.0000',
    most_credits: '2.0000',
    problem: null,
    last_job: null,
  });
  expect(new Date(monitor.next_run_at).getTime()).toBeGreaterThan(Date.now());
  expect((await desk.app('GET', 'monitors')).data).toEqual([monitor]);
  expect((await desk.app('GET', `monitors/${monitor.id}`)).data).toEqual(monitor);
});

test('a monitor is created from the rows of a finished job', async () => {
  const desk = await openDesk();
  const job_id = await submit(desk, 'found@x.example', 'lost@x.example');
  const json = { title: 'Again', schedule, job_id };
  expectRefusal(await desk.app('POST', 'monitors', { json }), 'not_ready');
  await desk.environment.finish(job_id);
  await submit(desk, 'other@x.example');
  const { data } = await desk.app('POST', 'monitors', { json: { ...json, run_now: true } });
  const queued = { status: 'Queued', rows_ahead: 1 };
  expect(data).toMatchObject({ total_records: 2, last_job: queued });
});

test.each<[string, object, RegExp]>([
  ['an unknown zone', { schedule: { ...schedule, time_zone: 'Mars/Base' } }, /time_zone/],
  ['an invalid time', { schedule: { ...schedule, time: '9am' } }, /schedule\.time/],
  ['a weekday beyond Sunday', { schedule: { ...schedule, weekday: 8 } }, /weekday/],
  ['no title', { title: ' ' }, /title/],
  ['neither upload nor job', { upload_id: undefined }, /upload_id or job_id/],
  ['a column that is not there', { mapping: { email: 9 } }, /mapping\.email/],
  ['a list of companies', { mapping: { company_name: 1 } }, /names companies.*names, emails/],
])('a monitor is refused with %s', async (_what, more, detail) => {
  const desk = await openDesk();
  const json = { title: 'x', schedule, upload_id: await upload(desk, 'a@x.example,,'), ...more };
  expectRefusal(await desk.app('POST', 'monitors', { json }), 'validation_error', detail);
  expect((await desk.app('GET', 'monitors')).data).toEqual([]);
});

test('it is renamed, rescheduled, paused and resumed', async () => {
  const desk = await openDesk();
  const { id } = await create(desk);
  const change = async (json: object) => (await desk.app('PATCH', `monitors/${id}`, { json })).data;
  expect(await change({ title: 'VIPs' })).toMatchObject({ title: 'VIPs', paused: false });
  expect(await change({ paused: true })).toMatchObject({ paused: true, next_run_at: null });
  const monthly = { ...schedule, rhythm: 'monthly', month_day: 31 };
  expect(await change({ schedule: monthly })).toMatchObject({ paused: true, schedule: monthly });
  expect((await change({ paused: false })).next_run_at).toMatch(/^\d{4}-/);
});

test('run now starts one job at a time; its runs are listed newest first', async () => {
  const desk = await openDesk();
  const { id } = await create(desk);
  const first = await desk.app('POST', `monitors/${id}/run`);
  expect(first.status).toBe(202);
  expect(first.data).toMatchObject({ status: 'Queued', monitor_id: id, title: 'Customers' });
  expectRefusal(await desk.app('POST', `monitors/${id}/run`), 'validation_error', /running/);
  await desk.environment.finishMonitorJob(first.data.job_id);
  const second = await desk.app('POST', `monitors/${id}/run`);
  const { data } = await desk.app('GET', `monitors/${id}/jobs`);
  const ids = data.results.map((job: { job_id: number }) => job.job_id);
  expect(ids).toEqual([second.data.job_id, first.data.job_id]);
  expect(data.results[1].counts).toEqual({
    changed: 0,
    left: 0,
    unchanged: 1,
    no_match: 0,
    failed: 0,
  });
});

test('a stopped run is Failed and costs nothing', async () => {
  const desk = await openDesk();
  const { id } = await create(desk);
  const { job_id } = (await desk.app('POST', `monitors/${id}/run`)).data;
  const stopped = await desk.app('POST', `monitor-jobs/${job_id}/stop`);
  expect(stopped.data).toMatchObject({ status: 'Failed', total_credits_charged: 0 });
  expect(stopped.data.error_detail).toMatch(/stopped/);
  expectRefusal(await desk.app('POST', `monitor-jobs/${job_id}/stop`), 'already_finished');
  expectRefusal(await desk.app('GET', `monitor-jobs/${job_id}/findings`), 'job_cancelled');
  expectRefusal(await desk.app('POST', `monitor-jobs/${job_id}/pay`), 'already_finished');
});

test('a deleted monitor is not found, and its findings stay', async () => {
  const desk = await openDesk();
  const { id } = await create(desk);
  const { job_id } = (await desk.app('POST', `monitors/${id}/run`)).data;
  await desk.environment.finishMonitorJob(job_id);
  expect((await desk.app('DELETE', `monitors/${id}`)).status).toBe(200);
  expectRefusal(await desk.app('GET', `monitors/${id}`), 'not_found');
  expectRefusal(await desk.app('DELETE', `monitors/${id}`), 'not_found');
  expect((await desk.app('GET', `monitor-jobs/${job_id}/findings`)).data.count).toBe(1);
});

test('monitors and their jobs of another account are 404', async () => {
  const desk = await openDesk();
  const { id } = await create(desk, { run_now: true });
  const other = (await desk.app('POST', 'accounts', { json: { name: 'Other' } })).data.id;
  const headers = { 'x-desk-account': other };
  for (const [method, path] of [
    ['GET', `monitors/${id}`],
    ['PATCH', `monitors/${id}`],
    ['DELETE', `monitors/${id}`],
    ['POST', `monitors/${id}/run`],
    ['GET', `monitors/${id}/jobs`],
    ['GET', 'monitor-jobs/1'],
    ['POST', 'monitor-jobs/1/pay'],
    ['POST', 'monitor-jobs/1/stop'],
    ['GET', 'monitor-jobs/1/findings'],
    ['POST', 'monitor-jobs/1/export'],
  ] as const)
    expectRefusal(
      await desk.app(method, path, { headers, json: method === 'GET' ? undefined : {} }),
      'not_found',
    );
  expect((await desk.app('GET', 'monitors', { headers })).data).toEqual([]);
  expect((await desk.app('GET', 'monitor-jobs', { headers })).data.count).toBe(0);
});

test('findings are saved as CSV: own columns first, then the values before and now', async () => {
  const desk = await openDesk();
  const { id } = await create(
    desk,
    {},
    'found@x.example,Acme,"=1+1"',
    'found-moved@x.example,Acme,b',
    'lost@x.example,Acme,c',
  );
  const { job_id } = (await desk.app('POST', `monitors/${id}/run`)).data;
  await desk.environment.finishMonitorJob(job_id);
  const save = async (json: object) => {
    const { data } = await desk.app('POST', `monitor-jobs/${job_id}/export`, { json });
    const file = await desk.call('GET', data.download_url, { key: null });
    return { data, lines: file.text.trimEnd().split('\r\n') };
  };
  const all = await save({});
  expect(all.data).toMatchObject({ file_name: 'contacts-findings.csv', rows: 3 });
  expect(all.lines).toEqual([
    'Email,Company,Note,Finding,Reason,Old company name,Current company name,Old title,' +
      'Current title,Old email,Email (enriched),Profile URL,Employment status,' +
      'New start date,Source,Source date',
    'found@x.example,Acme,=1+1,unchanged,,,Acme,,,,found@x.example,,Current,,crm.csv,2026-11-01',
    'found-moved@x.example,Acme,b,changed,,Acme,Globex,,,,,,Changed,,crm.csv,2026-11-01',
    'lost@x.example,Acme,c,no_match,no_match,,,,,,,,,,,',
  ]);
  expect((await save({ status: 'changed' })).lines).toHaveLength(2);
  const book = await save({ format: 'xlsx' });
  expect(book.data).toMatchObject({ file_name: 'contacts-findings.xlsx', rows: 3 });
  expect(book.lines[0]?.startsWith('PK')).toBe(true);
});
