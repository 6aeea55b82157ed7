// Errors at the edges: responses that Node would send itself, misspelt paths, and the format of
// each area for incomplete requests.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { headersBytesMax } from '../../engine/contract/limits/http.ts';
import { type Desk, expectRefusal, openApiDesk, shareApiDesk } from './open-api-desk.ts';
import { authorityOf, converse } from './raw-sockets.ts';

const openDesk = shareApiDesk();

const envelope = (code: string) => ({
  success: false,
  error: code,
  detail: expect.stringMatching(/.{10}/),
});
const lookup = (status: number) => ({
  status: 'error',
  message: expect.stringMatching(/.{10}/),
  code: status,
});
const rpc = (code: number) => ({
  jsonrpc: '2.0',
  error: expect.objectContaining({ code, message: expect.stringMatching(/.{10}/) }),
  id: null,
});

/** Sends lines unchanged; returns the status and the parsed body of the one response. */
async function ask(desk: Desk, ...lines: string[]): Promise<{ status: number; body: unknown }> {
  const received = await converse(desk, [[...lines, '', ''].join('\r\n')], false);
  const [head = '', body = ''] = received.split('\r\n\r\n');
  expect(head).toMatch(/content-type: application\/json/i);
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body) };
}

const areas = [
  ['/api/v1/data-enrichment/jobs/', envelope('validation_error'), envelope('not_found')],
  ['/staging/api/v1/pipeline/', envelope('validation_error'), envelope('not_found')],
  ['/app/v1/state', envelope('validation_error'), envelope('not_found')],
  ['/phone/enrichment/?token=x', lookup(400), lookup(404)],
  ['/staging/email/enrichment/', lookup(400), lookup(404)],
  ['/api/v1/mcp', rpc(-32600), rpc(-32601)],
  ['/staging/api/v1/mcp/x', rpc(-32600), rpc(-32601)],
] as const;

test.each(areas)('%s uses its format for what the parser refuses', async (path, invalid) => {
  const desk = await openDesk();
  const host = `Host: ${authorityOf(desk)}`;
  for (const wrong of [': value', 'Content-Length: -1', `X: ${'x'.repeat(headersBytesMax)}`])
    expect(await ask(desk, `POST ${path} HTTP/1.1`, host, wrong)).toEqual({
      status: 400,
      body: invalid,
    });
});

test.each(areas)('%s answers methods that Node does not know', async (path, _invalid, unknown) => {
  const desk = await openDesk();
  for (const method of ['FETCH', 'get', 'X-Y'])
    expect(await ask(desk, `${method} ${path} HTTP/1.1`, `Host: ${authorityOf(desk)}`)).toEqual({
      status: 404,
      body: unknown,
    });
});

test.each(areas)(
  '%s without a Host, or with an Expect, is 400 in its format',
  async (path, invalid) => {
    const desk = await openDesk();
    const close = 'Connection: close';
    const refused = { status: 400, body: invalid };
    expect(await ask(desk, `GET ${path} HTTP/1.1`, close)).toEqual(refused);
    const host = `Host: ${authorityOf(desk)}`;
    expect(await ask(desk, `GET ${path} HTTP/1.1`, host, 'Expect: x', close)).toEqual(refused);
  },
);

test('CONNECT is an unknown method like any other', async () => {
  const desk = await openDesk();
  expect(await ask(desk, 'CONNECT 127.0.0.1:22 HTTP/1.1', `Host: ${authorityOf(desk)}`)).toEqual({
    status: 404,
    body: envelope('not_found'),
  });
});

test('a request that the parser refuses after another one has the format of its own path', async () => {
  const desk = await openDesk();
  const host = `Host: ${authorityOf(desk)}`;
  const first = `GET /healthz HTTP/1.1\r\n${host}\r\n\r\n`;
  const received = await converse(desk, [first, '', `FETCH /phone/x HTTP/1.1\r\n${host}\r\n\r\n`]);
  expect(received.split('\r\n\r\n').slice(0, 2).join()).toContain('{"status":"ok"');
});

async function openWithPage(): Promise<Desk> {
  const uiDir = await mkdtemp(join(tmpdir(), 'desk-page-'));
  onTestFinished(() => rm(uiDir, { recursive: true }));
  await writeFile(join(uiDir, 'index.html'), '<title>page</title>');
  return openApiDesk({ uiDir });
}

const visit = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test.each([
  '/API/v1/data-enrichment/layers/',
  '/Staging/api/v1/data-enrichment/layers/',
  '/favicon.png',
])('GET %s is a 404 in JSON, and never the page', async (path) => {
  const desk = await openWithPage();
  for (const headers of [{}, { accept: 'application/json' }, visit])
    expectRefusal(await desk.call('GET', path, { headers }), 'not_found');
});

test.each(['/ap1/v1/data-enrichment/layers/', '/v1/data-enrichment/layers', '/openapi', '/jobsx'])(
  'GET %s is a 404 in JSON for a program',
  async (path) => {
    const desk = await openWithPage();
    for (const headers of [{}, { accept: '*/*' }, { accept: 'application/json' }])
      expectRefusal(await desk.call('GET', path, { headers }), 'not_found');
  },
);

test.each(['/jobs/7', '/settings', '/pipelines/new'])(
  'the screen %s is sent if HTML is accepted, and is a 404 in JSON otherwise',
  async (path) => {
    const desk = await openWithPage();
    const page = await desk.call('GET', path, { headers: visit });
    expect([page.status, page.text]).toEqual([200, '<title>page</title>']);
    expectRefusal(await desk.call('GET', path), 'not_found');
    expectRefusal(
      await desk.call('GET', path, { headers: { accept: 'application/json' } }),
      'not_found',
    );
  },
);

test('everything under the old path is deprecated, including errors', async () => {
  const desk = await openDesk();
  const old = '/api/v1/enrichment';
  for (const [method, path, options] of [
    ['GET', `${old}/nothing`, {}],
    ['GET', old, {}],
    ['PUT', `${old}/submit/`, {}],
    ['GET', `${old}/status/%zz/`, {}],
    ['GET', `${old}/layers/`, { key: null }],
    ['GET', `${old}/layers/`, { headers: { origin: 'http://evil.example' } }],
  ] as const) {
    const { headers } = await desk.call(method, path, options);
    const told = [headers.get('deprecation'), headers.get('link')];
    expect([method, path, ...told]).toEqual([
      method,
      path,
      expect.stringMatching(/^@\d+$/),
      '</api/v1/data-enrichment/>; rel="successor-version"',
    ]);
  }
  const { headers } = await desk.call('GET', '/api/v1/data-enrichment/nothing');
  expect(headers.get('deprecation')).toBeNull();
});
