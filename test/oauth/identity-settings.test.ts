// The settings of an identity provider: who sets them, valid values, and the secret.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectRefusal } from '../http/open-api-desk.ts';
import { type Environments, startEnvironments } from '../http/open-environments.ts';
import { client } from './identity-provider.ts';
import { openIdentityDesk } from './open-identity-desk.ts';
import { openOauthDesk } from './open-oauth-desk.ts';

const path = 'identity-provider';
const plain = {
  issuer: 'https://accounts.example.com',
  client_id: 'desk',
  emails: ['ann@example.test'],
};

test('the settings are returned without the secret, with the addresses to register', async () => {
  const desk = await openOauthDesk();
  const { port } = new URL(desk.url);
  const redirect_uris = ['127.0.0.1', 'localhost'].map(
    (name) => `http://${name}:${port}/oauth/callback`,
  );
  expect((await desk.app('GET', path)).data).toEqual({ provider: null, redirect_uris });
  const emails = [' Ann@Example.test', 'ann@example.test', 'bob@example.test'];
  const json = { ...plain, client_secret: 'hush', emails, subjects: [' Sub-1 ', 'Sub-1'] };
  const set = await desk.app('PUT', path, { json });
  const provider = {
    issuer: 'https://accounts.example.com',
    client_id: 'desk',
    has_secret: true,
    emails: ['ann@example.test', 'bob@example.test'],
    subjects: ['Sub-1'],
    set_at: expect.any(String),
  };
  expect([set.status, set.data]).toEqual([200, { provider, redirect_uris }]);
  expect((await desk.app('GET', path)).data).toEqual({ provider, redirect_uris });
  expect((await desk.app('DELETE', path)).data.provider).toBe(null);
});

test('the secret is encrypted: no file of the data folder contains it in clear', async () => {
  const desk = await openIdentityDesk();
  const { folder } = desk.environment;
  const files = readdirSync(folder).filter((name) => /^engine\.db/.test(name));
  expect(files).toContain('engine.db');
  for (const name of files)
    expect(readFileSync(join(folder, name)).includes(client.secret)).toBe(false);
  expect((await desk.app('GET', path)).text).not.toContain(client.secret);
  expect((await desk.authorize()).text).not.toContain(client.secret);
});

test.each([
  ['left out, for the same client', true, {}],
  ['left out, for another client', false, { client_id: 'other' }],
  ['left out, for another issuer', false, { issuer: 'https://else.example.com' }],
  ['removed', false, { client_secret: null }],
  ['replaced', true, { client_id: 'other', client_secret: 'new' }],
])('a secret that is %s: has_secret is %s', async (_what, isThere, change) => {
  const desk = await openOauthDesk();
  await desk.app('PUT', path, { json: { ...plain, client_secret: 'hush' } });
  const { data } = await desk.app('PUT', path, { json: { ...plain, ...change } });
  expect(data.provider.has_secret).toBe(isThere);
});

test('a kept secret is still accepted by the provider', async () => {
  const desk = await openIdentityDesk();
  await desk.setProvider({ client_secret: undefined, subjects: ['bob'] });
  expect((await desk.logIn('bob')).status).toBe(200);
});

test.each([
  ['no address', { issuer: 'accounts' }, /issuer: this is not a URL/],
  ['http elsewhere', { issuer: 'http://accounts.example.com' }, /issuer: send an https URL/],
  ['a file', { issuer: 'file:///etc/passwd' }, /issuer: send an https URL/],
  ['a user', { issuer: 'https://a:b@accounts.example.com' }, /issuer: send the URL without user/],
  ['a query', { issuer: 'https://accounts.example.com?a=b' }, /issuer: send the URL without user/],
  [
    'another document',
    { issuer: 'https://accounts.example.com/.well-known/x' },
    /issuer: send the URL without user/,
  ],
  ['no client', { client_id: ' ' }, /client_id/],
  ['an empty secret', { client_secret: '' }, /client_secret/],
  ['no people', { emails: [] }, /at least one email or subject/],
  ['no email', { emails: ['ann'] }, /emails/],
  ['a subject that is too long', { subjects: ['x'.repeat(256)] }, /subjects/],
  ['too many people', { subjects: Array(101).fill('x') }, /subjects/],
])('settings with %s are refused', async (_what, change, detail) => {
  const desk = await openOauthDesk();
  const refused = await desk.app('PUT', path, { json: { ...plain, ...change } });
  expectRefusal(refused, 'validation_error', detail);
  expect((await desk.app('GET', path)).data.provider).toBe(null);
});

test('the address of the issuer’s document is accepted as the issuer', async () => {
  const desk = await openIdentityDesk();
  const issuer = `${desk.provider.issuer}/.well-known/openid-configuration`;
  expect((await desk.setProvider({ issuer })).data.provider.issuer).toBe(desk.provider.issuer);
  expect((await desk.logIn('ann')).status).toBe(200);
});

test('the check reports that the issuer answers', async () => {
  const desk = await openIdentityDesk();
  const { data } = await desk.app('POST', `${path}/check`);
  const { host } = new URL(desk.provider.issuer);
  expect(data).toEqual({ ok: true, detail: `${host} responds as expected.` });
  await desk.app('DELETE', path);
  expectRefusal(
    await desk.app('POST', `${path}/check`),
    'not_found',
    /No identity provider is set/,
  );
});

/** An engine of both environments, for the tests that follow. */
let environments: Environments;
beforeAll(async () => {
  environments = await startEnvironments();
});
afterAll(() => environments.remove());

test('the staging environment has its own provider and URL', async () => {
  const { data } = await environments.staging.call('PUT', `app/v1/${path}`, { json: plain });
  expect(data.redirect_uris[0]).toBe(`${environments.url}/staging/oauth/callback`);
  expect((await fetch(data.redirect_uris[0])).status).toBe(200);
  expect((await environments.live.call('GET', `app/v1/${path}`)).data.provider).toBe(null);
});

test('a secret whose key is missing is reported, and can be set again', async () => {
  const json = { ...plain, client_secret: 'hush' };
  await environments.live.call('PUT', `app/v1/${path}`, { json });
  environments = await environments.restart(() => rmSync(join(environments.dataDir, 'engine.key')));
  const lost = await environments.live.call('POST', `app/v1/${path}/check`);
  expectRefusal(lost, 'secrets_unavailable', /Enter it again in Connections/);
  const again = await environments.live.call('PUT', `app/v1/${path}`, { json });
  expect(again.data.provider.has_secret).toBe(true);
});
