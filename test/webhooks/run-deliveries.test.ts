// Deliveries of webhooks (docs/webhooks.md): their order, retries and ends, over HTTPS.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failedWorkRestMs, storageRetryMs } from '../../engine/contract/limits/platform.ts';
import {
  webhookAttemptsInFlightMax,
  webhookRetryDelaysMs,
} from '../../engine/contract/limits/webhooks.ts';
import type { PostOutcome } from '../../engine/webhooks/post-webhook.ts';
import { openReceiver } from '../webhook-receiver.ts';
import { openDeliveries } from './open-deliveries.ts';

const hex = (secret: string, body: string) =>
  createHmac('sha256', secret).update(body).digest('hex');
const answered = (status: number): PostOutcome => ({
  status,
  error: null,
  tookMs: 1,
  answer: '',
  retryAfter: null,
});

test('a delivery is a POST whose raw body is signed with HMAC-SHA256 in lowercase hexadecimal', async () => {
  const receiver = await openReceiver();
  const desk = openDeliveries();
  const { id, secret } = await desk.register(receiver.url);
  desk.note({ pipeline_id: 'p1', title: 'Zoë – “list”', credits_charged: '1.0000' });
  const { headers, body } = await receiver.next();
  const event = JSON.parse(body);
  expect(event).toEqual({
    id: headers['webhook-id'],
    event: 'pipeline.completed',
    created_at: '2026-11-20T10:00:00.000Z',
    data: { pipeline_id: 'p1', title: 'Zoë – “list”', credits_charged: '1.0000' },
  });
  expect(headers['x-service-signature']).toBe(hex(secret, body));
  expect(headers['x-service-signature']).toMatch(/^[0-9a-f]{64}$/);
  expect(headers['x-service-signature']).not.toBe(hex(secret, JSON.stringify(event, null, 1)));
  expect(headers['content-type']).toBe('application/json');
  await desk.settle();
  expect(desk.list(id)[0]).toMatchObject({
    state: 'delivered',
    log: [{ number: 1, status: 200, error: null, excerpt: 'thank you' }],
  });
});

test('the headers of Standard Webhooks are verified by the library of that name', async () => {
  const receiver = await openReceiver();
  const desk = openDeliveries();
  const { secret } = await desk.register(receiver.url);
  desk.state.now = new Date();
  desk.note();
  const { headers, body } = await receiver.next();
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({ event: 'pipeline.completed' });
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
});

test('after a rotation the new secret signs, and for 24 hours also the previous one', async () => {
  const receiver = await openReceiver();
  const desk = openDeliveries();
  const { id, secret: former } = await desk.register(receiver.url);
  desk.state.now = new Date();
  const target = { accountId: desk.account.id, id };
  const { secret } = await desk.calls['webhooks.rotate'](target);
  desk.note();
  const first = await receiver.next();
  expect(first.headers['x-service-signature']).toBe(hex(secret, first.body));
  for (const one of [secret, former]) new Webhook(one).verify(first.body, first.headers);
  await desk.settle();
  desk.state.now = new Date(desk.state.now.getTime() + 23.5 * 60 * 60_000);
  desk.note();
  const second = await receiver.next();
  expect(second.headers['webhook-signature']?.split(' ')).toHaveLength(2);
  await desk.settle();
  desk.state.now = new Date(desk.state.now.getTime() + 0.5 * 60 * 60_000);
  desk.note();
  const later = await receiver.next();
  expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(1);
  vi.useFakeTimers({ now: desk.state.now, toFake: ['Date'] });
  new Webhook(secret).verify(later.body, later.headers);
  vi.useRealTimers();
});

