// Webhooks over HTTP, for API clients and for the app.
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import {
  type Answer,
  type CallOptions,
  type Desk,
  expectRefusal,
  openApiDesk,
  shareApiDesk,
} from '../http/open-api-desk.ts';

const openDesk = shareApiDesk();

const path = '/api/v1/webhooks/';
const valid = { url: 'https://hooks.example.com/desk', events: ['pipeline.completed'] };
const register = (desk: Desk, json: object = valid): Promise<Answer> =>
  desk.call('POST', path, { json });

/** All routes of one webhook, and of one of its deliveries. */
const listTouches = (id: string, delivery: string): [string, string, CallOptions?][] => [
  ['GET', `${id}/`],
  ['PATCH', `${id}/`, { json: { paused: true } }],
  ['POST', `${id}/rotate/`],
  ['POST', `${id}/test/`],
  ['GET', `${id}/deliveries/`],
  ['GET', `${id}/deliveries/${delivery}/`],
  ['POST', `${id}/deliveries/${delivery}/send-again/`],
  ['DELETE', `${id}/`],
];

test('a webhook is registered: 201 with its id, events and a secret that is shown once', async () => {
  const desk = await openDesk();
  const { status, data } = await register(desk, {
    ...valid,
    events: ['pipeline.failed', 'pipeline.completed', 'pipeline.failed'],
  });
  expect(status).toBe(201);
  expect(data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    url: valid.url,
    events: ['pipeline.failed', 'pipeline.completed'],
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    created_at: expect.stringMatching(/Z$/),
  });
  const listed = await desk.call('GET', path);
  const { secret, ...shown } = data;
  expect(listed.body).toEqual({
    success: true,
    data: { count: 1, next: null, previous: null, results: [{ ...shown, last_delivery: null }] },
  });
  expect(listed.text).not.toContain(secret);
});

test('its address is stored and shown in its normal form', async () => {
  const desk = await openDesk();
  const { data } = await register(desk, { ...valid, url: ' https://Hooks.example.com/a\r\nb c ' });
  expect(data.url).toBe('https://hooks.example.com/ab%20c');
  expect((await desk.call('GET', path)).data.results[0].url).toBe(data.url);
});

test('the secret is stored encrypted: its row has no trace of it', async () => {
  const desk = await openDesk();
  const { data } = await register(desk);
  const { secret } = desk.environment.database.prepare('SELECT secret FROM webhook').get() as {
    secret: Buffer;
  };
  expect(secret.includes(data.secret)).toBe(false);
  expect(secret.includes(Buffer.from(data.secret.slice(6), 'base64'))).toBe(false);
});

test.each([
  [{ events: ['pipeline.completed'] }, /^url: /],
  [{ url: valid.url }, /^events: /],
  [{ ...valid, events: [] }, /^events: /],
  [{ ...valid, events: ['job.started'] }, /^events\[0\]: /],
  [{ ...valid, events: 'pipeline.completed' }, /^events: /],
  [{ ...valid, url: 'http://hooks.example.com/' }, /^url: .*https/],
  [{ ...valid, url: 'https://10.0.0.1/' }, /^url: .*public internet/],
  [{ ...valid, url: `https://hooks.example.com/${'x'.repeat(2_048)}` }, /^url: /],
])('%j is a validation_error that names the place', async (json, detail) => {
  const desk = await openDesk();
  expectRefusal(await register(desk, json), 'validation_error', detail);
  expect((await desk.call('GET', path)).data.count).toBe(0);
});

test('webhooks of another account are not listed, deleted or changed, by the app either', async () => {
  const desk = await openDesk();
  const { id } = (await register(desk)).data;
  const other = (await desk.app('POST', 'accounts', { json: { name: 'Other' } })).data.id;
  const headers = { 'x-desk-account': other };
  const { key } = (await desk.app('POST', 'keys', { json: { label: 'other' }, headers })).data;
  expect((await desk.call('GET', path, { key })).data.count).toBe(0);
  for (const [method, below, options] of listTouches(id, '1')) {
    expectRefusal(await desk.call(method, path + below, { ...options, key }), 'not_found');
    const asApp = await desk.app(method, `webhooks/${below}`, { ...options, headers });
    expectRefusal(asApp, 'not_found');
  }
  expect((await desk.call('GET', path)).data.results).toMatchObject([{ id, last_delivery: null }]);
});

