// "Login is by an external identity provider or by email and password": email and password.
import { scryptSync } from 'node:crypto';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { listAccounts } from '../../engine/accounts/account.table.ts';
import { putLogin } from '../../engine/accounts/login.table.ts';
import type { ServerConfig } from '../../engine/app/server-context.ts';
import {
  loginDelayMaxMs,
  loginDelayMinMs,
  loginFreeTries,
  loginWindowMs,
} from '../../engine/contract/limits/accounts.ts';
import { type OauthDesk, openOauthDesk, secretOf } from './open-oauth-desk.ts';

const email = 'Ann@Example.test';
const password = 'correct horse';

/** A stored password with the lowest cost. A hash contains its cost. */
function hashCheaply(text: string): string {
  const salt = Buffer.alloc(16, 'salt');
  const hash = scryptSync(text, salt, 32, { N: 2 ** 8, r: 8, p: 1 });
  return ['scrypt', 8, 8, 1, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

async function openWithLogin(config: Partial<ServerConfig> = {}): Promise<OauthDesk> {
  const desk = await openOauthDesk(config);
  const { folder, database } = desk.environment;
  const writable = new Database(join(folder, 'engine.db'));
  putLogin(writable as Parameters<typeof putLogin>[0], {
    accountId: listAccounts(database)[0]?.id ?? 0,
    email: email.toLowerCase(),
    passwordHash: hashCheaply(password),
    setAt: new Date().toISOString(),
  });
  writable.close();
  return desk;
}

async function logIn(desk: OauthDesk, fields: Record<string, string>, transaction?: string) {
  const secret = transaction ?? secretOf(await desk.authorize());
  return desk.post('/oauth/authorize', { transaction: secret, action: 'allow', ...fields });
}

test('email and password allow the client and issue a key of their account', async () => {
  const desk = await openOauthDesk();
  const set = await desk.app('PUT', 'login', { json: { email, password } });
  expect(set.data).toEqual({ email: 'ann@example.test', set_at: expect.any(String) });
  const answer = await logIn(desk, { email: ' ANN@example.test', password });
  expect([answer.status, answer.sentTo]).toEqual([
    303,
    { code: expect.any(String), state: 'a state', iss: desk.url },
  ]);
  const { body } = await desk.redeem(answer.sentTo?.code ?? '');
  expect(await desk.tryKey(body.access_token)).toBe(200);
  expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
});

test.each([
  ['no number', { cap_per_day: 'much' }, 'Credits a day: send an amount'],
  ['below 0', { cap_per_month: '-1' }, 'Credits a month: send an amount'],
  ['more precise than credits', { cap_per_day: '0.00001' }, 'Credits a day: send an amount'],
  ['too long', { cap_per_month: '9'.repeat(39) }, 'Credits a month: send an amount'],
])('a cap that is %s is reported, and the client keeps waiting', async (_what, caps, said) => {
  const desk = await openWithLogin();
  const transaction = secretOf(await desk.authorize());
  const refused = await logIn(desk, { email, password, ...caps }, transaction);
  expect([refused.status, refused.location]).toEqual([400, null]);
  expect(refused.text).toContain(said);
  expect(refused.text).toContain(`value="${Object.values(caps)[0]}"`);
  expect((await logIn(desk, { email, password }, transaction)).status).toBe(303);
});

test('the waiting page is not redirected a second time', async () => {
  const desk = await openWithLogin();
  const transaction = secretOf(await desk.authorize());
  const waiting = desk.post('/oauth/wait', { transaction });
  expect((await logIn(desk, { email, password }, transaction)).status).toBe(303);
  expect((await waiting).body).toEqual({ state: 'gone', location: null });
});

test('the login of an account issues keys of that account', async () => {
  const desk = await openWithLogin();
  const { data: account } = await desk.app('POST', 'accounts', { json: { name: 'Sales' } });
  const headers = { 'x-desk-account': account.id };
  const json = { email: 'bob@example.test', password: 'battery staple' };
  const taken = await desk.app('PUT', 'login', { json: { ...json, email }, headers });
  expect([taken.status, taken.body.error]).toEqual([400, 'validation_error']);
  await desk.app('PUT', 'login', { json, headers });
  const answer = await logIn(desk, json);
  await desk.redeem(answer.sentTo?.code ?? '');
  expect((await desk.app('GET', 'connections', { headers })).data).toHaveLength(1);
  expect((await desk.app('GET', 'connections')).data).toEqual([]);
});

test.each([
  ['a wrong password', { email, password: 'wrong horse' }],
  ['an unknown email', { email: 'bob@example.test', password }],
  ['an empty password', { email, password: '' }],
  ['nothing', {}],
])('%s is refused in the same way, and the page can be used again', async (_what, fields) => {
  const desk = await openWithLogin();
  const transaction = secretOf(await desk.authorize());
  const answer = await logIn(desk, fields, transaction);
  expect([answer.status, answer.location]).toEqual([401, null]);
  expect(answer.text).toContain('Email or password is wrong.');
  expect(answer.text).not.toContain('wrong horse');
  expect((await logIn(desk, { email, password }, transaction)).status).toBe(303);
});

test('wrong passwords never lock the owner out: they are delayed, not refused', async () => {
  const delays: number[] = [];
  const desk = await openWithLogin({ delay: async (ms) => void delays.push(ms) });
  for (let count = 0; count < 3 * loginFreeTries; count += 1)
    expect((await logIn(desk, { email, password: `guess ${count}` })).status).toBe(401);
  expect((await logIn(desk, { email, password })).status).toBe(303);
  expect(delays.slice(0, 3)).toEqual([loginDelayMinMs, 2 * loginDelayMinMs, 4 * loginDelayMinMs]);
  expect(Math.max(...delays)).toBe(loginDelayMaxMs);
  desk.clock.ms += loginWindowMs;
  const before = delays.length;
  expect((await logIn(desk, { email, password })).status).toBe(303);
  expect(delays.length).toBe(before);
});

test('a page checks one login at a time, and refuses a concurrent one', async () => {
  const held: (() => void)[] = [];
  const desk = await openWithLogin({
    delay: () => new Promise<void>((go) => held.push(go)),
  });
  for (let count = 0; count < loginFreeTries; count += 1)
    await logIn(desk, { email, password: 'a guess' });
  const transaction = secretOf(await desk.authorize());
  const first = logIn(desk, { email, password }, transaction);
  await expect.poll(() => held.length).toBe(1);
  const second = await logIn(desk, { email, password }, transaction);
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '1']);
  expect(second.text).toContain('This page already has a login in progress.');
  held.shift()?.();
  expect((await first).status).toBe(303);
});

