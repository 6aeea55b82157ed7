// "Login is by an external identity provider": a real one on loopback, from the page to the key.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { logInAtProvider } from './identity-provider.ts';
import { buttonOf, openIdentityDesk } from './open-identity-desk.ts';
import { secretOf } from './open-oauth-desk.ts';

const allow = { action: 'allow-proven' };

/** A browser visit led by another site; fetch writes these headers itself. */
const visitFromElsewhere = (url: URL, method = 'GET') =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    request(url, { method, headers, agent: false }, async (answer) =>
      resolve({ status: answer.statusCode, text: await text(answer) }),
    )
      .on('error', reject)
      .end();
  });

test('a person who logs in at the provider is asked for consent, and authorizes the client', async () => {
  const desk = await openIdentityDesk();
  const { status, text: page, location, transaction } = await desk.logIn('ann');
  expect([status, location]).toEqual([200, null]);
  expect(page).toContain('logged in as <b>Ann@Example.test</b>');
  for (const shown of ['Test program', 'localhost:9', 'Local workspace', '>Allow<', '>Deny<'])
    expect(page).toContain(shown);
  expect((await desk.app('GET', 'connections')).data).toEqual([]);
  const caps = { cap_per_day: '1,200.5', cap_per_month: '' };
  const allowed = await desk.post('/oauth/authorize', { transaction, ...allow, ...caps });
  expect([allowed.status, allowed.sentTo]).toEqual([
    303,
    { code: expect.any(String), state: 'a state', iss: desk.url },
  ]);
  const { body } = await desk.redeem(allowed.sentTo?.code ?? '');
  expect(await desk.tryKey(body.access_token)).toBe(200);
  const { data } = await desk.app('GET', 'connections');
  expect(data).toMatchObject([{ cap_per_day: '1200.5000', cap_per_month: null }]);
  expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
});

test('the person may deny after the login, and the app may answer instead', async () => {
  const desk = await openIdentityDesk();
  const { transaction } = await desk.logIn('ann');
  const denied = await desk.post('/oauth/authorize', { transaction, action: 'deny' });
  expect(denied.sentTo?.error).toBe('access_denied');
  const other = await desk.logIn('ann');
  const { data } = await desk.app('GET', 'authorizations');
  await desk.app('POST', `authorizations/${data[0].id}/allow`, { json: {} });
  const waited = await desk.post('/oauth/wait', { transaction: other.transaction });
  expect(waited.body.state).toBe('answered');
  const late = await desk.post('/oauth/authorize', { transaction: other.transaction, ...allow });
  expect([late.status, late.location]).toEqual([400, null]);
});

test.each([
  ['without a secret', { authMethod: 'none' }],
  ['that sends its secret in the form', { authMethod: 'client_secret_post' }],
  ['whose ID tokens tell the email', { hasEmailInToken: true }],
] as const)('a client %s works the same way', async (_what, change) => {
  const desk = await openIdentityDesk({}, change);
  expect((await desk.logIn('ann')).text).toContain('logged in as <b>Ann@Example.test</b>');
  expect(desk.provider.asked.includes('/me')).toBe(!('hasEmailInToken' in change));
});

test('a person may be listed by the provider’s subject, whatever their email', async () => {
  const desk = await openIdentityDesk();
  await desk.setProvider({ emails: [], subjects: ['nameless', 'unverified'] });
  expect((await desk.logIn('nameless')).text).toContain('logged in as <b>nameless</b>');
  expect((await desk.logIn('unverified')).text).toContain('logged in as <b>unverified</b>');
  expect((await desk.logIn('ann')).status).toBe(403);
});

test('the provider is asked with PKCE, state and nonce, for the minimal claims', async () => {
  const desk = await openIdentityDesk();
  const { location } = await desk.proceed(await desk.openPage());
  const query = Object.fromEntries(new URL(location ?? '').searchParams);
  expect(query).toEqual({
    client_id: 'desk',
    response_type: 'code',
    redirect_uri: `${desk.url}/oauth/callback`,
    scope: 'openid email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  });
  await desk.setProvider({ emails: [], subjects: ['ann'] });
  const second = await desk.proceed(await desk.openPage());
  expect(new URL(second.location ?? '').searchParams.get('scope')).toBe('openid');
});

test('the callback page changes nothing, and may be opened by another site', async () => {
  const desk = await openIdentityDesk();
  const transaction = await desk.openPage();
  const { location } = await desk.proceed(transaction);
  const callback = await logInAtProvider(location ?? '', 'ann');
  const code = callback.searchParams.get('code') ?? 'none';
  const page = await visitFromElsewhere(callback);
  expect([page.status, page.text.includes(code)]).toEqual([200, false]);
  expect((await visitFromElsewhere(callback)).text).toContain('One moment');
  expect((await visitFromElsewhere(callback, 'POST')).status).toBe(403);
  expect((await desk.handOn(transaction, callback)).text).toContain('You are logged in as');
});

test('each account has its own provider, and issues its own keys', async () => {
  const desk = await openIdentityDesk();
  const { data: account } = await desk.app('POST', 'accounts', { json: { name: 'Sales & more' } });
  const headers = { 'x-desk-account': account.id };
  await desk.setProvider({ emails: ['bob@example.test'] }, headers);
  const page = await desk.authorize();
  expect(page.text.match(/Continue with [^<]+/g)).toEqual([
    expect.stringMatching(/^Continue with 127\.0\.0\.1:\d+ for Local workspace$/),
    expect.stringMatching(/^Continue with 127\.0\.0\.1:\d+ for Sales &#38; more$/),
  ]);
  expect(buttonOf(page.text)).not.toContain(account.id);
  const transaction = secretOf(page);
  const action = `provider ${account.id}`;
  const begun = await desk.post('/oauth/authorize', { transaction, action });
  const callback = await logInAtProvider(begun.location ?? '', 'bob');
  await desk.handOn(transaction, callback);
  const { sentTo } = await desk.post('/oauth/authorize', { transaction, ...allow });
  await desk.redeem(sentTo?.code ?? '');
  expect((await desk.app('GET', 'connections', { headers })).data).toHaveLength(1);
  expect((await desk.app('GET', 'connections')).data).toEqual([]);
});
