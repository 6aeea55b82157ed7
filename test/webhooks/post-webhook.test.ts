/** A delivery connects to the address that was checked, and to no other. */
import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { postWebhook } from '../../engine/webhooks/post-webhook.ts';
import { isAllowedAddress } from '../../engine/webhooks/webhook-url.ts';
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