test('eight attempts with one webhook-id, at once and 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h apart', async () => {
  const receiver = await openReceiver();
  receiver.answer = (response) => void response.writeHead(500).end('no');
  const desk = openDeliveries();
  const { id } = await desk.register(receiver.url);
  desk.note();
  await desk.settle();
  for (const [at, delayMs] of webhookRetryDelaysMs.entries()) {
    await desk.pass(delayMs - 1);
    expect(receiver.arrivals).toHaveLength(at + 1);
    await desk.pass(1);
    expect(receiver.arrivals).toHaveLength(at + 2);
  }
  expect(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(
    8,
  );
  expect(desk.list(id)[0]).toMatchObject({ state: 'failed', attempts: 8, dueAt: null });
  await desk.pass(24 * 60 * 60_000);
  expect(receiver.arrivals).toHaveLength(8);
});

test('a redirect is not followed and is a failed attempt', async () => {
  const [receiver, other] = [await openReceiver(), await openReceiver()];
  receiver.answer = (response) => void response.writeHead(302, { location: other.url }).end();
  const desk = openDeliveries();
  const { id } = await desk.register(receiver.url);
  desk.note();
  await desk.settle();
  expect(other.arrivals).toEqual([]);
  expect(desk.list(id)[0]).toMatchObject({ state: 'waiting', log: [{ status: 302 }] });
});

test('410 switches the webhook off, ends waiting deliveries, and prevents new ones until it is resumed', async () => {
  const receiver = await openReceiver();
  receiver.answer = (response) => void response.writeHead(410).end();
  const desk = openDeliveries();
  const { id } = await desk.register(receiver.url);
  desk.note();
  desk.note();
  await desk.settle();
  expect(receiver.arrivals).toHaveLength(1);
  expect(desk.list(id).map(({ state }) => state)).toEqual(['failed', 'failed']);
  expect(desk.note()).toBe(0);
  receiver.answer = (response) => void response.end();
  await desk.calls['webhooks.pause']({ accountId: desk.account.id, id, paused: false });
  expect(desk.note()).toBe(1);
  await desk.settle();
  expect(receiver.arrivals).toHaveLength(2);
});

test('429 waits as long as Retry-After says', async () => {
  const receiver = await openReceiver();
  receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '120' }).end();
  const desk = openDeliveries();
  const { id } = await desk.register(receiver.url);
  desk.note();
  await desk.settle();
  expect(desk.list(id)[0]?.dueAt).toBe('2026-11-20T10:02:00.000Z');
});

test.each([
  ['is down', /refused the connection/],
  ['does not answer', /did not answer/],
  ['closes midway', /closed the connection|ERR_|failed/],
  ['has a certificate for another host', /certificate/],
])('a receiver that %s is retried', async (what, error) => {
  const certificate = what.startsWith('has') ? 'elsewhere' : 'receiver';
  const receiver = await openReceiver({ certificate });
  receiver.answer = (response) => {
    if (what === 'closes midway') response.destroy();
  };
  if (what === 'is down') await receiver.close();
  const desk = openDeliveries(what === 'does not answer' ? { timeoutMs: 300 } : {});
  const { id } = await desk.register(receiver.url);
  desk.note();
  await desk.settle();
  expect(desk.list(id)[0]).toMatchObject({
    state: 'waiting',
    attempts: 1,
    dueAt: '2026-11-20T10:00:05.000Z',
    log: [{ status: null, error: expect.stringMatching(error) }],
  });
  if (certificate === 'elsewhere') expect(receiver.arrivals).toEqual([]);
});

test('first attempts go in order, one at a time, and a delivery that waits for a retry delays none', async () => {
  const receiver = await openReceiver();
  let open = 0;
  let openMax = 0;
  receiver.answer = (response, { body }) => {
    open += 1;
    openMax = Math.max(openMax, open);
    setImmediate(() => {
      open -= 1;
      response.writeHead(JSON.parse(body).data.n === 1 ? 500 : 204).end();
    });
  };
  const desk = openDeliveries();
  const { id } = await desk.register(receiver.url);
  for (const n of [0, 1, 2, 3, 4]) desk.note({ n });
  await desk.settle();
  expect(receiver.arrivals.map(({ body }) => JSON.parse(body).data.n)).toEqual([0, 1, 2, 3, 4]);
  expect(openMax).toBe(1);
  expect(desk.list(id).map(({ state }) => state)).toEqual([
    'delivered',
    'waiting',
    'delivered',
    'delivered',
    'delivered',
  ]);
});

