// The delivery log over the API: real deliveries of a real engine.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type CallOptions, expectRefusal, type Json } from '../http/open-api-desk.ts';
import { contact, type Environments, startEnvironments } from '../http/open-environments.ts';
import { openReceiver } from '../webhook-receiver.ts';

let environments: Environments;
let key: string;
beforeAll(async () => {
  environments = await startEnvironments();
  // The tests poll by this key, on a slow machine more often than the default rate allows.
  const json = { label: 'tests', requests_per_minute: 6_000 };
  key = (await environments.staging.call('POST', 'app/v1/keys', { json })).data.key;
});
afterAll(() => environments?.remove());

const call = (method: string, path: string, options: CallOptions = {}): Promise<Answer> =>
  environments.staging.call(method, `api/v1/${path}`, { key, ...options });

async function register(url: string): Promise<{ id: string; secret: string }> {
  const json = { url, events: ['pipeline.completed', 'pipeline.failed'] };
  return (await call('POST', 'webhooks/', { json })).data;
}

/** Reads a delivery until it has this many attempts. */
async function follow(id: string, delivery: number, attempts: number): Promise<Json> {
  const path = `webhooks/${id}/deliveries/${delivery}/`;
  const read = async () => (await call('GET', path)).data;
  await expect.poll(async () => (await read()).attempts.length).toBe(attempts);
  return read();
}

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('each attempt has its time, status, duration and response', async () => {
  const receiver = await openReceiver({ certificate: null });
  receiver.answer = (response) => void response.writeHead(500).end('not\ntoday');
  const { id } = await register(receiver.url);
  const sent = await call('POST', `webhooks/${id}/test/`);
  expect(sent.status).toBe(202);
  const failed = await follow(id, sent.data.id, 1);
  expect(failed).toEqual({
    ...sent.data,
    state: 'failed',
    due_at: null,
    attempts: [
      {
        number: 1,
        at: time,
        status: 500,
        error: null,
        took_ms: expect.any(Number),
        excerpt: 'not today',
      },
    ],
  });
  receiver.answer = (response) => void response.end('thank you');
  const again = await call('POST', `webhooks/${id}/deliveries/${sent.data.id}/send-again/`);
  expect(again.data).toMatchObject({ state: 'waiting', attempts: [{ number: 1 }] });
  const done = await follow(id, sent.data.id, 2);
  expect(done).toMatchObject({
    state: 'delivered',
    attempts: [{ status: 500 }, { number: 2, status: 200, excerpt: 'thank you' }],
  });
  const ids = receiver.arrivals.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([done.event_id, done.event_id]);
  const found = async (state: string) =>
    (await call('GET', `webhooks/${id}/deliveries/?state=${state}`)).data.results;
  expect(await found('delivered')).toEqual([done]);
  expect(await found('failed')).toEqual([]);
  const { data } = await call('GET', 'webhooks/');
  expect(data.results[0].last_delivery).toEqual({
    at: done.attempts[1].at,
    status: 'delivered',
    attempts: 2,
  });
});

test('an attempt without a response has the reason in words', async () => {
  const receiver = await openReceiver({ certificate: null });
  await receiver.close();
  const { id } = await register(receiver.url);
  const sent = await call('POST', `webhooks/${id}/test/`);
  const { attempts } = await follow(id, sent.data.id, 1);
  const error = 'The receiver refused the connection.';
  expect(attempts).toMatchObject([{ status: null, error, excerpt: '' }]);
});

test('a receiver that returns the secret and the headers leaves neither in the log', async () => {
  const receiver = await openReceiver({ certificate: null });
  const { id, secret } = await register(receiver.url);
  const settings = { WEBHOOK_SECRET: secret.slice(6), PASSWORD: 'hunter2' };
  receiver.answer = (response, { headers }) => {
    const { host, ...sent } = headers;
    const shown = Object.entries(sent).filter(([name]) => /^(webhook|x)-/.test(name));
    const text = JSON.stringify({ ...settings, url: `?s=${encodeURIComponent(secret)}`, shown });
    response.writeHead(400).end(text.replaceAll('/', '\\/'));
  };
  const sent = await call('POST', `webhooks/${id}/test/`);
  const { attempts } = await follow(id, sent.data.id, 1);
  const { headers } = receiver.arrivals[0]!;
  const { excerpt } = attempts[0];
  expect(excerpt).toMatch(/^\{"WEBHOOK_SECRET":"\[hidden\]","PASSWORD":"\[hidden\]"/);
  const core = secret.slice(6).replaceAll('/', '\\/');
  const signature = headers['webhook-signature']!.slice(3).replaceAll('/', '\\/');
  for (const piece of [core, encodeURIComponent(secret.slice(6)), signature, 'hunter2'])
    expect(excerpt).not.toContain(piece.slice(0, 20));
  expect(excerpt).not.toContain(headers['x-service-signature']);
});

test('a paused webhook collects the end of a pipeline; after a rotation both secrets verify it', async () => {
  const receiver = await openReceiver({ certificate: null });
  const { id, secret: former } = await register(receiver.url);
  await call('PATCH', `webhooks/${id}/`, { json: { paused: true } });
  const json = { contacts: [contact('enriched')], unlock: ['email'] };
  const started = await call('POST', 'pipeline/', { json });
  const path = `pipeline/${started.data.pipeline_id}/`;
  await expect.poll(async () => (await call('GET', path)).data.ready).toBe(true);
  const rested = await call('GET', `webhooks/${id}/`);
  expect(rested.data).toMatchObject({ state: 'paused', waiting: 1 });
  expect(receiver.arrivals).toEqual([]);
  const { secret } = (await call('POST', `webhooks/${id}/rotate/`)).data;
  await call('PATCH', `webhooks/${id}/`, { json: { paused: false } });
  const { headers, body } = await receiver.next();
  expect(JSON.parse(body)).toMatchObject({
    event: 'pipeline.completed',
    id: headers['webhook-id'],
  });
  for (const one of [secret, former]) new Webhook(one).verify(body, headers);
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  expect(headers['x-service-signature']).toBe(digest);
});

test('these routes count for the rate limit of a key', async () => {
  const json = { label: 'slow', requests_per_minute: 2 };
  const made = await environments.staging.call('POST', 'app/v1/keys', { json });
  const slow = { key: made.data.key };
  const { id } = (await call('GET', 'webhooks/')).data.results[0];
  const first = await call('GET', `webhooks/${id}/deliveries/`, slow);
  expect(first.headers.get('ratelimit-remaining')).toBe('1');
  expect((await call('POST', `webhooks/${id}/rotate/`, slow)).status).toBe(200);
  const over = await call('POST', `webhooks/${id}/test/`, slow);
  expectRefusal(over, 'rate_limited');
  expect(over.headers.get('retry-after')).toMatch(/^\d+$/);
});
