// Requests over https through a proxy: what the proxy learns, and what its failures mean.
import { expect, onTestFinished, test, vi } from 'vitest';
import { type FindRoutes, parseProxyList } from '../../../engine/platform/net/proxy-routes.ts';
import { sendRequest } from '../../../engine/providers/definitions/provider-connection.ts';
import { findClosedPort, openConnectProxy, trustTests } from '../../connect-proxy.ts';
import { openReceiver } from '../../webhook-receiver.ts';

const through =
  (list: string): FindRoutes =>
  async () =>
    parseProxyList(list);
const withVariable =
  (address: string): FindRoutes =>
  async () => [{ kind: 'proxy', url: new URL(address), setBy: 'HTTPS_PROXY' }];

async function send(address: string, findRoutes: FindRoutes, timeoutMs = 10_000) {
  let sends = 0;
  const headers = { 'x-key': 'key-of-the-user' };
  const work = sendRequest(
    { method: 'POST', url: new URL(address), headers, body: '{"a":1}' },
    {
      signal: new AbortController().signal,
      timeoutMs,
      findRoutes,
      isAllowed: () => false,
      onSend() {
        sends += 1;
      },
    },
  );
  const result = await work.catch((error: unknown) => error);
  return { result, sends };
}

test('the proxy opens a tunnel to the host and learns nothing else', async () => {
  trustTests();
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  const proxy = await openConnectProxy({ port: receiver.port });
  const address = 'https://elsewhere.example/v1/find?first=Ann';
  const { result, sends } = await send(address, through(`PROXY ${proxy.host}`));
  expect([result, sends]).toEqual([expect.objectContaining({ status: 200 }), 1]);
  expect(proxy.targets).toEqual(['elsewhere.example:443']);
  expect(JSON.stringify(proxy.headers)).not.toMatch(/key-of-the-user|Ann/);
  expect(receiver.arrivals).toMatchObject([
    { path: '/v1/find?first=Ann', body: '{"a":1}', headers: { 'x-key': 'key-of-the-user' } },
  ]);
});

test('the certificate must be of the host behind the proxy, and of a trusted authority', async () => {
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  const proxy = await openConnectProxy({ port: receiver.port });
  const routes = through(`PROXY ${proxy.host}`);
  const unknown = await send('https://elsewhere.example/', routes);
  expect(unknown).toMatchObject({
    result: { isSent: false, message: expect.stringMatching(/not trusted.*DESK_EXTRA_CA_CERTS/) },
  });
  trustTests();
  const other = await send('https://other.example/', routes);
  expect(other.result).toMatchObject({
    isSent: false,
    message: expect.stringMatching(/for another host/),
  });
  expect([unknown.sends, other.sends, receiver.arrivals]).toEqual([0, 0, []]);
});

test('a proxy with an https address is checked as well, whatever the environment says', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  const proxy = await openConnectProxy({ port: receiver.port, isSecure: true });
  const routes = through(`HTTPS ${proxy.host}`);
  const refused = await send('https://elsewhere.example/', routes);
  expect(refused.result).toMatchObject({ message: expect.stringContaining('not trusted') });
  expect(proxy.targets).toEqual([]);
  trustTests();
  const { result } = await send('https://elsewhere.example/', routes);
  expect([result, proxy.targets]).toMatchObject([{ status: 200 }, ['elsewhere.example:443']]);
});

test('the user name and the password go to the proxy, and into no error', async () => {
  const proxy = await openConnectProxy({ status: 407 });
  const routes = withVariable(`http://ann:s%40cret@${proxy.host}`);
  const { result } = await send('https://elsewhere.example/', routes);
  const basic = Buffer.from('ann:s@cret').toString('base64');
  expect(proxy.headers['proxy-authorization']).toBe(`Basic ${basic}`);
  expect(result).toMatchObject({
    message: `The proxy ${proxy.host} refused the user name or the password in HTTPS_PROXY.`,
  });
  expect(String((result as Error).stack)).not.toMatch(/s%40cret|s@cret/);
});

test.each([
  [407, /asks for a user name and a password\. Set HTTPS_PROXY to http:\/\/USER:PASSWORD@/],
  [403, /did not open a connection to elsewhere\.example \(status 403\)\. Ask its administrator/],
  [502, /did not open a connection to elsewhere\.example \(status 502\)/],
  ['reset', /gave no answer \(\w+\)\. Check the proxy settings of the system/],
  ['silent', /did not answer in time\. Check the proxy settings of the system/],
] as const)('a proxy that answers %s is named, and nothing is sent', async (status, says) => {
  const proxy = await openConnectProxy({ status });
  const timeoutMs = status === 'silent' ? 200 : 10_000;
  const routes = through(`PROXY ${proxy.host}; PROXY localhost:9`);
  const { result, sends } = await send('https://elsewhere.example/', routes, timeoutMs);
  expect(result).toMatchObject({ isSent: false, message: expect.stringMatching(says) });
  expect([sends, proxy.targets.length]).toEqual([0, 1]);
});

test('a proxy that cannot be reached is named; the next one of the list is tried', async () => {
  trustTests();
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  const proxy = await openConnectProxy({ port: receiver.port });
  const closed = `localhost:${await findClosedPort()}`;
  const alone = await send('https://elsewhere.example/', withVariable(`http://${closed}`));
  expect(alone.result).toMatchObject({
    isSent: false,
    message: `The proxy ${closed} cannot be reached (ECONNREFUSED). Check HTTPS_PROXY.`,
  });
  const routes = through(`PROXY ${closed}; PROXY ${proxy.host}`);
  const { result } = await send('https://elsewhere.example/', routes);
  expect([result, proxy.targets]).toMatchObject([{ status: 200 }, ['elsewhere.example:443']]);
});

test('a private address is refused before the proxy is asked, and on a direct route', async () => {
  const proxy = await openConnectProxy();
  const routes = through(`PROXY ${proxy.host}`);
  const literal = await send('https://10.0.0.1/', routes);
  const direct = await send('https://localhost/', through('DIRECT'));
  for (const { result } of [literal, direct])
    expect(result).toMatchObject({ message: expect.stringContaining('private network') });
  expect(proxy.targets).toEqual([]);
});
