// Direct lookup: "Authentication", 3, and every row of "Errors, Direct lookup", in its own format.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { EngineError, type ErrorCode } from '../../engine/contract/errors.ts';
import { profileUrlCharactersMax } from '../../engine/contract/limits/jobs.ts';
import { expectRefusal, sessionToken } from '../http/open-api-desk.ts';
import {
  ada,
  expectLookupRefusal,
  type LookupDesk,
  openLookupDesk,
  shareLookupDesk,
} from './lookup-desk.ts';

const openDesk = shareLookupDesk({ uiDir: import.meta.dirname });

const kinds = ['phone', 'email'] as const;
const json = { profile_url: ada };

const wrongQueries: readonly [what: string, query: (key: string) => string][] = [
  ['no token', () => ''],
  ['an empty token', () => '?token='],
  ['an unknown token', () => '?token=sk_live_unknown'],
  ['a token with something behind it', (key) => `?token=${key}x`],
  ['a token of the other environment', (key) => `?token=${key.replace('live', 'test')}`],
  ['a token of another name', (key) => `?Token=${key}`],
  ['a scheme before the token', (key) => `?token=Token%20${key}`],
  ['a token that is given twice', (key) => `?token=${key}&token=${key}`],
  ['a token in brackets', (key) => `?token[]=${key}`],
];

test.each(kinds)('%s: 401 invalid or missing token', async (kind) => {
  const desk = await openDesk();
  for (const [what, query] of wrongQueries)
    for (const slash of ['', '/']) {
      const path = `/${kind}/enrichment${slash}${query(desk.key)}`;
      const answer = await desk.call('POST', path, { key: null, json });
      expectLookupRefusal(answer, 401, /\?token=<API_TOKEN>/, what);
      expect(answer.headers.get('www-authenticate')).toBe('Token in="query", name="token"');
    }
});

test('401 with a revoked key, at once', async () => {
  const desk = await openDesk();
  const { data } = await desk.app('POST', 'keys', { json: { label: 'short-lived' } });
  expect((await desk.lookUp('email', ada, { token: data.key })).status).toBe(200);
  await desk.app('DELETE', `keys/${data.id}`);
  expectLookupRefusal(await desk.lookUp('email', ada, { token: data.key }), 401);
});

test('neither the Authorization header nor the app’s session replaces the token', async () => {
  const desk = await openDesk();
  for (const headers of [
    { authorization: `Token ${desk.key}` },
    { authorization: `Bearer ${desk.key}` },
    { 'x-desk-session': sessionToken },
  ] as Record<string, string>[])
    expectLookupRefusal(await desk.lookUp('phone', ada, { token: null, headers }), 401);
});

test('the token is refused in the other areas', async () => {
  const desk = await openDesk();
  for (const path of ['/api/v1/data-enrichment/layers/', '/app/v1/wallet'])
    expectRefusal(
      await desk.call('GET', `${path}?token=${desk.key}`, { key: null }),
      'unauthorized',
    );
});

const broken: readonly [what: string, options: Parameters<LookupDesk['lookUp']>[2]][] = [
  ['no body', { body: '' }],
  ['an empty object', { json: {} }],
  ['null', { json: { profile_url: null } }],
  ['a number', { json: { profile_url: 7 } }],
  ['a list', { json: { profile_url: [ada] } }],
  ['a body that is a list', { json: [ada] }],
  ['a body that is a string', { json: ada }],
  ['an empty string', { json: { profile_url: '  ' } }],
  ['no web address', { json: { profile_url: 'Ada Lovelace' } }],
  ['another scheme', { json: { profile_url: 'ftp://people.example/ada' } }],
  ['too long an address', { json: { profile_url: ada + 'a'.repeat(profileUrlCharactersMax) } }],
  ['broken JSON', { body: '{"profile_url"', headers: { 'content-type': 'application/json' } }],
  ['a poisoned key', { body: '{"__proto__":1}', headers: { 'content-type': 'application/json' } }],
  ['a form', { form: { profile_url: ada } }],
  ['an HTML form', { body: new URLSearchParams(json) }],
  ['plain text', { body: ada }],
  ['another content type', { body: '<a/>', headers: { 'content-type': 'text/xml' } }],
];

test.each(kinds)('%s: 400 missing or invalid parameters in the body', async (kind) => {
  const desk = await openDesk();
  const words = /^(profile_url: |The body is no|This Content-Type|Invalid input)/;
  for (const [what, options] of broken)
    expectLookupRefusal(await desk.lookUp(kind, null, options), 400, words, what);
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});

