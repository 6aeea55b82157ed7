// A delivery connects to the address that was checked, and to no other.
import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { parseProxyList } from '../../engine/platform/net/proxy-routes.ts';
import { isPublicAddress } from '../../engine/platform/net/public-address.ts';
import { postWebhook } from '../../engine/webhooks/post-webhook.ts';
import { isAllowedAddress, isLocalHost } from '../../engine/webhooks/webhook-url.ts';
import { openConnectProxy, trustTests } from '../connect-proxy.ts';
import { openReceiver } from '../webhook-receiver.ts';

/** Name servers that return one list after the other. */
function answerLookups(...lists: string[][]) {
  const asked: string[] = [];
  const lookup = (
    host: string,
    _options: object,
    callback: (error: null, found: LookupAddress[]) => void,
  ) => {
    const found = lists[Math.min(asked.length, lists.length - 1)]!;
    asked.push(host);
    callback(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { asked, lookup: lookup as never };
}

const post = (url: string, lookup: never, hosts: string[] = []) =>
  postWebhook(
    { url, headers: {}, body: '{}' },
    {
      lookup,
      isAllowed: (to, address) => isAllowedAddress(to, address, { environment: 'live', hosts }),
    },
  );

test('a name with a private address is not connected to, even if it had a public one before', async () => {
  const receiver = await openReceiver();
  const { lookup, asked } = answerLookups(['127.0.0.1'], ['93.184.215.14']);
  const url = receiver.url.replace('localhost', 'rebound.example');
  const outcome = await post(url, lookup);
  expect(outcome).toMatchObject({ status: null, error: expect.stringMatching(/private network/) });
  expect([asked, receiver.arrivals]).toEqual([['rebound.example'], []]);
});

test('one private address among public ones is enough to refuse', async () => {
  const { lookup } = answerLookups(['93.184.215.14', '10.0.0.1']);
  const outcome = await post('https://mixed.example/', lookup);
  expect(outcome.error).toMatch(/private network/);
});

test('a name is resolved once per post: the checked address is the connected one', async () => {
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  // A second lookup would return another address.
  const { lookup, asked } = answerLookups(['127.0.0.1'], ['192.0.2.1']);
  const url = receiver.url.replace('localhost', 'elsewhere.example');
  const outcome = await post(url, lookup, ['elsewhere.example']);
  // It got as far as the certificate, whose authority is not trusted here.
  expect(outcome.error).toMatch(/certificate is not trusted/);
  expect(asked).toEqual(['elsewhere.example']);
});

test.each(['https://127.0.0.1:1/', 'https://[::1]:1/', 'https://169.254.169.254/'])(
  '%s as a literal is not connected to',
  async (url) => {
    const { lookup, asked } = answerLookups(['93.184.215.14']);
    expect((await post(url, lookup)).error).toMatch(/private network/);
    expect(asked).toEqual([]);
  },
);

test('an endless response is read no further than its excerpt', async () => {
  const receiver = await openReceiver({ certificate: null });
  receiver.answer = (response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  };
  const options = { isAllowed: () => true };
  const outcome = await postWebhook({ url: receiver.url, headers: {}, body: '{}' }, options);
  expect(outcome).toMatchObject({ status: 200, error: null });
  expect(outcome.answer.length).toBe(4_096);
});

/** Posts to elsewhere.example through a proxy that leads to a receiver. */
async function postThrough(lookup: never, status: 200 | 407 = 200) {
  const receiver = await openReceiver({ certificate: 'elsewhere' });
  const proxy = await openConnectProxy({ port: receiver.port, status });
  const outcome = await postWebhook(
    {
      url: 'https://elsewhere.example/hook?token=secret',
      headers: { 'x-a': '1' },
      body: '{"a":"é"}',
    },
    {
      lookup,
      isAllowed: (_url, address) => isPublicAddress(address),
      findRoutes: async () => parseProxyList(`PROXY ${proxy.host}`),
    },
  );
  return { receiver, proxy, outcome };
}

test('a delivery goes through the proxy, which learns only the host', async () => {
  trustTests();
  const { lookup } = answerLookups(['93.184.215.14']);
  const { receiver, proxy, outcome } = await postThrough(lookup);
  expect(outcome).toMatchObject({ status: 200, answer: 'thank you', error: null });
  expect(proxy.targets).toEqual(['elsewhere.example:443']);
  expect(JSON.stringify(proxy.headers)).not.toContain('secret');
  expect(receiver.arrivals).toMatchObject([
    { path: '/hook?token=secret', body: '{"a":"é"}', headers: { 'x-a': '1' } },
  ]);
});

test('a name with a private address here is refused before the proxy; one unknown here is not', async () => {
  trustTests();
  const refused = await postThrough(answerLookups(['10.0.0.1']).lookup);
  expect(refused.outcome.error).toMatch(/private network/);
  expect([refused.proxy.targets, refused.receiver.arrivals]).toEqual([[], []]);
  const unknown = (_host: string, _options: object, callback: (error: Error) => void) =>
    callback(Object.assign(new Error(), { code: 'ENOTFOUND' }));
  expect((await postThrough(unknown as never)).outcome.status).toBe(200);
});

test('a certificate of an unknown authority, and a proxy that asks for a password, are named', async () => {
  const { lookup } = answerLookups(['93.184.215.14']);
  const untrusted = await postThrough(lookup);
  expect(untrusted.outcome.error).toMatch(/certificate is not trusted/);
  expect(untrusted.receiver.arrivals).toEqual([]);
  const refused = await postThrough(lookup, 407);
  expect(refused.outcome.error).toMatch(/asks for a user name and a password/);
});

test.each([
  ['https://[fd00::1]/', [], true],
  ['https://10.0.0.1/', [], true],
  ['https://crm.corp.example/', ['crm.corp.example'], true],
  ['https://hooks.example/', ['crm.corp.example'], false],
])('a proxy is not used for %s if the account allows %s: %s', (url, hosts, isLocal) => {
  expect(isLocalHost(new URL(url), { environment: 'live', hosts })).toBe(isLocal);
});
