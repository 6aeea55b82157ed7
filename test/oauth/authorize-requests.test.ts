// Valid requests to /oauth/authorize and /oauth/register, and the responses to all others.
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { createConsents } from '../../engine/oauth/consents.ts';
import {
  type Change,
  openOauthDesk,
  redirectUri,
  secretOf,
  shareOauthDesk,
} from './open-oauth-desk.ts';

/** For requests that leave nothing behind which another test sees. */
const openShared = shareOauthDesk();

const faults: [what: string, change: Change, error: string][] = [
  ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
  ['PKCE by plain', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method of PKCE', { code_challenge_method: null }, 'invalid_request'],
  ['an invalid challenge', { code_challenge: 'short' }, 'invalid_request'],
  ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ['a foreign resource', { resource: 'https://else.example/api/v1/mcp' }, 'invalid_target'],
  ['another port’s resource', { resource: 'http://127.0.0.1:1/api/v1/mcp' }, 'invalid_target'],
  ['the implicit grant', { response_type: 'code token' }, 'unsupported_response_type'],
];

test.each(faults)(
  'a request with %s is redirected to this machine with the reason',
  async (_what, change, error) => {
    const desk = await openShared();
    const { status, location, sentTo } = await desk.authorize(change);
    expect([status, location?.startsWith(`${redirectUri}?`), sentTo]).toEqual([
      303,
      true,
      { error, error_description: expect.any(String), state: 'a state', iss: desk.url },
    ]);
    expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
  },
);

test.each(
  ['https://phish.example/login', 'com.example.app:/callback'].flatMap((address) =>
    faults.map(([what, change, error]) => [what, address, change, error] as const),
  ),
)(
  'a request with %s sends no browser to %s: only a person does (RFC 9700, 4.11.2)',
  async (_what, redirect_uri, change, error) => {
    const desk = await openShared();
    const { body } = await desk.register({ client_name: '<b>Bank', redirect_uris: [redirect_uri] });
    const answer = await desk.authorize({ client_id: body.client_id, redirect_uri, ...change });
    expect([answer.status, answer.location, answer.headers.get('refresh')]).toEqual([
      400,
      null,
      null,
    ]);
    expect(answer.text).toContain('The request of &#60;b&#62;Bank is not valid: ');
    expect(answer.text).not.toMatch(/<script|http-equiv/);
    const [, href = ''] = /<a href="([^"]+)" rel="noreferrer">/.exec(answer.text) ?? [];
    const target = new URL(href.replace(/&#(\d+);/g, (_all, code) => String.fromCharCode(code)));
    expect(target.href.startsWith(redirect_uri)).toBe(true);
    expect(Object.fromEntries(target.searchParams)).toEqual({
      error,
      error_description: expect.any(String),
      state: 'a state',
      iss: desk.url,
    });
  },
);

test.each([
  ['an unknown client', { client_id: 'client_nobody' }],
  ['no client', { client_id: null }],
  ['an address that is not registered', { redirect_uri: 'https://evil.example/' }],
  ['another path', { redirect_uri: 'http://localhost:9/callback2' }],
  ['another loopback name', { redirect_uri: 'http://127.0.0.1:9/callback' }],
  ['https instead of http', { redirect_uri: 'https://localhost:9/callback' }],
  ['another query', { redirect_uri: `${redirectUri}?a=b` }],
  ['a fragment', { redirect_uri: `${redirectUri}#x` }],
  ['a user', { redirect_uri: 'http://a@localhost:9/callback' }],
  ['a host that begins alike', { redirect_uri: 'http://localhost.evil.example:9/callback' }],
  ['an empty address', { redirect_uri: '' }],
])('a request with %s is not redirected', async (_what, change) => {
  const desk = await openShared();
  const { status, location, text } = await desk.authorize(change);
  expect([status, location, text.includes('Cannot continue')]).toEqual([400, null, true]);
});

test('a scheme that is not allowed is not redirected to, even if a former version registered it', async () => {
  const desk = await openOauthDesk();
  const redirect_uri = 'ms-officecmd:x';
  const { id: client_id } = await desk.environment.writer.registerClient({
    name: 'Registered before',
    redirectUris: [redirect_uri],
    at: new Date().toISOString(),
  });
  for (const change of [{}, { redirect_uri: null }, { response_type: 'token' }]) {
    const answer = await desk.authorize({ client_id, redirect_uri, ...change });
    expect([answer.status, answer.location]).toEqual([400, null]);
  }
  expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
});

test('a request with a repeated parameter is not redirected', async () => {
  const desk = await openOauthDesk();
  const twice = `redirect_uri=${encodeURIComponent(redirectUri)}`;
  const answer = await desk.ask(
    `/oauth/authorize?client_id=${desk.clientId}&${twice}&${twice}&response_type=code`,
  );
  expect([answer.status, answer.location]).toEqual([400, null]);
});

test('a loopback address may have any port (RFC 8252), and the code is bound to it', async () => {
  const desk = await openOauthDesk();
  const other = 'http://localhost:60001/callback';
  const good = await desk.redeem(await desk.obtainCode({ redirect_uri: other }), {
    redirect_uri: other,
  });
  expect(good.status).toBe(200);
  const bad = await desk.redeem(await desk.obtainCode({ redirect_uri: other }));
  expect(bad.body.error).toBe('invalid_grant');
});

test('a token of this environment cannot be requested for the other one', async () => {
  const desk = await openOauthDesk();
  const { sentTo } = await desk.authorize({ resource: `${desk.url}/staging/api/v1/mcp` });
  expect(sentTo?.error).toBe('invalid_target');
});

test('without a redirect_uri the only registered one is used', async () => {
  const desk = await openOauthDesk();
  expect((await desk.authorize({ redirect_uri: null })).status).toBe(200);
  const redirect_uris = [redirectUri, 'cursor://anysphere.cursor-mcp/oauth/callback'];
  const { body } = await desk.register({ redirect_uris });
  const both = await desk.authorize({ client_id: body.client_id, redirect_uri: null });
  expect(both.status).toBe(400);
});

test('a resource may be the tool server or the host, by any host name, with or without a slash', async () => {
  const desk = await openOauthDesk();
  const { port } = new URL(desk.url);
  for (const name of ['127.0.0.1', 'localhost', '[::1]'])
    for (const path of ['', '/', '/api/v1/mcp', '/api/v1/mcp/']) {
      const resource = `http://${name}:${port}${path}`;
      expect([resource, (await desk.authorize({ resource })).status]).toEqual([resource, 200]);
    }
  const slashed = await desk.obtainCode({ resource: `${desk.url}/api/v1/mcp/` });
  const answer = await desk.redeem(slashed, { resource: `${desk.url}/api/v1/mcp` });
  expect(answer.status).toBe(200);
});

test.each([
  'http://127.0.0.1/',
  'http://127.0.0.1:33418/',
  'http://[::1]:5000/cb',
  'https://vscode.dev/redirect',
  'cursor://anysphere.cursor-mcp/oauth/callback',
  'com.example.app:/callback',
])('a client may register %s', async (uri) => {
  const desk = await openShared();
  const { status, body } = await desk.register({ client_name: 'One', redirect_uris: [uri] });
  expect([status, body]).toEqual([
    201,
    {
      client_id: expect.stringMatching(/^client_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'One',
      redirect_uris: [uri],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  ]);
  expect((await desk.authorize({ client_id: body.client_id, redirect_uri: uri })).status).toBe(200);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'blob:https://a.example/1',
  'http://evil.example/',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'http://10.0.0.1/',
  'https://user@a.example/',
  'https://a.example/#x',
  'ws://localhost/',
  'app://desk/',
  'ms-officecmd:x',
  'shell:startup',
  'chrome-extension://abc/x',
  'no address',
  '',
])('a client may not register %j', async (uri) => {
  const desk = await openShared();
  const { status, body } = await desk.register({ redirect_uris: [uri] });
  expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
});

test.each([
  ['no addresses', {}, 'invalid_redirect_uri'],
  ['none of them', { redirect_uris: [] }, 'invalid_redirect_uri'],
  ['eleven', { redirect_uris: Array(11).fill(redirectUri) }, 'invalid_redirect_uri'],
  [
    'another grant',
    { redirect_uris: [redirectUri], grant_types: ['client_credentials'] },
    'invalid_client_metadata',
  ],
  [
    'another response',
    { redirect_uris: [redirectUri], response_types: ['token'] },
    'invalid_client_metadata',
  ],
  [
    'a name that is not a string',
    { redirect_uris: [redirectUri], client_name: 5 },
    'invalid_client_metadata',
  ],
  ['a body that is too large', { redirect_uris: ['x'.repeat(20_000)] }, 'invalid_request'],
])('a registration with %s is refused', async (_what, body, error) => {
  const desk = await openShared();
  const answer = await desk.register(body);
  expect([answer.status, answer.body.error]).toEqual([400, error]);
});

test('the newest 200 clients are kept, and all that were ever authorized', async () => {
  const desk = await openOauthDesk();
  await desk.obtainKey();
  const ids: string[] = [];
  for (let count = 0; count < 201; count += 1) {
    desk.clock.ms += 2_000;
    ids.push((await desk.register({ redirect_uris: [redirectUri] })).body.client_id);
  }
  const statusOf = async (client_id: string) => (await desk.authorize({ client_id })).status;
  expect([await statusOf(ids[0]!), await statusOf(ids[1]!)]).toEqual([400, 200]);
  expect(await statusOf(desk.clientId)).toBe(200);
});

test('more than 60 registrations a minute are refused', async () => {
  const desk = await openOauthDesk();
  const tries = Array.from({ length: 60 }, () => desk.register({ redirect_uris: [redirectUri] }));
  const answers = await Promise.all(tries);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.map(({ body }) => body.error)).toEqual(['temporarily_unavailable']);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('the page escapes the client’s name, and cannot be framed', async () => {
  const desk = await openOauthDesk();
  const name = '<img src=x onerror=alert(1)>"\u202e\u0007 {x}';
  const { body } = await desk.register({ client_name: name, redirect_uris: [redirectUri] });
  expect(body.client_name).toBe('<img src=x onerror=alert(1)>" {x}');
  const page = await desk.authorize({ client_id: body.client_id });
  expect(page.text).not.toContain('<img');
  expect(page.text).toContain('it is not verified');
  expect(page.text).toContain('an app on this computer (localhost:9)');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|form-action/);
  expect(page.headers.get('referrer-policy')).toBe('same-origin');
  expect(page.headers.get('set-cookie')).toBe(null);
  expect(page.headers.get('access-control-allow-origin')).toBe(null);
});

test('a frame of another page creates no request for consent', async () => {
  const desk = await openOauthDesk();
  const query = new URLSearchParams({
    client_id: desk.clientId,
    response_type: 'code',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  // fetch writes these headers itself.
  const visit = (dest: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = {
        'sec-fetch-site': 'cross-site',
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': dest,
      };
      get(`${desk.url}/oauth/authorize?${query}`, { headers, agent: false }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      }).on('error', reject);
    });
  expect(await visit('iframe')).toBe(403);
  expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
  expect(await visit('document')).toBe(200);
});

test('denying in the app returns access_denied', async () => {
  const desk = await openOauthDesk();
  const page = await desk.authorize();
  const { data } = await desk.app('GET', 'authorizations');
  expect(page.text).toContain(data[0].number);
  await desk.app('POST', `authorizations/${data[0].id}/deny`);
  const { body } = await desk.post('/oauth/wait', { transaction: secretOf(page) });
  const { error, state, iss } = Object.fromEntries(new URL(body.location).searchParams);
  expect([error, state, iss]).toEqual(['access_denied', 'a state', desk.url]);
});

test('denying on the page returns access_denied, and removes the request from the app', async () => {
  const desk = await openOauthDesk();
  const transaction = secretOf(await desk.authorize());
  const denied = await desk.post('/oauth/authorize', { transaction, action: 'deny' });
  expect([denied.status, denied.sentTo?.error]).toEqual([303, 'access_denied']);
  expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
  const again = await desk.post('/oauth/authorize', { transaction, action: 'deny' });
  expect([again.status, again.location]).toEqual([400, null]);
});

test('a page without scripts checks with its button whether the app has answered', async () => {
  const desk = await openOauthDesk();
  const transaction = secretOf(await desk.authorize());
  const goOn = () => desk.post('/oauth/authorize', { transaction, action: 'continue' });
  expect((await goOn()).status).toBe(200);
  const { data } = await desk.app('GET', 'authorizations');
  await desk.app('POST', `authorizations/${data[0].id}/allow`, { json: {} });
  const answered = await goOn();
  expect([answered.status, answered.sentTo?.state]).toEqual([303, 'a state']);
});

test('a clock that is set back does not prolong a request', () => {
  let [wallMs, elapsedMs] = [Date.parse('2036-11-20T10:00:00Z'), 0];
  const consents = createConsents(
    () => wallMs,
    () => elapsedMs,
  );
  const { secret } = consents.begin({
    environment: 'live',
    clientId: 'client',
    clientName: 'Program',
    redirectUri,
    state: null,
    challenge: '',
    resource: null,
    issuer: 'http://127.0.0.1:1',
  });
  wallMs = Date.parse('2026-11-20T10:00:00Z');
  elapsedMs = 10 * 60_000 - 1;
  expect(consents.find('live', secret)).not.toBeNull();
  elapsedMs += 1;
  expect([consents.find('live', secret), consents.list()]).toEqual([null, []]);
});

test('a request is answered once, by the app’s session only, within ten minutes', async () => {
  const desk = await openOauthDesk();
  await desk.authorize();
  const { data } = await desk.app('GET', 'authorizations');
  const path = `authorizations/${data[0].id}`;
  const stranger = await desk.app('POST', `${path}/allow`, {
    json: {},
    headers: { 'x-desk-session': 'a guess' },
  });
  expect(stranger.status).toBe(401);
  const answers = await Promise.all([
    desk.app('POST', `${path}/allow`, { json: {} }),
    desk.app('POST', `${path}/allow`, { json: {} }),
    desk.app('POST', `${path}/deny`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 404, 404]);
  const late = secretOf(await desk.authorize());
  desk.clock.ms += 10 * 60_000;
  expect((await desk.app('GET', 'authorizations')).data).toEqual([]);
  expect((await desk.post('/oauth/wait', { transaction: late })).body.state).toBe('gone');
});

test.each([
  ['a cap below 0', { cap_per_day: '-1' }, 400],
  ['an invalid cap', { cap_per_month: 'much' }, 400],
  ['an unknown account', { account_id: '00000000-0000-4000-8000-000000000000' }, 404],
])('allowing with %s is refused, and the client keeps waiting', async (_what, json, status) => {
  const desk = await openOauthDesk();
  await desk.authorize();
  const { data } = await desk.app('GET', 'authorizations');
  const answer = await desk.app('POST', `authorizations/${data[0].id}/allow`, { json });
  expect(answer.status).toBe(status);
  expect((await desk.app('GET', 'authorizations')).data).toEqual(data);
});

test('a reloaded page asks once, with its own secret', async () => {
  const desk = await openOauthDesk();
  const first = secretOf(await desk.authorize());
  const second = secretOf(await desk.authorize());
  expect((await desk.app('GET', 'authorizations')).data).toHaveLength(1);
  expect((await desk.post('/oauth/wait', { transaction: first })).body.state).toBe('gone');
  const denied = await desk.post('/oauth/authorize', { transaction: second, action: 'deny' });
  expect(denied.status).toBe(303);
});

test('of more than a hundred waiting requests the oldest is removed', async () => {
  const desk = await openOauthDesk();
  const first = secretOf(await desk.authorize());
  for (let count = 0; count < 100; count += 1) await desk.authorize({ state: `${count}` });
  expect((await desk.post('/oauth/wait', { transaction: first })).body.state).toBe('gone');
  expect((await desk.app('GET', 'authorizations')).data).toHaveLength(100);
});

test('a waiting page ends when the engine stops', async () => {
  const desk = await openOauthDesk();
  const transaction = secretOf(await desk.authorize());
  const waiting = desk.post('/oauth/wait', { transaction });
  await desk.app('GET', 'authorizations');
  await desk.stop();
  expect((await waiting.catch(() => ({ body: { state: 'cut' } }))).body.state).toMatch(
    /waiting|cut/,
  );
});
