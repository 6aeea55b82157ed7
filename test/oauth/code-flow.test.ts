// Specification, "Authentication" 4: authorization code with PKCE; on success the server issues the
// account's API token.
import { expect, test } from 'vitest';
import { openOauthDesk, redirectUri, secretOf, verifier } from './open-oauth-desk.ts';

test('allowing in the app gives a key, named after the client, that opens the API', async () => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode();
  const answer = await desk.redeem(code);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: { access_token: expect.stringMatching(/^sk_live_.{43}$/), token_type: 'Bearer' },
  });
  expect(answer.headers.get('cache-control')).toBe('no-store');
  const key = answer.body.access_token;
  for (const scheme of ['Token', 'Bearer']) {
    const headers = { authorization: `${scheme} ${key}` };
    expect((await desk.ask('/api/v1/data-enrichment/layers', { headers })).status).toBe(200);
  }
  const { data } = await desk.app('GET', 'keys');
  expect(data.map((one: { label: string }) => one.label)).toContain('MCP: Test program');
});

test('neither the code nor the key is stored in clear', async () => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode();
  const key = (await desk.redeem(code)).body.access_token;
  const { database } = desk.environment;
  const tables = ['oauth_code', 'oauth_client', 'oauth_connection', 'api_key'];
  const kept = tables.map((name) => database.prepare(`SELECT * FROM ${name}`).all());
  const text = JSON.stringify(kept);
  expect([text.includes('Test program'), text.includes(code), text.includes(key)]).toEqual([
    true,
    false,
    false,
  ]);
});

test('state and issuer are returned with the code, to the exact address of the request', async () => {
  const desk = await openOauthDesk();
  const page = await desk.authorize({ state: 'ä=&?#' });
  const { data } = await desk.app('GET', 'authorizations');
  await desk.app('POST', `authorizations/${data[0].id}/allow`, { json: {} });
  const { body } = await desk.post('/oauth/wait', { transaction: secretOf(page) });
  const url = new URL(body.location);
  expect(url.origin + url.pathname).toBe(redirectUri);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    code: expect.stringMatching(/^[\w-]{43}$/),
    state: 'ä=&?#',
    iss: desk.url,
  });
  // The answer is returned once.
  const again = await desk.post('/oauth/wait', { transaction: secretOf(page) });
  expect(again.body).toEqual({ state: 'gone', location: null });
});

test('caps and account are those that the person chose', async () => {
  const desk = await openOauthDesk();
  const { data: account } = await desk.app('POST', 'accounts', { json: { name: 'Sales' } });
  const caps = { account_id: account.id, cap_per_day: '5', cap_per_month: 100 };
  const { body } = await desk.redeem(await desk.obtainCode({}, caps));
  const headers = { 'x-desk-account': account.id };
  const { data } = await desk.app('GET', 'connections', { headers });
  expect(data).toEqual([
    expect.objectContaining({
      label: 'MCP: Test program',
      client_name: 'Test program',
      client_id: desk.clientId,
      redirect_host: 'localhost:9',
      cap_per_day: '5.0000',
      cap_per_month: '100.0000',
      revoked_at: null,
    }),
  ]);
  expect((await desk.app('GET', 'connections')).data).toEqual([]);
  expect(await desk.tryKey(body.access_token)).toBe(200);
});

test('a key that is revoked in the app is refused', async () => {
  const desk = await openOauthDesk();
  const key = await desk.obtainKey();
  const { data } = await desk.app('GET', 'connections');
  await desk.app('DELETE', `keys/${data[0].id}`);
  expect(await desk.tryKey(key)).toBe(401);
  const { status, headers } = await desk.ask('/api/v1/mcp', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
  });
  expect([status, headers.get('www-authenticate')]).toEqual([
    401,
    expect.stringContaining(`resource_metadata="${desk.url}/.well-known/oauth-protected-resource`),
  ]);
});

