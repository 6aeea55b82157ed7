// Issuers that no test can run: one with a well-known name, or a malicious one.
import { afterEach, expect, test, vi } from 'vitest';
import { beginLogin, checkIssuer, finishLogin } from '../../engine/oauth/oidc-client.ts';
import { parseProxyList } from '../../engine/platform/net/proxy-routes.ts';
import { findClosedPort, openConnectProxy, trustTests } from '../connect-proxy.ts';
import { openReceiver } from '../webhook-receiver.ts';

afterEach(() => void vi.unstubAllGlobals());

/** Answers every request with an issuer's metadata, and records the requested addresses. */
function answerAs(metadata: object): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const headers = { 'content-type': 'application/json' };
    return new Response(JSON.stringify(metadata), { headers });
  });
  return asked;
}

const deadline = new AbortController().signal;
const clientOf = (issuer: string) => ({ issuer, clientId: 'desk', clientSecret: 'a secret' });

test.each([
  [
    'of all tenants',
    'https://login.microsoftonline.com/common/v2.0',
    'https://login.microsoftonline.com/{tenantid}/v2.0',
  ],
  [
    'of one tenant by another name',
    'https://desk.b2clogin.com/desk.onmicrosoft.com/policy/v2.0',
    'https://desk.b2clogin.com/00000000-0000-4000-8000-000000000000/v2.0',
  ],
])(
  'an issuer %s is refused, because anyone could claim an email there',
  async (_what, issuer, own) => {
    const asked = answerAs({ issuer: own, authorization_endpoint: `${issuer}/authorize` });
    await expect(checkIssuer(clientOf(issuer), deadline)).rejects.toThrow(
      `calls itself ${own}. Set exactly the issuer of your own organization`,
    );
    expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`]);
  },
);

test.each([
  ['on this machine', 'http://127.0.0.1:9', 'http://accounts.example.com/token'],
  ['elsewhere', 'https://accounts.example.com', 'http://accounts.example.com/token'],
  ['elsewhere', 'https://accounts.example.com', 'http://127.0.0.1:9/token'],
])('an issuer %s (%s) gets no secret at %s', async (_what, issuer, tokenEndpoint) => {
  const asked = answerAs({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: tokenEndpoint,
    jwks_uri: `${issuer}/jwks`,
  });
  const redirect = { redirectUri: 'http://127.0.0.1:1/oauth/callback', scope: 'openid' };
  const { login } = await beginLogin(clientOf(issuer), redirect, deadline);
  const answer = new URLSearchParams({ code: 'a code', state: login.state });
  await expect(finishLogin(login, answer, deadline)).rejects.toThrow(
    /uses a URL that is not https|did not respond like an identity provider/,
  );
  expect(asked).toEqual([`${issuer}/.well-known/openid-configuration`]);
});

test('the deadline aborts the request', async () => {
  const ended = new AbortController();
  vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => {
    ended.abort();
    throw signal.aborted ? signal.reason : new TypeError('fetch failed');
  });
  const asked = checkIssuer(clientOf('https://accounts.example.com'), ended.signal);
  await expect(asked).rejects.toThrow('accounts.example.com did not answer in time.');
});

test('an issuer is asked through the proxy, with the certificate of its host', async () => {
  trustTests();
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  const issuer = 'https://elsewhere.example';
  receiver.answer = (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/authorize` }));
  };
  const proxy = await openConnectProxy({ port: receiver.port });
  const routes = async () => parseProxyList(`PROXY ${proxy.host}`);
  await checkIssuer(clientOf(issuer), deadline, routes);
  expect(proxy.targets).toEqual(['elsewhere.example:443']);
  expect(receiver.arrivals).toMatchObject([{ path: '/.well-known/openid-configuration' }]);
  const closed = `localhost:${await findClosedPort()}`;
  const unreachable = async () => parseProxyList(`PROXY ${closed}`);
  await expect(checkIssuer(clientOf(issuer), deadline, unreachable)).rejects.toThrow(
    `elsewhere.example could not be reached. The proxy ${closed} cannot be reached (ECONNREFUSED)`,
  );
});

test('an issuer whose certificate is of an unknown authority is refused with a sentence', async () => {
  const receiver = await openReceiver();
  const { origin } = new URL(receiver.url);
  await expect(checkIssuer(clientOf(origin), deadline)).rejects.toThrow(
    /could not be reached \((UNABLE_TO|SELF_SIGNED)/,
  );
  expect(receiver.arrivals).toEqual([]);
});
