// Authentication by keys, the app's session, the local socket and one-time links; and the rate
// limit.
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { openLinkKeptMs } from '../../engine/contract/limits/http-server.ts';
import { expectRefusal, openApiDesk, sessionToken, shareApiDesk } from './open-api-desk.ts';

const openDesk = shareApiDesk();

const paths = ['layers/', '/api/v1/enrichment/layers/'];

test.each(['Token', 'Bearer', 'token', 'bearer'])(
  'Authentication 1: Authorization: %s KEY is accepted',
  async (scheme) => {
    const desk = await openDesk();
    const headers = { authorization: `${scheme} ${desk.key}` };
    for (const path of paths)
      expect((await desk.call('GET', path, { key: null, headers })).status).toBe(200);
  },
);

test.each([
  ['no header', null],
  ['an empty header', ''],
  ['a scheme alone', 'Token'],
  ['the key alone', (key: string) => key],
  ['another scheme', (key: string) => `Basic ${key}`],
  ['a key that is too short', (key: string) => `Token ${key.slice(0, -1)}`],
  ['a key with something behind it', (key: string) => `Token ${key} x`],
  ['a key of the other environment', (key: string) => `Token ${key.replace('live', 'test')}`],
  ['an unknown key', 'Token sk_live_unknown'],
])('Authentication 1: %s is 401', async (_what, header) => {
  const desk = await openDesk();
  const value = typeof header === 'function' ? header(desk.key) : header;
  const headers: Record<string, string> = value === null ? {} : { authorization: value };
  for (const path of [...paths, 'jobs/', 'status/x/']) {
    const answer = await desk.call('GET', path, { key: null, headers });
    expectRefusal(answer, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Token');
  }
});

test('Authentication 1: a revoked key is 401 at once', async () => {
  const desk = await openDesk();
  const { data } = await desk.app('POST', 'keys', { json: { label: 'short-lived' } });
  expect((await desk.call('GET', 'layers/', { key: data.key })).status).toBe(200);
  expect((await desk.app('DELETE', `keys/${data.id}`)).data.revoked_at).toEqual(expect.any(String));
  expectRefusal(await desk.call('GET', 'layers/', { key: data.key }), 'unauthorized');
});

test('the use of a key is recorded', async () => {
  const desk = await openDesk();
  await desk.call('GET', 'layers/');
  const [key] = (await desk.app('GET', 'keys')).data;
  expect(key.last_used_at).toEqual(expect.any(String));
});

test('the app’s session opens REST and /app/v1; a wrong one, or a key, opens nothing of the app', async () => {
  const desk = await openDesk();
  const own = { 'x-desk-session': sessionToken };
  expect((await desk.call('GET', 'layers/', { key: null, headers: own })).status).toBe(200);
  expect((await desk.app('GET', 'wallet')).status).toBe(200);
  for (const wrong of ['', 'x', `${sessionToken}x`]) {
    const headers = { 'x-desk-session': wrong };
    expectRefusal(await desk.app('GET', 'wallet', { headers }), 'unauthorized');
    expectRefusal(await desk.call('GET', 'layers/', { key: null, headers }), 'unauthorized');
  }
  expectRefusal(await desk.call('GET', '/app/v1/wallet'), 'unauthorized');
});

test('X-Desk-Account selects the app’s account; the first account is the default', async () => {
  const desk = await openDesk();
  const other = (await desk.app('POST', 'accounts', { json: { name: 'Other' } })).data;
  const headers = { 'x-desk-account': other.id };
  expect((await desk.app('GET', 'wallet', { headers })).data.available).toBe('0.0000');
  expect((await desk.app('GET', 'wallet')).data.available).toBe('100000.0000');
  for (const id of ['x', '00000000-0000-4000-8000-000000000000'])
    expectRefusal(
      await desk.app('GET', 'wallet', { headers: { 'x-desk-account': id } }),
      'not_found',
    );
});

test('the local socket needs no key, no session and no Host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'desk-socket-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const socketPath = join(folder, 's');
  await openApiDesk({ socketPath, port: null });
  for (const path of ['/app/v1/wallet', '/api/v1/data-enrichment/layers/']) {
    const answer = await new Promise((resolve, reject) => {
      request({ socketPath, path, headers: { host: 'anything' } }, (found) => resolve(json(found)))
        .on('error', reject)
        .end();
    });
    expect(answer).toMatchObject({ success: true });
  }
});

test('a one-time link opens the app’s session, once, within five minutes', async () => {
  let nowMs = 0;
  const desk = await openApiDesk({ now: () => nowMs });
  const redeem = (link: string) =>
    desk.call('POST', '/app/v1/session', { key: null, json: { code: link.split('#open=')[1] } });
  const link = desk.openUrl();
  expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#open=[\w-]{43}$/);
  expect((await redeem(link)).data).toEqual({ token: expect.stringMatching(/^[\w-]{43}$/) });
  expectRefusal(await redeem(link), 'unauthorized', /link has expired or was already used/);
  const late = desk.openUrl();
  nowMs += openLinkKeptMs;
  expectRefusal(await redeem(late), 'unauthorized');
});

test('no number of guesses keeps the owner’s link from opening the session', async () => {
  const desk = await openDesk();
  const redeem = (code: string) =>
    desk.call('POST', '/app/v1/session', { key: null, json: { code } });
  const link = desk.openUrl();
  for (let tries = 0; tries < 100; tries += 1)
    expectRefusal(await redeem(`guess ${tries}`), 'unauthorized');
  expect((await redeem(link.split('#open=')[1] ?? '')).status).toBe(200);
});

const limits = (headers: Headers) =>
  ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => headers.get(name));

test('60 requests per key in any 60 seconds, over every REST route together', async () => {
  let nowMs = 1_000_000;
  const desk = await openApiDesk({ now: () => nowMs });
  const routes = ['layers/', 'jobs/?limit=1', '/api/v1/enrichment/jobs', 'status/x/', 'result/x/'];
  for (let made = 1; made <= 60; made += 1) {
    const answer = await desk.call('GET', routes[made % routes.length] ?? '');
    expect(limits(answer.headers)).toEqual(['60', `${60 - made}`, '60']);
  }
  nowMs += 59_999;
  const over = await desk.call('GET', 'layers/');
  expectRefusal(over, 'rate_limited');
  expect(limits(over.headers)).toEqual(['60', '0', '1']);
  expect(over.headers.get('retry-after')).toBe('1');
  const other = await desk.app('POST', 'keys', { json: { label: 'second' } });
  expect((await desk.call('GET', 'layers/', { key: other.data.key })).status).toBe(200);
  nowMs += 1;
  expect(limits((await desk.call('GET', 'layers/')).headers)).toEqual(['60', '59', '60']);
});

test('the app’s own session has no rate limit', async () => {
  const desk = await openApiDesk({ now: () => 0 });
  const headers = { 'x-desk-session': sessionToken };
  for (let made = 0; made <= 60; made += 1) {
    const answer = await desk.call('GET', 'layers/', { key: null, headers });
    expect(answer.status).toBe(200);
    expect(limits(answer.headers)).toEqual([null, null, null]);
  }
});