test('a client revokes its own key (RFC 7009), and no other client can', async () => {
  const desk = await openOauthDesk();
  const key = await desk.obtainKey();
  const revoke = (client_id: string, token = key) =>
    desk.post('/oauth/revoke', { token, client_id });
  const foreign = await revoke('client_of_somebody_else');
  expect([foreign.status, foreign.body.error]).toEqual([400, 'unauthorized_client']);
  expect((await revoke(desk.clientId, desk.key)).body.error).toBe('unauthorized_client');
  expect([await desk.tryKey(key), await desk.tryKey(desk.key)]).toEqual([200, 200]);
  expect((await revoke(desk.clientId)).status).toBe(200);
  expect(await desk.tryKey(key)).toBe(401);
  // Revoking an unknown token is no error.
  expect((await revoke(desk.clientId)).status).toBe(200);
  expect((await revoke(desk.clientId, 'nothing')).status).toBe(200);
  expect((await desk.post('/oauth/revoke', { client_id: desk.clientId })).body.error).toBe(
    'invalid_request',
  );
});

test('the audit log names the client that received and revoked its key', async () => {
  const desk = await openOauthDesk();
  const token = (await desk.redeem(await desk.obtainCode())).body.access_token;
  await desk.post('/oauth/revoke', { token, client_id: desk.clientId });
  const key_prefix = token.slice(0, 12);
  const entryOf = async (action: string, actor: string) =>
    (await desk.app('GET', `audit?action=${action}&actor=${actor}`)).data.entries;
  const byClient = [{ actor_kind: 'assistant', key_prefix }];
  expect(await entryOf('key_revoked', 'Test program')).toMatchObject(byClient);
  const byKey = [{ actor_kind: 'api_key', key_prefix }];
  expect(await entryOf('key_created', 'MCP: Test program')).toMatchObject(byKey);
});

test('a code that is used twice is refused, and its key is revoked', async () => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode();
  const key = (await desk.redeem(code)).body.access_token;
  const again = await desk.redeem(code);
  expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
  expect(await desk.tryKey(key)).toBe(401);
});

test('a code that is used concurrently leaves no key', async () => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode();
  const answers = await Promise.all(Array.from({ length: 5 }, () => desk.redeem(code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  const key = answers.find(({ status }) => status === 200)?.body.access_token;
  expect(await desk.tryKey(key)).toBe(401);
});

test.each([
  [59_999, 200, undefined],
  [60_000, 400, 'invalid_grant'],
  [-1, 400, 'invalid_grant'],
])('%i ms after it was issued a code gives %i', async (laterMs, status, error) => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode();
  desk.clock.ms += laterMs;
  const answer = await desk.redeem(code);
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test.each([
  ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  ['no verifier', { code_verifier: null }, 'invalid_grant'],
  ['a verifier that is too short', { code_verifier: verifier.slice(0, 42) }, 'invalid_grant'],
  ['another client', { client_id: 'client_of_somebody_else' }, 'invalid_grant'],
  ['no client', { client_id: null }, 'invalid_request'],
  ['another redirect_uri', { redirect_uri: 'http://localhost:10/callback' }, 'invalid_grant'],
  ['no redirect_uri', { redirect_uri: null }, 'invalid_request'],
  ['another resource', { resource: 'https://else.example/mcp' }, 'invalid_target'],
  ['another grant', { grant_type: 'refresh_token' }, 'unsupported_grant_type'],
  ['the grant of passwords', { grant_type: 'password' }, 'unsupported_grant_type'],
  ['the grant of clients', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ['no grant', { grant_type: null }, 'invalid_request'],
  ['no code', { code: null }, 'invalid_request'],
  ['an unknown code', { code: 'nothing' }, 'invalid_grant'],
])('a code with %s gives no key', async (_what, change, error) => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode({ resource: `${desk.url}/api/v1/mcp` });
  const answer = await desk.redeem(code, change);
  expect([answer.status, Object.keys(answer.body).sort(), answer.body.error]).toEqual([
    400,
    ['error', 'error_description'],
    error,
  ]);
});

test('a wrong verifier invalidates the code, so it cannot be guessed', async () => {
  const desk = await openOauthDesk();
  const code = await desk.obtainCode();
  await desk.redeem(code, { code_verifier: 'x'.repeat(43) });
  expect((await desk.redeem(code)).body).toEqual({
    error: 'invalid_grant',
    error_description: 'The code was already used, without success.',
  });
});

test('a token request is a form with each field once', async () => {
  const desk = await openOauthDesk();
  const json = await desk.ask('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const twice = await desk.ask('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=authorization_code&code=a&code=b',
  });
  const large = await desk.post('/oauth/token', { code: 'x'.repeat(20_000) });
  for (const { status, body } of [json, twice, large])
    expect([status, body.error]).toEqual([400, 'invalid_request']);
});
