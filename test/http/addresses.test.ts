// Routing: slashes, unknown paths and methods, older routes, guards, headers, the page.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../engine/app/start-server.ts';
import { type Desk, expectRefusal, openApiDesk, shareApiDesk } from './open-api-desk.ts';
import { authorityOf, converse, statusesOf, writeHead } from './raw-sockets.ts';

const openDesk = shareApiDesk();

test('GET /healthz says that the engine is well, without a key', async () => {
  const desk = await openDesk();
  const { status, body } = await desk.call('GET', '/healthz', { key: null });
  expect({ status, body }).toEqual({ status: 200, body: { status: 'ok', version: '1.2.3' } });
});

const routes = [
  ['GET', 'layers', 200],
  ['POST', 'estimate', 200],
  ['POST', 'submit', 202],
  ['GET', 'status/:id', 200],
  ['GET', 'result/:id', 409],
  ['GET', 'jobs', 200],
  ['POST', 'retry/:id', 409],
  ['POST', 'cancel/:id', 200],
] as const;

test.each(['data-enrichment', 'enrichment'])(
  'every route of /api/v1/%s answers with and without its trailing slash, without a redirect',
  async (area) => {
    const desk = await openDesk();
    const json = { selected_layers: ['L1'], rows: [{ email: 'a@b.example' }] };
    for (const slash of ['', '/']) {
      const { data } = await desk.call('POST', 'submit/', { json });
      for (const [method, route, status] of routes) {
        const path = `/api/v1/${area}/${route.replace(':id', data.job_id)}${slash}`;
        const answer = await desk.call(method, path, method === 'POST' ? { json } : {});
        expect([path, answer.status]).toEqual([path, status]);
        const isOld = area === 'enrichment';
        expect(answer.headers.get('deprecation')).toBe(isOld ? '@1791676800' : null);
        expect(answer.headers.get('link')).toBe(
          isOld ? '</api/v1/data-enrichment/>; rel="successor-version"' : null,
        );
      }
    }
  },
);

test.each([
  ['GET', '/api'],
  ['GET', '/api/v1'],
  ['GET', '/api/v1/data-enrichment/'],
  ['GET', '/api/v1/data-enrichment/nothing/'],
  ['POST', '/api/v1/data-enrichment/layers/'],
  ['GET', '/api/v1/data-enrichment/submit/'],
  ['PUT', '/api/v1/data-enrichment/jobs/'],
  ['DELETE', '/api/v1/data-enrichment/jobs/'],
  ['OPTIONS', '/api/v1/data-enrichment/jobs/'],
  ['PATCH', '/app/v1/downloads/x'],
  ['PROPFIND', '/api/v1/data-enrichment/jobs/'],
  ['GET', '/api/v1/data-enrichment/status/'],
  ['GET', '/api/v1/data-enrichment/status/%zz/'],
  ['GET', '/API/v1/data-enrichment/layers/'],
  ['GET', '/app/v1/nothing'],
  ['GET', '/.well-known/anything'],
  ['GET', '/'],
])('%s %s is 404 in the envelope', async (method, path) => {
  const desk = await openDesk();
  const headers = { 'content-type': 'text/odd' };
  const answer = await desk.call(method, path, method === 'GET' ? {} : { headers, body: 'x' });
  expectRefusal(answer, 'not_found');
});

test('an id of three thousand characters is 404 too', async () => {
  const desk = await openDesk();
  expectRefusal(await desk.call('GET', `status/${'x'.repeat(3_000)}/`), 'not_found');
});

/** A raw request, which can have any Host. */
const sendRaw = (desk: Desk, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; body: string; policy: string }>((resolve, reject) => {
    const { port } = new URL(desk.url);
    const all = { authorization: `Token ${desk.key}`, host: `127.0.0.1:${port}`, ...headers };
    request({ host: '127.0.0.1', port, path, headers: all }, async (response) =>
      resolve({
        status: response.statusCode ?? 0,
        body: await text(response),
        policy: `${response.headers['content-security-policy']}`,
      }),
    )
      .on('error', reject)
      .end();
  });

test.each([
  ['a rebound name', { host: 'evil.example' }],
  ['a foreign page', { origin: 'http://evil.example' }],
  ['a foreign site without an origin', { 'sec-fetch-site': 'cross-site' }],
])('%s is forbidden everywhere, with a key too', async (_what, headers) => {
  const desk = await openDesk();
  for (const path of ['/healthz', '/api/v1/data-enrichment/layers/', '/app/v1/state', '/nothing']) {
    const { status, body } = await sendRaw(desk, path, headers);
    expect([status, JSON.parse(body).error]).toEqual([403, 'forbidden']);
  }
});