test('401 precedes 400: without a token nothing is said about the body', async () => {
  const desk = await openDesk();
  for (const [what, options] of broken) {
    const answer = await desk.lookUp('phone', null, { ...options, token: 'wrong' });
    expectLookupRefusal(answer, 401, /token/, what);
  }
});

test('404 resource or endpoint does not exist: unknown paths and methods, never 405', async () => {
  const desk = await openDesk();
  for (const [method, path] of [
    ['GET', '/phone/enrichment/'],
    ['PUT', '/phone/enrichment'],
    ['PATCH', '/email/enrichment/'],
    ['DELETE', '/email/enrichment'],
    ['OPTIONS', '/email/enrichment/'],
    ['PROPFIND', '/email/enrichment/'],
    ['POST', '/phone'],
    ['POST', '/phone/'],
    ['POST', '/email/enrichment/more/'],
    ['POST', '/phone/%zz/'],
    ['GET', '/phone/enrichment/index.html'],
    ['POST', '/staging/phone/nothing/'],
    ['POST', `/phone/${'x'.repeat(3_000)}/`],
  ] as const)
    for (const query of ['', `?token=${desk.key}`]) {
      const answer = await desk.call(method, path + query, { key: null });
      expectLookupRefusal(answer, 404, /.{10}/, `${method} ${path}`);
      expect(answer.text).not.toContain(desk.key);
    }
});

test('other paths are not lookups: 404 in the envelope', async () => {
  const desk = await openDesk();
  for (const path of ['/phones/enrichment/', '/emailing', '/api/v1/phone/enrichment/'])
    expectRefusal(await desk.call('POST', path), 'not_found');
});

test.each<[ErrorCode, number]>([
  ['upstream_error', 500],
  ['read_only', 500],
  ['unavailable', 500],
  ['internal_error', 500],
  ['upstream_insufficient_credits', 402],
])('%s is %i here', async (code, status) => {
  const desk = await openLookupDesk();
  desk.environment.writer.unlock = async () => {
    throw new EngineError(code, 'This is what happened. This is what to do.');
  };
  const words = /^(This is what happened|The disk of .* is full)/;
  expectLookupRefusal(await desk.lookUp('phone', ada), status, words);
});

test('500 unexpected server error: an id, and no internals', async () => {
  const desk = await openLookupDesk();
  desk.environment.writer.unlock = async () => {
    throw new TypeError('secret internals');
  };
  const answer = await desk.lookUp('phone', ada);
  expectLookupRefusal(answer, 500, /search for [0-9a-f-]{36} in the engine's log/);
  expect(answer.text).not.toContain('secret');
});

test('429 over the rate limit of the key, which counts lookups with every other route', async () => {
  let nowMs = 1_000_000;
  const desk = await openLookupDesk({ now: () => nowMs });
  for (let made = 0; made < 60; made += 1) {
    const answer = made % 2 ? await desk.call('GET', 'layers/') : await desk.lookUp('email', ada);
    expect([answer.status, answer.headers.get('ratelimit-remaining')]).toEqual([
      200,
      `${59 - made}`,
    ]);
  }
  nowMs += 20_000;
  const over = await desk.lookUp('phone', ada);
  expectLookupRefusal(over, 429);
  const names = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
  expect(names.map((name) => over.headers.get(name))).toEqual(['40', '60', '0', '40']);
  expect(await desk.readWallet()).toBe('99999.0000 1.0000');
  nowMs += 40_000;
  expect((await desk.lookUp('phone', ada)).status).toBe(200);
});

/** A lookup with headers that fetch would not send. */
const sendRaw = (desk: LookupDesk, headers: Record<string, string>) =>
  new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const { port } = new URL(desk.url);
    const options = {
      host: '127.0.0.1',
      port,
      method: 'POST',
      path: `/phone/enrichment/?token=${desk.key}`,
      headers: { host: `127.0.0.1:${port}`, 'content-type': 'application/json', ...headers },
    };
    request(options, async (answer) =>
      resolve({ status: answer.statusCode ?? 0, body: JSON.parse(await text(answer)) }),
    )
      .on('error', reject)
      .end(JSON.stringify(json));
  });

test.each([
  ['a rebound name', { host: 'evil.example' }],
  ['a foreign page', { origin: 'http://evil.example' }],
])('403 for %s, with a valid token too', async (_what, headers) => {
  const desk = await openDesk();
  expect(await sendRaw(desk, headers as Record<string, string>)).toEqual({
    status: 403,
    body: { status: 'error', message: expect.any(String), code: 403 },
  });
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});
