// The rules of docs/rules.md, "Data enrichment", about rows, jobs and versions, over HTTP.
import { expect, test } from 'vitest';
import { expectRefusal, type Json, send, shareApiDesk, submit } from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const emails = ['found@1.example', 'nobody@2.example', 'failed@3.example'];

test.each([
  ['enriched', '1.0000', 'at least one requested layer returned data; billed', 0],
  ['skipped', '0.0000', 'no layer could enrich the row; not billed', 1],
  ['failed', '0.0000', 'upstream error for this row; not billed; error_message explains', 2],
] as const)('Result row status %s, credits_charged %s: %s', async (status, price, _meaning, at) => {
  const desk = await openDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  const { results } = (await desk.call('GET', `result/${jobId}/?status=${status}`)).data;
  expect(results.map((found: Json) => found.row_index)).toEqual([at]);
  const [row] = results;
  expect(row.credits_charged).toBe(price);
  expect(row.charge_decision).toBe(status === 'enriched' ? 'used' : 'released');
  const layers = Object.values(row.layer_status);
  expect(layers.includes('enriched')).toBe(status === 'enriched');
  expect(row.error_message === '').toBe(status !== 'failed');
});

test('Job: ready is true when the job has finished, and Result is only available then', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, ...emails);
  const isReady = async () => (await desk.call('GET', `status/${jobId}/`)).data.ready;
  expect(await isReady()).toBe(false);
  expectRefusal(await desk.call('GET', `result/${jobId}/`), 'not_ready');
  await desk.environment.begin(jobId);
  expect(await isReady()).toBe(false);
  expectRefusal(await desk.call('GET', `result/${jobId}/`), 'not_ready');
  await desk.environment.finish(jobId);
  expect(await isReady()).toBe(true);
  expect((await desk.call('GET', `result/${jobId}/`)).status).toBe(200);
});

test('Job: a finished job has result-page status "completed"', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  expect((await desk.call('GET', `result/${jobId}/`)).data.status).toBe('completed');
});

const balances = async (desk: Awaited<ReturnType<typeof openDesk>>) =>
  (await desk.app('GET', 'wallet')).data;

test('Job: cancelling a running job releases the entire credit hold', async () => {
  const desk = await openDesk();
  const before = await balances(desk);
  const jobId = await submit(desk, ...emails);
  await desk.environment.begin(jobId);
  expect(await balances(desk)).toMatchObject({ held: '3.0000' });
  const { data } = await desk.call('POST', `cancel/${jobId}/`);
  expect(data.credits_released).toBe('3.0000');
  expect(await balances(desk)).toEqual(before);
});

test('Job: only enriched rows are billed at its end; skipped and failed rows are refunded', async () => {
  const desk = await openDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  expect(await balances(desk)).toEqual({
    available: '99999.0000',
    held: '0.0000',
    spent: '1.0000',
  });
  const { data } = await desk.call('GET', `status/${jobId}/`);
  expect(data).toMatchObject({ credits_charged: '1.0000', credits_released: '2.0000' });
});

test('Credit hold at submit = row count × sum of per-layer prices', async () => {
  const desk = await openDesk();
  const { layers } = (await desk.call('GET', 'layers/')).data;
  const price = layers.reduce((sum: number, layer: Json) => sum + Number(layer.price), 0);
  const json = { selected_layers: 'full', rows: emails.map((email) => ({ email })) };
  const { data } = await desk.call('POST', 'submit/', { json });
  expect(Number(data.credits_held)).toBe(3 * price);
});

test('Versioning: the version is in the path, /api/v1/', async () => {
  const desk = await openDesk();
  expect((await desk.call('GET', '/api/v1/data-enrichment/layers/')).status).toBe(200);
  for (const path of ['/api/data-enrichment/layers/', '/api/v2/data-enrichment/layers/'])
    expectRefusal(await desk.call('GET', path), 'not_found');
});

