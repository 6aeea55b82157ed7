// An independent client that knows only the description completes the whole flow: every operation,
// with every response validated by a validator that shares no code with the server.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createClient from 'openapi-fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, startEngine } from '../../engine/app/main.ts';
import { pollUntil } from '../poll-until.ts';
import { openReceiver } from '../webhook-receiver.ts';
import {
  type Described,
  type DescribedApi,
  describedBy,
  requireDescribed,
} from './described-api.ts';
import { type Json, send, sessionToken } from './open-api-desk.ts';

interface Call {
  readonly path?: Record<string, string | number>;
  readonly query?: Record<string, string | number>;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  readonly form?: Record<string, string | Blob>;
  readonly parseAs?: 'json' | 'text';
}
/** The client's own form of a response. */
interface Reply {
  readonly data?: Json;
  readonly error?: Json;
  readonly response: Response;
}
type Method = (path: string, options: object) => Promise<Reply>;

let engine: Engine;
let folder: string;
let api: DescribedApi;
let key: string;
const seen = new Map<string, number[]>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'desk-client-'));
  const config = { dataDir: folder, port: 0, socket: false, uiDir: null, sessionToken };
  engine = await startEngine(config);
  api = await describedBy(engine.url ?? '');
  key = (await app('keys', { label: 'a stranger', requests_per_minute: 6_000 })).key;
});
afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true });
});

/** operationId → its place in the description. */
function locate(id: string): { method: string; path: string; operation: Described } {
  for (const [path, item] of Object.entries(api.document.paths as Record<string, Described>))
    for (const [method, operation] of Object.entries(item))
      if (operation.operationId === id) return { method: method.toUpperCase(), path, operation };
  throw new Error(`no operation is called ${id}`);
}

/** Calls an operation of staging as described: address, credentials, format. */
async function call(id: string, options: Call = {}): Promise<Reply> {
  const { method, path, operation } = locate(id);
  const [, staging] = api.document.servers as Described[];
  const baseUrl = `${staging?.url.replace('http://127.0.0.1', engine.url)}`;
  const isToken = operation.security.some((one: Described) => 'LookupToken' in one);
  const client = createClient({ baseUrl: path === '/healthz' ? (engine.url ?? '') : baseUrl });
  client.use({
    async onResponse({ response }) {
      const { origin, pathname, search } = new URL(response.url);
      await requireDescribed(origin, {
        method,
        path: pathname + search,
        json: options.body,
        status: response.status,
        contentType: response.headers.get('content-type'),
        text: await response.clone().text(),
      });
      seen.set(id, [...(seen.get(id) ?? []), response.status]);
    },
  });
  const form = new FormData();
  for (const [name, value] of Object.entries(options.form ?? {})) form.append(name, value);
  const ask = (client as unknown as Record<string, Method>)[method]!;
  return ask(path, {
    params: {
      path: options.path,
      query: { ...options.query, ...(isToken && { token: key }) },
    },
    headers: { ...(!isToken && { Authorization: `Token ${key}` }), ...options.headers },
    ...(options.body !== undefined && { body: options.body }),
    ...(options.form && { body: form, bodySerializer: (body: FormData) => body }),
    parseAs: options.parseAs ?? 'json',
  });
}

const at = (name: string) => ({ email: `${name}@sandbox.example` });

/** Polls the job's status until it is ready. */
async function finish(jobId: string): Promise<Json> {
  let job: Json;
  await expect
    .poll(async () => {
      job = (await call('getJobStatus', { path: { job_id: jobId } })).data.data;
      return job.ready;
    })
    .toBe(true);
  return job;
}

const submit = async (...names: string[]): Promise<string> => {
  const body = { selected_layers: ['L1', 'L2'], title: 'A list', rows: names.map(at) };
  const { data, response } = await call('submitJob', { body });
  expect(response.status).toBe(202);
  return data.data.job_id;
};