test('without a login the page says that none is set, and offers the app', async () => {
  const desk = await openOauthDesk();
  const { text } = await desk.authorize();
  expect(text).toContain('No email and password is set');
  expect(text).toContain('Open Enrichment Desk to allow Test program');
  expect(text).not.toContain('name="password"');
  expect((await logIn(desk, { email, password })).status).toBe(401);
});

test('a login is changed and removed; its keys are kept', async () => {
  const desk = await openWithLogin();
  const { sentTo } = await logIn(desk, { email, password });
  const key = (await desk.redeem(sentTo?.code ?? '')).body.access_token;
  const next = { email: 'new@example.test', password: 'another horse' };
  await desk.app('PUT', 'login', { json: next });
  expect((await logIn(desk, { email, password })).status).toBe(401);
  expect((await logIn(desk, next)).status).toBe(303);
  expect((await desk.app('DELETE', 'login')).data).toBe(null);
  expect((await logIn(desk, next)).status).toBe(401);
  expect(await desk.tryKey(key)).toBe(200);
});

test('the password is stored as an scrypt hash with its own salt', async () => {
  const desk = await openOauthDesk();
  await desk.app('PUT', 'login', { json: { email, password } });
  const read = () =>
    desk.environment.database.prepare('SELECT password_hash FROM login').pluck().get() as string;
  const first = read();
  await desk.app('PUT', 'login', { json: { email, password } });
  expect(first).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  expect(read()).not.toBe(first);
});

test.each([
  ['no email', { email: 'nobody', password }],
  ['a short password', { email, password: 'short' }],
  ['a password that is too long', { email, password: 'x'.repeat(201) }],
  ['nothing', {}],
])('a login with %s is refused', async (_what, json) => {
  const desk = await openOauthDesk();
  const { status, body } = await desk.app('PUT', 'login', { json });
  expect([status, body.error]).toEqual([400, 'validation_error']);
});