test('Versioning: the older /api/v1/enrichment/ routes continue to work on the same jobs', async () => {
  const desk = await openDesk();
  const json = { selected_layers: ['L1'], rows: [{ email: 'found@a.example' }] };
  const old = (path: string) => `${desk.url}/api/v1/enrichment/${path}`;
  const { data } = await send(old('submit/'), 'POST', { key: desk.key, json });
  await desk.environment.finish(data.job_id);
  const paths = ['layers/', 'jobs/', `status/${data.job_id}/`, `result/${data.job_id}/`];
  for (const path of paths) {
    const answer = await send(old(path), 'GET', { key: desk.key });
    expect(answer.body).toEqual((await desk.call('GET', path)).body);
    expect(answer.headers.get('deprecation')).toMatch(/^@\d+$/);
  }
});

test.each([
  ['L1', 'Career Monitor', ['Current company name', 'Current title', 'Profile URL', 'Email']],
  ['L2', 'Company Location', ['Company address', 'Company city', 'Company phone']],
  ['L3', 'New Company', ['New company name', 'New title', 'New start date', 'New email']],
  ['L4', 'New Company Location', ['New company address', 'New company phone']],
  ['MPA', 'Mobile Phone Append', ['Mobile phone', 'Direct phone']],
])('Enrichment layer %s, %s, returns its fields', async (code, label, fields) => {
  const desk = await openDesk();
  const { layers } = (await desk.call('GET', 'layers/')).data;
  const layer = layers.find((found: Json) => found.code === code);
  expect(layer.label).toBe(label);
  expect(layer.fields).toEqual(expect.arrayContaining(fields));
});

const any = { string: expect.any(String), integer: expect.any(Number), object: expect.any(Object) };
const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);

test.each([
  ['row_index', 0],
  ['upstream_contact_uuid', any.string],
  ['client_reference_id', 'CRM-1'],
  ['status', 'enriched'],
  ['layer_status', { L1: 'enriched' }],
  ['enriched_fields', expect.objectContaining({ 'First name': any.string })],
  ['error_message', ''],
  ['credits_charged', expect.stringMatching(/^\d+\.\d{4}$/)],
  ['charge_decision', 'used'],
  ['created_at', iso],
  ['updated_at', iso],
])('Result row: %s', async (field, value) => {
  const desk = await openDesk();
  const rows = [{ email: 'found@1.example', client_reference_id: 'CRM-1' }];
  const json = { selected_layers: ['L1'], rows };
  const { job_id } = (await desk.call('POST', 'submit/', { json })).data;
  await desk.environment.finish(job_id);
  const { results } = (await desk.call('GET', `result/${job_id}/`)).data;
  expect(results[0][field]).toEqual(value);
});

test.each([
  ['job_id', expect.stringMatching(/^[0-9a-f-]{36}$/)],
  ['status', 'completed'],
  ['count', 3],
  ['next', expect.stringContaining('limit=1&offset=2')],
  ['previous', expect.stringContaining('limit=1&offset=0')],
  ['results', [any.object]],
])('Result page: %s', async (field, value) => {
  const desk = await openDesk();
  const jobId = await submit(desk, ...emails);
  await desk.environment.finish(jobId);
  const { data } = await desk.call('GET', `result/${jobId}/?limit=1&offset=1`);
  expect(data[field]).toEqual(value);
});

test.each([
  ['limit', '50'],
  ['offset', '0'],
])('GET /result/: %s is %s by default', async (name, value) => {
  const desk = await openDesk();
  const jobId = await submit(desk, ...Array.from({ length: 60 }, (_, at) => `a${at}@b.example`));
  await desk.environment.finish(jobId);
  const { data } = await desk.call('GET', `result/${jobId}/`);
  const said = (await desk.call('GET', `result/${jobId}/?${name}=${value}`)).data;
  expect([data.results.length, data.results[0].row_index]).toEqual([50, 0]);
  expect(said.results).toEqual(data.results);
});

test.each([['first_name', 'last_name', 'company_name'], ['email']])(
  'Row input object fields used: %s',
  async (...fields) => {
    const desk = await openDesk();
    const row = Object.fromEntries(fields.map((field) => [field, `${field}@x.example`]));
    const json = { selected_layers: ['L1'], title: 'job title label', rows: [row] };
    const { status, data } = await desk.call('POST', 'submit/', { json });
    expect([status, data.title, data.total_rows]).toEqual([202, 'job title label', 1]);
    const [kept] = (await desk.app('GET', `jobs/${data.job_id}/rows`)).data.rows;
    expect(kept.input).toEqual(Object.values(row));
  },
);