test('layers, estimate, submit, status, result as JSON and as CSV', async () => {
  const layers = await call('listLayers');
  expect(layers.data.data.layers.map((layer: Json) => layer.code)).toContain('MPA');
  const byCount = await call('estimateJob', { body: { selected_layers: 'full', row_count: 100 } });
  const { price_per_row: price } = layers.data.data.full;
  expect(Number(byCount.data.data.credits_needed)).toBe(100 * Number(price));
  const jobId = await submit('enriched', 'no-match', 'ambiguous', 'suppressed');
  expect(await finish(jobId)).toMatchObject({ status: 'completed', enriched_rows: 1 });
  const page = await call('getJobResult', { path: { job_id: jobId }, query: { limit: 2 } });
  expect(page.data.data.results.length).toBe(2);
  const next = new URL(page.data.data.next);
  expect(next.pathname).toBe(`/staging/api/v1/data-enrichment/result/${jobId}/`);
  const query = { format: 'csv', status: 'enriched' };
  const file = await call('getJobResult', { path: { job_id: jobId }, query, parseAs: 'text' });
  expect(file.response.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(file.data).toContain('enriched@sandbox.example');
  const jobs = await call('listJobs', { query: { status: 'completed', limit: 5 } });
  expect(jobs.data.data.results[0].job_id).toBe(jobId);
  const path = { job_id: jobId };
  const [open] = (await call('listReview', { path })).data.data.results;
  expect(open).toMatchObject({ row_index: 2, reason: 'ambiguous', pick: null });
  const pick = { row_index: 2, contact_uuid: open.candidates[0].upstream_contact_uuid };
  const decided = await call('decideReview', { path, body: { picks: [pick] } });
  expect(decided.data.data).toMatchObject({ applied: 1, remaining: 0 });
});

test('submit and estimate as a form, and the same request again', async () => {
  const form = {
    file: new Blob(['Work Email\r\nenriched@sandbox.example\r\n'], { type: 'text/csv' }),
    selected_layers: '["L1"]',
    title: 'From a file',
  };
  expect((await call('estimateJob', { form })).data.data.row_count).toBe(1);
  const headers = { 'Idempotency-Key': 'a form' };
  const first = await call('submitJob', { form, headers });
  const again = await call('submitJob', { form, headers });
  expect([first.response.status, again.response.status]).toEqual([202, 200]);
  expect(again.data.data.job_id).toBe(first.data.data.job_id);
  await finish(first.data.data.job_id);
});

test('cancel, and the status of a cancelled job', async () => {
  const jobId = await submit('slow+1', 'slow+2', 'slow+3');
  const path = { job_id: jobId };
  expect((await call('getJobResult', { path })).error.error).toBe('not_ready');
  expect((await call('cancelJob', { path })).data.data.status).toBe('cancelled');
  expect((await call('cancelJob', { path })).error.error).toBe('already_finished');
  expect((await call('getJobResult', { path })).error.error).toBe('job_cancelled');
});

test('rows that failed are retried as a new job', async () => {
  const jobId = await submit('enriched', 'failed');
  expect(await finish(jobId)).toMatchObject({ status: 'completed', failed_rows: 1 });
  const { data } = await call('retryJob', { path: { job_id: jobId } });
  expect(await finish(data.data.job_id)).toMatchObject({ retry_of: jobId, total_rows: 1 });
  const nothing = await submit('enriched');
  await finish(nothing);
  const { error } = await call('retryJob', { path: { job_id: nothing } });
  expect(error.error).toBe('nothing_to_retry');
});

test('lookups, the wallet, health', async () => {
  const jobId = await submit('phone');
  await finish(jobId);
  const { data } = await call('getJobResult', { path: { job_id: jobId } });
  const profile_url = data.data.results[0].enriched_fields['Profile URL'];
  expect(profile_url).toMatch(/^https:/);
  const phone = await call('lookUpPhone', { body: { profile_url } });
  expect(phone.data.results.phone).toMatch(/^\+\d+/);
  const email = await call('lookUpEmail', { body: { profile_url } });
  expect(email.data.results.email).toBe('phone@sandbox.example');
  const unknown = await call('lookUpEmail', { body: { profile_url: 'https://x.example/nobody' } });
  expect([unknown.response.status, unknown.error.code]).toEqual([404, 404]);
  const wrong = await call('lookUpPhone', { body: {} });
  expect([wrong.response.status, wrong.error.status]).toEqual([400, 'error']);
  const { data: wallet } = await call('topUpWallet', { body: { credits: '5' } });
  expect(wallet.data.available).toMatch(/^\d+\.\d{4}$/);
  expect((await call('getHealth')).data.status).toBe('ok');
});

const own = { 'x-desk-session': sessionToken };
const app = async (path: string, json: unknown, headers = {}): Promise<Json> => {
  const url = `${engine.url}/staging/app/v1/${path}`;
  return (await send(url, 'POST', { headers: { ...own, ...headers }, json })).data;
};

test('Career Monitor: start, follow, pay after a grant, read', async () => {
  const { id } = await app('accounts', { name: 'Poor' });
  const poor = await app('keys', { label: 'poor' }, { 'x-desk-account': id });
  const headers = { Authorization: `Token ${poor.key}` };
  const rows = [{ ...at('moved'), company_name: 'Elsewhere' }, at('no-match')];
  const { data } = await call('startMonitorJob', { headers, body: { title: 'Customers', rows } });
  const path = { id: data.job_id };
  const job: Json = await pollUntil(
    async () => (await call('getMonitorJob', { path, headers })).data,
    ({ completed_at }: Json) => completed_at,
  );
  expect(job).toMatchObject({ status: 'Completed', total_records: 2, credit_charge_failed: true });
  const locked = await call('getMonitorJobResult', { path, headers });
  expect([locked.response.status, locked.error.error]).toEqual([402, 'insufficient_credits']);
  await call('topUpWallet', { headers, body: { credits: '5' } });
  const paid = await call('payMonitorJob', { path, headers });
  expect(paid.data.credit_charge_failed).toBe(false);
  expect((await call('getMonitorJobResult', { path, headers })).data.count).toBe(2);
  expect((await call('listMonitorJobs', { headers, query: { limit: 1 } })).data.count).toBe(1);
});

test('Career Monitor accepts a CSV file too, and the same request again', async () => {
  const file = new Blob(['Work Email\r\nenriched@sandbox.example\r\n'], { type: 'text/csv' });
  const form = { file, title: 'From a file' };
  const headers = { 'Idempotency-Key': 'a monitored form' };
  const first = await call('startMonitorJob', { form, headers });
  const again = await call('startMonitorJob', { form, headers });
  expect([first.response.status, again.response.status]).toEqual([202, 200]);
  expect(again.data).toEqual(first.data);
});

test('a pipeline: start, follow, read, list', async () => {
  const body = { filters: { limit: 2 }, unlock: ['email'], verify_emails: true };
  const headers = { 'Idempotency-Key': 'pipeline' };
  const started = await call('startPipeline', { body, headers });
  expect(started.response.status).toBe(202);
  expect((await call('startPipeline', { body, headers })).response.status).toBe(200);
  const path = { id: started.data.data.pipeline_id };
  const pipeline: Json = await pollUntil(
    async () => (await call('getPipeline', { path })).data.data,
    ({ ready }: Json) => ready,
  );
  expect(pipeline).toMatchObject({ status: 'completed', total: 2, matched: 2 });
  const result = await call('getPipelineResult', { path, query: { limit: 1 } });
  expect(result.data.data).toMatchObject({ count: 2, results: [{ row_index: 0 }] });
  expect((await call('listPipelines')).data.data.count).toBe(1);
});

test('cancel of a pipeline, and the status of a cancelled one', async () => {
  const contacts = [{ email: 'slow+4@sandbox.example' }];
  const started = await call('startPipeline', { body: { contacts, unlock: ['phone'] } });
  const path = { id: started.data.data.pipeline_id };
  expect((await call('cancelPipeline', { path })).data.data.status).toBe('cancelled');
  expect((await call('cancelPipeline', { path })).error.error).toBe('already_finished');
  expect((await call('getPipelineResult', { path })).error.error).toBe('job_cancelled');
});

test('a webhook: register, list, try out, read its log, send again, pause, rotate, delete', async () => {
  const receiver = await openReceiver({ certificate: null });
  const body = { url: receiver.url, events: ['pipeline.completed'] };
  const registered = await call('registerWebhook', { body });
  expect(registered.response.status).toBe(201);
  const { id, secret } = registered.data.data;
  expect(secret).toMatch(/^whsec_/);
  const { count, results } = (await call('listWebhooks')).data.data;
  expect([count, results[0].id, JSON.stringify(results).includes(secret)]).toEqual([1, id, false]);
  const path = { id };
  const sent = (await call('sendTestEvent', { path })).data.data;
  const one = { id, delivery: sent.id };
  const delivery: Json = await pollUntil(
    async () => (await call('getWebhookDelivery', { path: one })).data.data,
    ({ state }: Json) => state !== 'waiting',
  );
  expect(delivery.attempts).toMatchObject([{ status: 200, error: null, excerpt: 'thank you' }]);
  const query = { limit: 5, state: 'delivered' };
  const log = await call('listWebhookDeliveries', { path, query });
  expect(log.data.data).toEqual({ results: [delivery], next_before: null });
  const again = await call('sendDeliveryAgain', { path: one });
  expect([again.response.status, again.data.data.event_id]).toEqual([202, delivery.event_id]);
  const paused = await call('changeWebhook', { path, body: { paused: true } });
  expect(paused.data.data.state).toBe('paused');
  const rotated = (await call('rotateWebhookSecret', { path })).data.data;
  const shown = (await call('getWebhook', { path })).data.data;
  expect(shown).toMatchObject({ state: 'paused', rotated_until: rotated.previous_until });
  const deleted = await call('deleteWebhook', { path });
  expect(deleted.data.data).toEqual({ id, deleted: true });
});

test('an invalid key is 401 for every operation that needs one', async () => {
  const refused = await call('listJobs', { headers: { Authorization: 'Token none' } });
  expect([refused.response.status, refused.error.error]).toEqual([401, 'unauthorized']);
  expect(refused.response.headers.get('www-authenticate')).toBe('Token');
});

test('every operation of the description succeeded', () => {
  const current = Object.values(api.document.paths as Record<string, Described>)
    .flatMap((item) => Object.values(item) as Described[])
    .filter((operation) => !operation.deprecated)
    .map(({ operationId }) => operationId);
  const missing = current.filter((id) => !seen.get(id)?.some((status) => status < 300));
  expect(missing).toEqual([]);
});