test('a key is required, and pages are linked', async () => {
  const desk = await openDesk();
  for (const [method, below, options] of [['GET', ''] as const, ...listTouches('x', '1')])
    expectRefusal(await desk.call(method, path + below, { ...options, key: null }), 'unauthorized');
  for (let made = 0; made < 3; made += 1)
    await register(desk, { ...valid, url: `https://hooks.example.com/${made}` });
  const page = await desk.call('GET', `${path}?limit=1&offset=1`);
  expect(page.data).toMatchObject({
    count: 3,
    next: expect.stringContaining('offset=2'),
    previous: expect.stringContaining('offset=0'),
    results: [{ url: 'https://hooks.example.com/1' }],
  });
  expectRefusal(await desk.call('GET', `${path}?limit=0`), 'validation_error', /limit/);
});

test('an account has at most 100 webhooks', async () => {
  const desk = await openDesk();
  const { accountId, environment } = desk;
  const { url } = valid;
  for (let made = 0; made < 100; made += 1)
    await environment.writer['webhooks.register']({ accountId, url, events: ['pipeline.failed'] });
  expectRefusal(await register(desk), 'validation_error', /at most 100/);
});

test('private hosts are allowed by name, per account', async () => {
  const desk = await openDesk();
  const intra = { ...valid, url: 'https://127.0.0.1:9000/' };
  expectRefusal(await register(desk, intra), 'validation_error', /public internet/);
  const wrong = await desk.app('PUT', 'webhook-hosts', { json: { hosts: ['https://x/'] } });
  expectRefusal(wrong, 'validation_error', /^hosts\[0\]/);
  const hosts = { hosts: ['127.0.0.1', 'intra.corp'] };
  expect((await desk.app('PUT', 'webhook-hosts', { json: hosts })).data).toEqual(hosts);
  expect((await desk.app('GET', 'webhook-hosts')).data).toEqual(hosts);
  expect((await register(desk, intra)).status).toBe(201);
});

/** A request for one webhook with a key, and by the app, which use the same handlers. */
const clients = Object.entries({
  'a key': (desk: Desk, method: string, below: string, options?: CallOptions) =>
    desk.call(method, path + below, options),
  'the app': (desk: Desk, method: string, below: string, options?: CallOptions) =>
    desk.app(method, `webhooks/${below}`, options),
});

test.each(clients)('by %s a webhook is registered, read and deleted', async (_who, ask) => {
  const desk = await openDesk();
  const made = await ask(desk, 'POST', '', { json: valid });
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.data;
  const { data, text } = await ask(desk, 'GET', `${shown.id}/`);
  expect(data).toEqual({
    ...shown,
    last_delivery: null,
    state: 'active',
    waiting: 0,
    rotated_until: null,
    problem: null,
  });
  expect(text).not.toContain(secret);
  const gone = await ask(desk, 'DELETE', `${shown.id}/`);
  expect(gone.data).toEqual({ id: shown.id, deleted: true });
  expectRefusal(await ask(desk, 'GET', `${shown.id}/`), 'not_found');
});

test.each(clients)('by %s a test event waits, also when sent again', async (_who, ask) => {
  const desk = await openDesk();
  const { id } = (await register(desk)).data;
  const sent = await ask(desk, 'POST', `${id}/test/`);
  expect(sent.status).toBe(202);
  expect(sent.data).toMatchObject({ event: 'webhook.test', state: 'waiting', attempts: [] });
  const again = await ask(desk, 'POST', `${id}/deliveries/${sent.data.id}/send-again/`);
  expect(again.status).toBe(202);
  expect(again.data).toEqual({ ...sent.data, due_at: again.data.due_at });
  expect((await ask(desk, 'GET', `${id}/deliveries/${sent.data.id}/`)).data).toEqual(again.data);
  const { data } = await ask(desk, 'GET', `${id}/`);
  expect(data).toMatchObject({ waiting: 1, last_delivery: { status: 'waiting', attempts: 0 } });
});

test.each(clients)('by %s deliveries are paged by id, and filtered by state', async (_who, ask) => {
  const desk = await openDesk();
  const { id } = (await register(desk)).data;
  const sent = [];
  for (let made = 0; made < 3; made += 1)
    sent.unshift((await ask(desk, 'POST', `${id}/test/`)).data);
  const list = (query: string) => ask(desk, 'GET', `${id}/deliveries/?${query}`);
  const first = (await list('limit=2')).data;
  expect(first).toEqual({ results: sent.slice(0, 2), next_before: sent[1].id });
  const last = (await list(`limit=2&before=${first.next_before}`)).data;
  expect(last).toEqual({ results: sent.slice(2), next_before: null });
  expect((await list('limit=3&state=waiting')).data).toEqual({
    results: sent,
    next_before: null,
  });
  expect((await list('state=failed')).data).toEqual({ results: [], next_before: null });
  for (const wrong of ['limit=0', 'limit=1001', 'before=0', 'state=sent'])
    expectRefusal(await list(wrong), 'validation_error', new RegExp(`^${wrong.split('=')[0]}: `));
});

