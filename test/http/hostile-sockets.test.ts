// Raw socket input that is not valid HTTP: every connection ends with responses in the product's
// format or none, and the server continues.
import { tmpdir } from 'node:os';
import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import {
  connectionIdleMaxMs,
  headersBytesMax,
  headersReceiveMaxMs,
  requestReceiveMaxMs,
} from '../../engine/contract/limits/http.ts';
import { withForm } from '../../engine/http/bodies/receive-form.ts';
import { closeServer, listenOnLoopback } from '../../engine/http/loopback.ts';
import { createTasks } from '../../engine/http/tasks.ts';
import type { UploadStore } from '../../engine/http/upload-store.ts';
import { planRuns } from './hostile-requests.ts';
import { openApiDesk } from './open-api-desk.ts';
import { authorityOf, converse, statusesOf, writeHead } from './raw-sockets.ts';

const submitPath = '/api/v1/data-enrichment/submit/';

test('pipelined requests are answered one by one, in order', async () => {
  const desk = await openApiDesk();
  const asked = ['/healthz', '/api/v1/nothing', '/healthz', '/api/v1/data-enrichment/jobs/'];
  const last = asked.length - 1;
  const text = asked.map((path, at) =>
    writeHead(desk, `GET ${path}`, `Connection: ${at === last ? 'close' : 'keep-alive'}`),
  );
  expect(statusesOf(await converse(desk, [text.join('')], false))).toEqual([200, 404, 200, 401]);
});

test.each(['close', 'keep-alive'])(
  'invalid HTTP after a whole request does not affect its response (Connection: %s)',
  async (connection) => {
    const desk = await openApiDesk();
    const whole = writeHead(desk, 'GET /healthz', `Connection: ${connection}`);
    const received = await converse(desk, [`${whole}\u0001 no HTTP at all\r\n\r\n`], false);
    expect(statusesOf(received)).toEqual([200]);
    expect(received).toMatch(/\{"status":"ok","version":"1.2.3"\}$/);
  },
);

test('a slow body that ends is read to its end', async () => {
  const desk = await openApiDesk();
  const body = JSON.stringify({ selected_layers: ['L1'], rows: [{ email: 'a@b.example' }] });
  const headers = [
    `Authorization: Token ${desk.key}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  const pieces = [writeHead(desk, `POST ${submitPath}`, ...headers), ...body];
  expect(statusesOf(await converse(desk, pieces, false))).toEqual([202]);
});

test.each([
  [
    'a body shorter than its length header',
    ['Content-Type: application/json', 'Content-Length: 100'],
    '{"a":',
  ],
  [
    'a truncated form',
    ['Content-Type: multipart/form-data; boundary=b', 'Content-Length: 900'],
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nemail\r\n',
  ],
  ['an invalid chunk', ['Transfer-Encoding: chunked'], 'zz\r\nabc'],
  ['two lengths', ['Content-Length: 1', 'Content-Length: 2'], 'ab'],
  ['a length and chunks', ['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'],
  ['an invalid length', ['Content-Length: -1'], ''],
  ['headers that are too large', [`X-Large: ${'x'.repeat(headersBytesMax)}`], ''],
  ['a header without a name', [': value'], ''],
  ['a folded header', ['X-A: b', ' c'], ''],
])(
  "%s is refused in the product's format, or not answered, and leaves nothing behind",
  async (_what, lines, body) => {
    const desk = await openApiDesk();
    const key = `Authorization: Token ${desk.key}`;
    const received = await converse(desk, [
      writeHead(desk, `POST ${submitPath}`, key, ...lines),
      body,
    ]);
    for (const status of statusesOf(received)) expect(status).toBe(400);
    if (received)
      expect(received).toContain('{"success":false,"error":"validation_error","detail":"');
    await desk.stop();
    expect(desk.listLeftovers()).toEqual([]);
  },
);

test('whatever bytes arrive, no response is a 500 and the server continues', async () => {
  const desk = await openApiDesk();
  const line = fc.constantFrom(
    'GET /healthz HTTP/1.1\r\n',
    `POST ${submitPath} HTTP/1.1\r\n`,
    'GET http://evil.example/ HTTP/1.1\r\n',
    'CONNECT 127.0.0.1:22 HTTP/1.1\r\n',
    'GET * HTTP/1.1\r\n',
    'OPTIONS * HTTP/1.1\r\n',
    'GET /healthz HTTP/9.9\r\n',
    'GET /healthz\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'G\u0000T /healthz HTTP/1.1\r\n',
  );
  const header = fc.constantFrom(
    `Host: ${authorityOf(desk)}\r\n`,
    `Host: ${authorityOf(desk)}\r\n`,
    'Host: evil.example\r\n',
    `Authorization: Token ${desk.key}\r\n`,
    'Upgrade: websocket\r\nConnection: upgrade\r\n',
    'Expect: 100-continue\r\n',
    'Expect: something else\r\n',
    'Connection: close, keep-alive\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Content-Length: 3\r\n',
    'Content-Type: application/json\r\n',
  );
  const garbage = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const end = fc.constantFrom('\r\n', '\r\n3\r\n{}\n\r\n0\r\n\r\n', '', '\n\n', '\r\n{}}');
  const message = fc
    .tuple(line, fc.array(header, { maxLength: 5 }), end, fc.option(garbage))
    .map(([first, headers, last, bytes]) => [first, ...headers, last, bytes ?? '']);
  const property = fc.asyncProperty(fc.array(message, { maxLength: 3 }), async (messages) => {
    const received = await converse(desk, messages.flat());
    expect(statusesOf(received).filter((status) => status >= 500)).toEqual([]);
    expect(received).not.toMatch(/node:internal|\n\s+at |\.ts:\d/);
  });
  await fc.assert(property, planRuns(300));
  expect((await desk.call('GET', '/healthz')).status).toBe(200);
}, 600_000);

test('no request and no connection lasts forever: the bounds are the configured limits', async () => {
  const { servers } = await listenOnLoopback((_request, response) => response.end(), 0);
  const bounds = servers.map(({ headersTimeout, requestTimeout, keepAliveTimeout }) => ({
    headersTimeout,
    requestTimeout,
    keepAliveTimeout,
  }));
  await Promise.all(servers.map(closeServer));
  for (const found of bounds)
    expect(found).toEqual({
      headersTimeout: headersReceiveMaxMs,
      requestTimeout: requestReceiveMaxMs,
      keepAliveTimeout: connectionIdleMaxMs,
    });
});

test('a form whose sender disconnects before it is read is refused and not waited for', async () => {
  const raw = Object.assign(new PassThrough(), { complete: false }).destroy();
  const request = { raw, parts: () => [new Promise(() => undefined)] } as unknown as FastifyRequest;
  const context = { tasks: createTasks(), uploads: { folder: tmpdir() } as UploadStore };
  const reading = withForm(context, request, { files: [], bytesMax: 1 }, async () => undefined);
  await expect(reading).rejects.toMatchObject({ code: 'validation_error' });
});
