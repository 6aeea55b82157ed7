// The proxy from the page to the engine: what it forwards, what it drops, without buffering.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { forwardToEngine, isEnginePath, isOwnRequest } from '../../main/engine-proxy.ts';

async function openServer(answer: (incoming: IncomingMessage, outgoing: ServerResponse) => void) {
  const server = createServer(answer);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    whenReady: async () => ({ url, token: 'the-token' }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

test('the engine receives the token and the page’s headers, but not its origin or cookies', async () => {
  await using engine = await openServer((incoming, outgoing) => {
    outgoing.end(JSON.stringify({ url: incoming.url, headers: incoming.headers }));
  });
  const headers = {
    origin: 'app://desk',
    referer: 'app://desk/jobs',
    cookie: 'a=b',
    'x-desk-session': 'forged',
    'idempotency-key': 'k',
    'sec-fetch-site': 'same-origin',
  };
  const request = new Request('app://desk/api/v1/jobs?limit=5', { headers });
  const answer = await forwardToEngine(request, engine.whenReady);
  const seen = (await answer.json()) as { url: string; headers: Record<string, string> };
  expect(seen.url).toBe('/api/v1/jobs?limit=5');
  expect(seen.headers).toMatchObject({ 'x-desk-session': 'the-token', 'idempotency-key': 'k' });
  const names = Object.keys(seen.headers);
  expect(names.filter((name) => /origin|referer|cookie|sec-/.test(name))).toEqual([]);
});

test.each([
  [{}, true],
  [{ origin: 'app://desk' }, true],
  [{ origin: 'app://desk.evil' }, false],
  [{ origin: 'https://desk' }, false],
  [{ origin: 'null' }, false],
  [{ referer: 'app://desk/x' }, true],
  [{ referer: 'app://desk.evil/x' }, false],
] as const)('a request with %j is the page’s own: %s', async (headers, isOwn) => {
  expect(isOwnRequest(new Headers(headers))).toBe(isOwn);
  const request = new Request('app://desk/api/v1/x', { headers });
  const answer = await forwardToEngine(request, () => Promise.reject(new Error('closed')));
  expect(answer.status).toBe(isOwn ? 503 : 403);
});

test('bodies of requests and responses are streamed', async () => {
  await using engine = await openServer((incoming, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
    incoming.pipe(outgoing);
  });
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const init = { method: 'POST', body: readable, duplex: 'half' } as RequestInit;
  const request = new Request('app://desk/app/v1/uploads', init);
  const writer = writable.getWriter();
  // The first chunk must come back before the second one is sent.
  const first = writer.write(Buffer.from('one'));
  const answer = await forwardToEngine(request, engine.whenReady);
  await first;
  const reader = answer.body?.getReader();
  expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('one');
  await writer.write(Buffer.from('two'));
  expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('two');
  await writer.close();
  expect((await reader?.read())?.done).toBe(true);
});

test('a page that stops reading closes the engine’s connection', async () => {
  const closed = Promise.withResolvers<void>();
  await using engine = await openServer((_incoming, outgoing) => {
    outgoing.write('data: 1\n\n');
    outgoing.on('close', () => closed.resolve());
  });
  const answer = await forwardToEngine(new Request('app://desk/app/v1/events'), engine.whenReady);
  const reader = answer.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  await closed.promise;
});

test('a redirect is returned and not followed', async () => {
  await using engine = await openServer((_incoming, outgoing) => {
    outgoing.writeHead(307, { location: 'http://elsewhere.example/' }).end();
  });
  const answer = await forwardToEngine(new Request('app://desk/api/v1/x'), engine.whenReady);
  expect([answer.status, answer.headers.get('location')]).toEqual([
    307,
    'http://elsewhere.example/',
  ]);
});

test('a response without a body and one with several cookies are complete, without the cookies', async () => {
  await using engine = await openServer((_incoming, outgoing) => {
    outgoing.writeHead(204, { 'set-cookie': ['a=1', 'b=2'], 'x-request-id': '7' }).end();
  });
  const answer = await forwardToEngine(new Request('app://desk/api/v1/x'), engine.whenReady);
  expect(answer.status).toBe(204);
  expect(answer.headers.get('set-cookie')).toBeNull();
  expect(answer.headers.get('x-request-id')).toBe('7');
});

test('an engine that is not available is answered in its own format with the reason', async () => {
  const whenReady = () => Promise.reject(new Error('port 43117 is taken.'));
  const answer = await forwardToEngine(new Request('app://desk/api/v1/x'), whenReady);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({
    success: false,
    error: 'internal_error',
    detail: expect.stringContaining('port 43117 is taken.'),
  });
});

test.each([
  ['/api/v1/x', true],
  ['/app/v1/x', true],
  ['/openapi.json', true],
  ['/staging/api/v1/x', true],
  ['/staging/app/v1/x', true],
  ['/staging', false],
  ['/staging/jobs', false],
  ['/apix', false],
  ['/', false],
  ['/jobs/api/', false],
])('the path %s is the engine’s: %s', (pathname, isEngine) => {
  expect(isEnginePath(pathname)).toBe(isEngine);
});