test.each(clients)(
  'by %s a paused webhook sends nothing until it is resumed',
  async (_who, ask) => {
    const desk = await openDesk();
    const { id } = (await register(desk)).data;
    const sent = (await ask(desk, 'POST', `${id}/test/`)).data;
    const pause = (paused: unknown) => ask(desk, 'PATCH', `${id}/`, { json: { paused } });
    expect((await pause(true)).data).toMatchObject({ id, state: 'paused', waiting: 1 });
    for (const below of ['test/', `deliveries/${sent.id}/send-again/`])
      expectRefusal(await ask(desk, 'POST', `${id}/${below}`), 'validation_error', /Resume/);
    expect((await pause(false)).data.state).toBe('active');
    expect((await ask(desk, 'POST', `${id}/test/`)).status).toBe(202);
    expectRefusal(await pause('yes'), 'validation_error', /^paused: /);
    expectRefusal(
      await ask(desk, 'PATCH', `${id}/`, { json: {} }),
      'validation_error',
      /^paused: /,
    );
  },
);

test.each(clients)('by %s a webhook that is off is resumed, and not paused', async (_who, ask) => {
  const desk = await openApiDesk();
  const { id } = (await register(desk)).data;
  const file = new Database(`${desk.environment.folder}/engine.db`);
  file.prepare("UPDATE webhook SET state = 'off'").run();
  file.close();
  const pause = (paused: boolean) => ask(desk, 'PATCH', `${id}/`, { json: { paused } });
  expect((await pause(true)).data).toMatchObject({
    state: 'off',
    problem: expect.stringMatching(/410 Gone. Resume it/),
  });
  expect((await pause(false)).data).toMatchObject({ state: 'active', problem: null });
});

test.each(clients)('by %s a rotation shows the new secret once', async (_who, ask) => {
  const desk = await openDesk();
  const { id, secret } = (await register(desk)).data;
  const { data } = await ask(desk, 'POST', `${id}/rotate/`);
  expect(Object.keys(data)).toEqual(['secret', 'previous_until']);
  expect(data.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(data.secret).not.toBe(secret);
  const hours = (Date.parse(data.previous_until) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const shown = await ask(desk, 'GET', `${id}/`);
  expect(shown.data).toMatchObject({ rotated_until: data.previous_until, problem: null });
  expect(shown.text).not.toContain('whsec_');
});

test.each(clients)('by %s unknown and malformed ids are 404', async (_who, ask) => {
  const desk = await openDesk();
  const { id } = (await register(desk)).data;
  const other = (await register(desk)).data.id;
  const theirs = (await ask(desk, 'POST', `${other}/test/`)).data.id;
  const unknown = '00000000-0000-4000-8000-000000000000';
  const json = { paused: true };
  for (const wrong of [unknown, 'nonsense'])
    for (const touch of listTouches(wrong, '1'))
      expectRefusal(await ask(desk, ...touch), 'not_found');
  for (const delivery of [theirs, 999, 0, -1, 'x', '1e0', '0x1', '%20', '1'.repeat(20)])
    for (const [method, below] of [
      ['GET', `${id}/deliveries/${delivery}/`],
      ['POST', `${id}/deliveries/${delivery}/send-again/`],
    ] as const)
      expectRefusal(await ask(desk, method, below), 'not_found');
  expectRefusal(await ask(desk, 'PUT', `${id}/`, { json }), 'not_found');
  expect((await ask(desk, 'GET', `${id}/deliveries/`)).data.results).toEqual([]);
});

test('the app receives the location of the encryption key', async () => {
  const desk = await openDesk();
  const { data } = await desk.app('GET', 'secret-key');
  expect(data).toMatchObject({ place: 'file', detail: expect.stringContaining('engine.key') });
});

test('a secret whose key is missing here is reported, and can be rotated', async () => {
  const desk = await openApiDesk();
  const { id } = (await register(desk)).data;
  const elsewhere = await openApiDesk();
  await register(elsewhere);
  const { secret } = elsewhere.environment.database.prepare('SELECT secret FROM webhook').get() as {
    secret: Buffer;
  };
  const file = new Database(`${desk.environment.folder}/engine.db`);
  file.prepare('UPDATE webhook SET secret = ?').run(secret);
  file.close();
  const problem = async () => (await desk.app('GET', 'webhooks')).data[0].problem;
  expect(await problem()).toMatch(/Rotate the secret/);
  await desk.app('POST', `webhooks/${id}/rotate`);
  expect(await problem()).toBeNull();
});
