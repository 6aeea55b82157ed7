// Issuers that no test can run: one with a well-known name, or a malicious one.
import { afterEach, expect, test, vi } from 'vitest';
import { beginLogin, checkIssuer, finishLogin } from '../../engine/oauth/oidc-client.ts';
import { parseProxyList } from '../../engine/platform/net/proxy-routes.ts';
import { findClosedPort, openConnectProxy, trustTests } from '../connect-proxy.ts';
import { openHostileServer } from '../hostile-server.ts';
import { openReceiver } from '../webhook-receiver.ts';

afterEach(() => void vi.unstubAllEnvs());

/** Opens an issuer, on this machine or behind a proxy, that answers every request with metadata. */
async function openIssuer(isLocal: boolean, describe: (issuer: string) => object) {
  trustTests();
  const receiver = await openReceiver({ certificate: isLocal ? null : 'elsewhere' });
  const issuer = isLocal ? new URL(receiver.url).origin : 'https://elsewhere.example';
  receiver.answer = (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(describe(issuer)));
  };
  const proxy = await openConnectProxy({ port: receiver.port });
  vi.stubEnv('HTTPS_PROXY', `http://${proxy.host}`);
  return { issuer, proxy, listAsked: () => receiver.arrivals.map(({ path }) => path) };
}

const deadline = new AbortController().signal;
const clientOf = (issuer: string) => ({ issuer, clientId: 'desk', clientSecret: 'a secret' });

test.each([
  ['of all tenants', '/common/v2.0', '/{tenantid}/v2.0'],
  ['of one tenant by another name', '/desk.onmicrosoft.com/v2.0', '/00000000-0000-4000/v2.0'],
])(
  'an issuer %s is refused, because anyone could claim an email there',
  async (_what, path, ownPath) => {
    const { issuer, listAsked } = await openIssuer(false, (host) => ({
      issuer: host + ownPath,
      authorization_endpoint: `${host}/authorize`,
    }));
    await expect(checkIssuer(clientOf(issuer + path), deadline)).rejects.toThrow(
      `calls itself ${issuer}${ownPath}. Set exactly the issuer of your own organization`,
    );
    expect(listAsked()).toEqual([`${path}/.well-known/openid-configuration`]);
  },
);

test.each([
  ['on this machine', true, 'http://accounts.example.com/token'],
  ['elsewhere', false, 'http://accounts.example.com/token'],
  ['elsewhere', false, 'http://127.0.0.1:9/token'],
])('an issuer %s gets no secret at another address: %s, %s', async (_where, isLocal, token) => {
  const { issuer, listAsked } = await openIssuer(isLocal, (own) => ({
    issuer: own,
    authorization_endpoint: `${own}/authorize`,
    token_endpoint: token,
    jwks_uri: `${own}/jwks`,
  }));
  const redirect = { redirectUri: 'http://127.0.0.1:1/oauth/callback', scope: 'openid' };
  const { login } = await beginLogin(clientOf(issuer), redirect, deadline);
  const answer = new URLSearchParams({ code: 'a code', state: login.state });
  await expect(finishLogin(login, answer, deadline)).rejects.toThrow(
    /uses a URL that is not https|did not respond like an identity provider/,
  );
  expect(listAsked()).toEqual(['/.well-known/openid-configuration']);
});

test('the deadline aborts the request', async () => {
  trustTests();
  const silent = await openHostileServer('never answers', { isSecure: true });
  const { origin, host } = new URL(silent.url);
  const ended = new AbortController();
  const asked = expect(checkIssuer(clientOf(origin), ended.signal)).rejects.toThrow(
    `${host} did not answer in time.`,
  );
  await silent.asked;
  ended.abort();
  await asked;
});

test('an issuer is asked through the proxy, with the certificate of its host', async () => {
  const { issuer, proxy, listAsked } = await openIssuer(false, (own) => ({
    issuer: own,
    authorization_endpoint: `${own}/authorize`,
  }));
  const routes = async () => parseProxyList(`PROXY ${proxy.host}`);
  await checkIssuer(clientOf(issuer), deadline, routes);
  expect(proxy.targets).toEqual(['elsewhere.example:443']);
  expect(listAsked()).toEqual(['/.well-known/openid-configuration']);
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