test('several webhooks are served at once, and none waits for a busy one', async () => {
  const under: string[] = [];
  let underMax = 0;
  const desk = openDeliveries({
    async post({ url }) {
      under.push(url);
      underMax = Math.max(underMax, under.length);
      await new Promise((resolve) => setImmediate(resolve));
      under.splice(under.indexOf(url), 1);
      return answered(200);
    },
  });
  const ids: string[] = [];
  for (let at = 0; at < 2 * webhookAttemptsInFlightMax; at += 1)
    ids.push((await desk.register(`https://hooks${at}.example.com/`)).id);
  for (let at = 0; at < 3; at += 1) desk.note();
  await desk.settle();
  expect(underMax).toBe(webhookAttemptsInFlightMax);
  for (const id of ids)
    expect(desk.list(id).map(({ state }) => state)).toEqual(Array(3).fill('delivered'));
});

test('an attempt that is running when the engine ends is repeated with the same id', async () => {
  const receiver = await openReceiver();
  const desk = openDeliveries();
  const { id } = await desk.register(receiver.url);
  receiver.answer = () => undefined;
  desk.note();
  const first = await receiver.next();
  const stopped = desk.stop();
  await receiver.close();
  await stopped;
  expect(desk.list(id)[0]).toMatchObject({ state: 'waiting', attempts: 0, log: [] });
  const again = await openReceiver({ port: receiver.port });
  await desk.restart();
  expect((await again.next()).headers['webhook-id']).toBe(first.headers['webhook-id']);
  expect(desk.list(id)[0]).toMatchObject({ state: 'delivered', attempts: 1 });
});

test('a clock that jumps ahead by days causes one attempt, and the next wait starts there', async () => {
  const desk = openDeliveries({ post: async () => answered(500) });
  const { id } = await desk.register('https://hooks.example.com/');
  desk.note();
  await desk.settle();
  await desk.pass(3 * 24 * 60 * 60_000);
  expect(desk.list(id)[0]).toMatchObject({ attempts: 2, dueAt: '2026-11-23T10:05:00.000Z' });
});

test('a clock that ran ahead and is set back delays no retry by more than its wait', async () => {
  const desk = openDeliveries({ post: async () => answered(500) });
  const { id } = await desk.register('https://hooks.example.com/');
  desk.state.now = new Date('2027-11-20T10:00:00.000Z');
  desk.note();
  await desk.settle();
  expect(desk.list(id)[0]?.dueAt).toBe('2027-11-20T10:00:05.000Z');
  await desk.pass(-365 * 24 * 60 * 60_000);
  expect(desk.list(id)[0]).toMatchObject({ attempts: 1, dueAt: '2026-11-20T10:00:05.000Z' });
  await desk.pass(5_000);
  expect(desk.list(id)[0]).toMatchObject({ attempts: 2 });
});

test('a paused webhook collects events, and sends them in order when it is resumed', async () => {
  const bodies: string[] = [];
  const desk = openDeliveries({
    async post({ body }) {
      bodies.push(JSON.parse(body).data.n);
      return answered(200);
    },
  });
  const { id } = await desk.register('https://hooks.example.com/');
  const target = { accountId: desk.account.id, id };
  await desk.calls['webhooks.pause']({ ...target, paused: true });
  for (const n of [1, 2]) desk.note({ n });
  await desk.settle();
  expect(bodies).toEqual([]);
  await desk.calls['webhooks.pause']({ ...target, paused: false });
  await desk.settle();
  expect(bodies).toEqual([1, 2]);
});

test('an event reaches the subscribed webhooks, each once, and no other account', async () => {
  const urls: string[] = [];
  const desk = openDeliveries({
    async post({ url }) {
      urls.push(url);
      return answered(200);
    },
  });
  await desk.register('https://completed.example.com/');
  await desk.register('https://both.example.com/', ['pipeline.completed', 'pipeline.failed']);
  await desk.register('https://failed.example.com/', ['pipeline.failed']);
  expect(desk.note({}, 'pipeline.failed')).toBe(2);
  await desk.settle();
  expect(urls.sort()).toEqual(['https://both.example.com/', 'https://failed.example.com/']);
});

