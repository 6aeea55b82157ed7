// Requests over https: certificates, and the moment at which the bytes are sent.
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type FindRoutes, goDirectly } from '../../../engine/platform/net/proxy-routes.ts';
import {
  RequestFailed,
  sendRequest,
} from '../../../engine/providers/definitions/provider-connection.ts';
import { trustTests } from '../../connect-proxy.ts';
import { openReceiver } from '../../webhook-receiver.ts';

interface Sending {
  readonly body?: string | null;
  readonly timeoutMs?: number;
  readonly findRoutes?: FindRoutes;
}

async function send(
  address: string,
  { body = '{"a":1}', timeoutMs = 10_000, findRoutes = goDirectly }: Sending = {},
) {
  let sends = 0;
  const headers = { 'content-type': 'application/json', 'x-key': 'k' };
  const outgoing = { method: 'POST', url: new URL(address), headers, body } as const;
  const work = sendRequest(outgoing, {
    signal: new AbortController().signal,
    timeoutMs,
    findRoutes,
    isAllowed: () => true,
    onSend() {
      sends += 1;
    },
  });
  const result = await work.catch((error: unknown) => error);
  return { result, sends };
}

test('an answer over https has its status, headers and text', async () => {
  trustTests();
  const receiver = await openReceiver();
  receiver.answer = (response) =>
    response.writeHead(203, { 'X-Left': '7', 'set-cookie': ['a', 'b'] }).end('"ä"');
  const { result, sends } = await send(receiver.url);
  expect(result).toMatchObject({
    status: 203,
    headers: { 'x-left': '7', 'set-cookie': 'a, b' },
    text: '"ä"',
  });
  expect(sends).toBe(1);
  expect(receiver.arrivals).toMatchObject([{ body: '{"a":1}', headers: { 'x-key': 'k' } }]);
});

test.each([
  ['of an unknown authority', 'receiver', false, /not trusted/],
  ['for another host', 'elsewhere', true, /for another host/],
] as const)(
  'with a certificate %s nothing is sent',
  async (_name, certificate, isTrusted, says) => {
    if (isTrusted) trustTests();
    const receiver = await openReceiver({ certificate });
    const { result, sends } = await send(receiver.url);
    expect(result).toBeInstanceOf(RequestFailed);
    expect(result).toMatchObject({ isSent: false, message: expect.stringMatching(says) });
    expect([sends, receiver.arrivals]).toEqual([0, []]);
  },
);

test('a server that accepts the connection and never ends the handshake received nothing', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as AddressInfo;
  const { result, sends } = await send(`https://127.0.0.1:${port}/`, {
    body: null,
    timeoutMs: 200,
  });
  expect(result).toMatchObject({ isSent: false, message: 'The service did not answer in time.' });
  expect(sends).toBe(0);
});

test('a name without an address is not sent to', async () => {
  const { result, sends } = await send('https://nowhere.invalid/');
  expect(result).toMatchObject({ isSent: false });
  expect(sends).toBe(0);
});