test('no response allows another origin, and every response has the security headers', async () => {
  const desk = await openDesk();
  for (const path of ['/healthz', 'layers/', 'nothing/', 'status/%zz/']) {
    const { headers } = await desk.call('GET', path, { headers: { origin: 'app://desk' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  }
});

async function makeInterface(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'desk-page-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await mkdir(join(dir, 'assets'));
  await writeFile(join(dir, 'index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__">');
  await writeFile(join(dir, 'assets', 'app-1a2b.js'), 'go()');
  await writeFile(join(dir, 'favicon.svg'), '<svg/>');
  return dir;
}

test('every response with the page has a policy with its own nonce', async () => {
  const desk = await openApiDesk({ uiDir: await makeInterface() });
  const nonces = new Set<string>();
  for (const path of ['/', '/index.html', '/jobs/7', '/settings']) {
    const asked = { headers: { accept: 'text/html' } };
    const { status, text: page, headers } = await desk.call('GET', path, asked);
    const nonce = /content="([\w-]{22})"/.exec(page)?.[1] ?? '';
    expect([path, status, headers.get('content-type')]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
    ]);
    expect(headers.get('content-security-policy')).toContain(`style-src 'self' 'nonce-${nonce}'`);
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; script-src 'self';",
    );
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(4);
});

test('files of the page are served, hashed ones as immutable, and nothing outside its folder', async () => {
  const desk = await openApiDesk({ uiDir: await makeInterface() });
  const script = await desk.call('GET', '/assets/app-1a2b.js');
  expect([script.text, script.headers.get('cache-control')]).toEqual([
    'go()',
    'public, max-age=31536000, immutable',
  ]);
  const icon = await desk.call('GET', '/favicon.svg');
  expect([icon.status, icon.headers.get('cache-control')]).toEqual([200, 'no-store']);
  for (const path of [
    '/assets/gone.js',
    '/..%2f..%2fetc%2fpasswd',
    '/assets/../../x.js',
    '/%00.js',
  ])
    expectRefusal(await desk.call('GET', path), 'not_found');
  expectRefusal(await desk.call('POST', '/'), 'not_found');
  expectRefusal(await desk.call('GET', '/api/v1/nothing'), 'not_found');
});

test('files of the page are sent compressed if the browser accepts it', async () => {
  const uiDir = await makeInterface();
  const script = join(uiDir, 'assets', 'app-1a2b.js');
  await writeFile(`${script}.br`, brotliCompressSync('go()'));
  await writeFile(`${script}.gz`, gzipSync('go()'));
  const desk = await openApiDesk({ uiDir });
  const path = '/assets/app-1a2b.js';
  const etags = new Set<string>();
  for (const [accepted, sent] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip, deflate', 'gzip'],
    ['identity', null],
  ] as const) {
    const { text, headers } = await desk.call('GET', path, {
      headers: { 'accept-encoding': accepted },
    });
    expect([accepted, text, headers.get('content-encoding')]).toEqual([accepted, 'go()', sent]);
    expect(headers.get('content-type')).toContain('javascript');
    expect(headers.get('vary')?.toLowerCase()).toContain('accept-encoding');
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const etag = headers.get('etag') ?? '';
    const known = { 'accept-encoding': accepted, 'if-none-match': etag };
    expect((await sendRaw(desk, path, known)).status).toBe(304);
    etags.add(etag);
  }
  expect(etags.size).toBe(3);
});

test('a link of another site leads to the page, and to nothing else, however it is written', async () => {
  const desk = await openApiDesk({ uiDir: await makeInterface() });
  const visit = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  expect((await sendRaw(desk, '/', visit)).status).toBe(200);
  for (const path of [
    '/api/v1/data-enrichment/layers/',
    '/%61pi/v1/data-enrichment/layers/',
    '/%61%70%69/v1/data-enrichment/layers',
    '/app/v1/state#/',
    '/%61pp/v1/state?x=/',
    '/phone/enrichment/',
    '/email/enrichment/',
    '/oauth/token',
  ])
    expect([path, (await sendRaw(desk, path, visit)).status]).toEqual([path, 403]);
});

test('a program cannot keep its requests out of the log by how it writes the path', async () => {
  const desk = await openApiDesk();
  await sendRaw(desk, '/%61pi/v1/data-enrichment/layers/', {});
  const read = async () => (await desk.app('GET', 'requests')).data.requests;
  await expect
    .poll(read)
    .toMatchObject([{ route: '/api/v1/data-enrichment/layers', caller: 'key', status: 200 }]);
});

test.each([
  ['two hosts', '/healthz', ['Host: evil.example']],
  ['the same host twice', '/healthz', (own: string) => [`host: ${own}`]],
  ['an absolute address', 'http://evil.example/healthz', []],
  ['an absolute address of this machine', (own: string) => `http://${own}/healthz`, []],
] as const)('a request with %s is refused', async (_what, path, more) => {
  const desk = await openDesk();
  const own = authorityOf(desk);
  const target = typeof path === 'string' ? path : path(own);
  const lines = typeof more === 'function' ? more(own) : more;
  const head = writeHead(desk, `GET ${target}`, ...lines, 'Connection: close');
  const received = await converse(desk, [head], false);
  expect(statusesOf(received)).toEqual([400]);
  expect(received).toContain('"error":"validation_error"');
});

test('a second server on the same port fails with a message, and leaves the first alone', async () => {
  const desk = await openDesk();
  const port = Number(new URL(desk.url).port);
  const config = { port, socketPath: null, uiDir: null, sessionToken: null, version: '1' };
  await expect(startServer({ environment: desk.environment, config })).rejects.toMatchObject({
    code: 'port_unavailable',
    detail: expect.stringContaining(`Port ${port} is in use`),
  });
  expect((await desk.call('GET', '/healthz')).status).toBe(200);
});

test('a bug is answered with an id and without internals', async () => {
  const desk = await openApiDesk();
  desk.environment.writer['jobs.cancel'] = async () => {
    throw new TypeError('secret internals');
  };
  const answer = await desk.call('POST', 'cancel/00000000-0000-4000-8000-000000000000/');
  expectRefusal(answer, 'internal_error', /search for [0-9a-f-]{36} in the engine's log/);
  expect(answer.text).not.toContain('secret');
});

test('a full disk is read_only with a remedy', async () => {
  const desk = await openApiDesk();
  desk.environment.writer['jobs.cancel'] = async () => {
    throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
  };
  const answer = await desk.call('POST', 'cancel/00000000-0000-4000-8000-000000000000/');
  expectRefusal(answer, 'read_only', /Free disk space/);
});