test('a receiver’s response is stored without the secret and signatures that it may repeat', async () => {
  const receiver = await openReceiver();
  const desk = openDeliveries();
  const { id, secret } = await desk.register(receiver.url);
  receiver.answer = (response, { headers }) =>
    void response.writeHead(400).end(`bad\n${JSON.stringify(headers)} ${secret}`);
  desk.note();
  await desk.settle();
  const [attempt] = desk.list(id)[0]?.log ?? [];
  const { headers } = receiver.arrivals[0]!;
  expect(attempt?.excerpt).toMatch(/^bad .*\[hidden\]/);
  for (const hidden of [secret, headers['x-service-signature']!, headers['webhook-signature']!])
    expect(attempt?.excerpt).not.toContain(hidden);
});

test('a webhook deleted during an attempt leaves nothing behind', async () => {
  const sent = Promise.withResolvers<PostOutcome>();
  const desk = openDeliveries({ post: () => sent.promise });
  const { id } = await desk.register('https://hooks.example.com/');
  desk.note();
  await new Promise((resolve) => setImmediate(resolve));
  await desk.calls['webhooks.remove']({ accountId: desk.account.id, id });
  sent.resolve(answered(200));
  await desk.settle();
  for (const table of ['webhook', 'webhook_event', 'webhook_delivery', 'webhook_attempt'])
    expect(desk.database.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
});

test('a webhook whose secret cannot be decrypted rests for a minute, and delays no other', async () => {
  const urls: string[] = [];
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const desk = openDeliveries({
    async post({ url }) {
      urls.push(url);
      return answered(200);
    },
  });
  const { id } = await desk.register('https://sealed.example.com/');
  await desk.register('https://other.example.com/');
  const secretOf = desk.database.prepare('SELECT secret FROM webhook WHERE id = ?').pluck();
  const setSecret = desk.database.prepare('UPDATE webhook SET secret = ? WHERE id = ?');
  const secret = secretOf.get(id);
  setSecret.run(Buffer.alloc(100), id);
  desk.note();
  await desk.settle();
  expect(urls).toEqual(['https://other.example.com/']);
  expect(desk.list(id)[0]).toMatchObject({ state: 'waiting', attempts: 0, log: [] });
  setSecret.run(secret, id);
  await desk.pass(failedWorkRestMs - 1);
  expect(urls).toHaveLength(1);
  await desk.pass(1);
  expect(urls[1]).toBe('https://sealed.example.com/');
  // The app shows the reason, so it is not logged as a bug.
  expect(log.mock.calls.filter(([line]) => /bug|failed/.test(String(line)))).toEqual([]);
});

test('an answer that cannot be recorded on a full disk is recorded later, without a second post', async () => {
  const posted: number[] = [];
  const desk = openDeliveries({
    async post({ body }) {
      posted.push(JSON.parse(body).data.n);
      return { ...answered(200), answer: 'thank you '.repeat(50) };
    },
  });
  const { id } = await desk.register('https://hooks.example.com/');
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  const pages = desk.database.pragma('page_count', { simple: true });
  for (const n of numbers) desk.note({ n });
  desk.database.pragma(`max_page_count = ${pages}`);
  await desk.settle();
  const delivered = desk.list(id).filter(({ state }) => state === 'delivered');
  expect(delivered.length).toBeLessThan(numbers.length);
  expect(posted).toHaveLength(delivered.length + 1);
  desk.database.pragma('max_page_count = 1000000');
  await desk.pass(storageRetryMs);
  expect(posted).toEqual(numbers);
  expect(new Set(desk.list(id).map(({ state, log }) => `${state} ${log.length}`))).toEqual(
    new Set(['delivered 1']),
  );
});
