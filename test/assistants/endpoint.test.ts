// The endpoint of section C: authentication, sessions, streams, direct callers, and hostile or
// broken clients. Every error is JSON-RPC.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../engine/app/environment.ts';
import { type RunningServer, startServer } from '../../engine/app/start-server.ts';
import { createSessionIds } from '../../engine/assistants/tool-server/session-ids.ts';
import { tools } from '../../engine/contract/assistants/tools.ts';
import { toolBatchMessagesMax, toolRequestsMax } from '../../engine/contract/limits/assistants.ts';
import { jsonBodyBytesMax } from '../../engine/contract/limits/http.ts';
import { sessionToken } from '../http/open-api-desk.ts';
import { runsOf } from '../property-runs.ts';
import { openToolDesk, type RpcAnswer, shareToolDesk } from './open-tool-desk.ts';

const openDesk = shareToolDesk();

const message = (method: string, params: unknown = {}, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const initialize = (protocolVersion: string) =>
  message('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'tests', version: '1' },
  });
const events = { accept: 'application/json, text/event-stream' };
const wallet = message('tools/call', { name: 'check_wallet', arguments: {} });

function expectRpcError(
  answer: RpcAnswer,
  status: number,
  code: number | number[],
  words = /.{8}/,
) {
  expect({ status: answer.status, body: answer.body }).toMatchObject({
    status,
    body: { jsonrpc: '2.0', error: { message: expect.stringMatching(words) } },
  });
  expect([code].flat()).toContain(answer.body.error.code);
}
const readEvents = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));

test('Authorization: Token and Bearer are accepted; all others learn the authorization server', async () => {
  const desk = await openDesk();
  const call = (headers: Record<string, string>) => desk.rpc(wallet, { key: null, headers });
  expect((await call({ authorization: `Token ${desk.key}` })).body.result.isError).toBe(undefined);
  expect((await call({ authorization: `bearer ${desk.key}` })).status).toBe(200);
  const metadata = `resource_metadata="${desk.url}/.well-known/oauth-protected-resource/api/v1/mcp"`;
  const stranger = await call({});
  expectRpcError(stranger, 401, -32000, /token/);
  expect(stranger.headers.get('www-authenticate')).toBe(`Bearer ${metadata}`);
  const wrong = await call({ authorization: 'Bearer sk_live_nothing' });
  expect(wrong.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", /);
  const byName = desk.url.replace('127.0.0.1', 'localhost');
  const named = await fetch(`${byName}/api/v1/mcp`, { method: 'POST' });
  expect(named.headers.get('www-authenticate')).toContain(`"${byName}/.well-known/`);
});

test('the app’s own session needs no key and pays from its account', async () => {
  const desk = await openDesk();
  const { body } = await desk.rpc(wallet, {
    key: null,
    headers: { 'x-desk-session': 'a session token of the tests' },
  });
  expect(body.result.structuredContent.available).toBe('100000.0000');
});

test.each(['2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of version %s has a session: it calls, listens and ends it',
  async (version) => {
    const desk = await openDesk();
    const opened = await desk.rpc(initialize(version), { headers: events });
    expect(readEvents(opened.text)[0].result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'enrichment-desk' },
      capabilities: { tools: {} },
    });
    const id = opened.headers.get('mcp-session-id') ?? '';
    expect(id).toMatch(/^[\w-]{36}\.[\w-]{43}$/);
    const headers = { ...events, 'mcp-session-id': id, 'mcp-protocol-version': version };
    const started = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await desk.rpc(started, { headers })).status).toBe(202);
    const listed = await desk.rpc(message('tools/list'), { headers });
    expect(readEvents(listed.text)[0].result.tools).toHaveLength(Object.keys(tools).length);
    const stream = await fetch(`${desk.url}/api/v1/mcp`, {
      headers: { authorization: `Token ${desk.key}`, ...headers, accept: 'text/event-stream' },
    });
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    await stream.body?.cancel();
    expect((await desk.rpc('', { method: 'DELETE', headers })).status).toBe(200);
    expectRpcError(await desk.rpc(wallet, { headers }), 404, -32001, /Session not found/);
  },
);

test('a session is bound to its account, and a forged id is refused', async () => {
  const desk = await openDesk();
  const opened = await desk.rpc(initialize('2025-06-18'), { headers: events });
  const id = opened.headers.get('mcp-session-id') ?? '';
  const { key } = await desk.openAccount(1);
  const headers = { ...events, 'mcp-session-id': id };
  expectRpcError(await desk.rpc(wallet, { key, headers }), 404, -32001);
  for (const forged of [id.slice(0, -1), `${id}x`, 'nothing', crypto.randomUUID(), '.', '%00'])
    expectRpcError(
      await desk.rpc(wallet, { headers: { ...events, 'mcp-session-id': forged } }),
      404,
      -32001,
    );
});

/** Starts another server on an environment; it stops with the test. */
async function startAgain(environment: Environment): Promise<RunningServer> {
  const config = { port: 0, socketPath: null, uiDir: null, sessionToken, version: '1.2.3' };
  const server = await startServer({ environment, config });
  onTestFinished(() => server.close());
  return server;
}

test('the session key is private, and ids survive the engine', { tags: ['posix'] }, async () => {
  const desk = await openToolDesk();
  const opened = await desk.rpc(initialize('2025-06-18'), { headers: events });
  const id = opened.headers.get('mcp-session-id') ?? '';
  const path = join(desk.environment.folder, 'tool-sessions.key');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await desk.stop();
  const again = await startAgain(desk.environment);
  const headers = { ...events, 'content-type': 'application/json', 'mcp-session-id': id };
  const answer = await fetch(`${again.url}/api/v1/mcp`, {
    method: 'POST',
    headers: { ...headers, authorization: `Token ${desk.key}` },
    body: JSON.stringify(wallet),
  });
  expect(readEvents(await answer.text())[0].result.structuredContent.held).toBe('0.0000');
  const ids = createSessionIds(readFileSync(path));
  expect(ids.isAuthentic(id, 'another account')).toBe(false);
});

test('a direct caller needs neither handshake nor event streams', async () => {
  const desk = await openDesk();
  const plain = await desk.rpc(wallet, { headers: { accept: 'application/json' } });
  expect(plain.body).toMatchObject({ jsonrpc: '2.0', id: 1, result: { content: [{}, {}] } });
  const text = plain.body.result.content[1].text;
  expect(JSON.parse(text)).toEqual(plain.body.result.structuredContent);
  const listed = await desk.rpc(message('tools/list'), { headers: { accept: '*/*' } });
  expect(listed.body.result.tools[2]).toMatchObject({
    name: 'unlock_contacts',
    inputSchema: { required: ['uuids', 'unlock_type'] },
  });
  const batch = await desk.rpc([wallet, message('ping', {}, 2)]);
  expect(batch.body.map((one: { id: number }) => one.id).sort()).toEqual([1, 2]);
});

test('GET opens an event stream at once, which ends with the server', async () => {
  const desk = await openToolDesk();
  const stream = await fetch(`${desk.url}/api/v1/mcp`, {
    headers: { authorization: `Token ${desk.key}`, accept: 'text/event-stream' },
  });
  expect(stream.status).toBe(200);
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  const reader = stream.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe(': open\n\n');
  await desk.stop();
  expect((await reader.read()).done).toBe(true);
});

test('a malformed message is refused in JSON-RPC, and the next call is answered', async () => {
  const desk = await openDesk();
  expectRpcError(await desk.rpc('{"jsonrpc":'), 400, -32700);
  expectRpcError(await desk.rpc(''), 400, -32700);
  expectRpcError(await desk.rpc('[]'), 400, [-32600, -32700]);
  expectRpcError(await desk.rpc({ hello: 'environment' }), 400, [-32600, -32700]);
  expectRpcError(
    await desk.rpc(wallet, { headers: { 'content-type': 'text/plain' } }),
    400,
    -32600,
  );
  expectRpcError(await desk.rpc(wallet, { headers: { 'content-type': 'a/b' } }), 400, -32600);
  const many = Array.from({ length: toolBatchMessagesMax + 1 }, (_, at) => message('ping', {}, at));
  expectRpcError(await desk.rpc(many), 400, -32600, /at most 25/);
  const large = message('tools/call', { name: 'x'.repeat(jsonBodyBytesMax) });
  expectRpcError(await desk.rpc(large), 400, -32600, /32 MiB/);
  const unknown = await desk.rpc(message('nothing/here'));
  expect(unknown.body).toMatchObject({ id: 1, error: { code: -32601 } });
  const noTool = await desk.rpc(message('tools/call', { name: 'drop_tables', arguments: {} }));
  expect(noTool.body.error ?? noTool.body.result).toMatchObject({});
  expect(JSON.stringify(noTool.body)).toContain('drop_tables');
  expect((await desk.rpc(wallet)).status).toBe(200);
});

test('unknown paths and methods below the address are JSON-RPC errors', async () => {
  const desk = await openDesk();
  expectRpcError(await desk.rpc(wallet, { path: '/nothing' }), 404, -32601);
  expectRpcError(await desk.rpc(wallet, { path: '/%zz' }), 404, -32601);
  for (const method of ['PUT', 'PATCH', 'PROPFIND'])
    expectRpcError(await desk.rpc(wallet, { method }), 404, -32601);
  const slash = await desk.rpc(wallet, { path: '/' });
  expect(slash.status).toBe(200);
  const foreign = { origin: 'http://localhost:5173' };
  expectRpcError(await desk.rpc(wallet, { headers: foreign }), 403, -32000);
  const site = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
  expectRpcError(await desk.rpc(wallet, { headers: site }), 403, -32000);
});

test('the tool server has its own rate limit window', async () => {
  let elapsedMs = 1_000_000;
  const desk = await openToolDesk({ now: () => elapsedMs });
  for (let at = 0; at < 60; at += 1) await desk.call('GET', 'layers/');
  expect((await desk.call('GET', 'layers/')).status).toBe(429);
  const first = await desk.rpc(wallet);
  expect(first.headers.get('ratelimit-remaining')).toBe(String(toolRequestsMax - 1));
  for (let at = 1; at < toolRequestsMax; at += 1) await desk.rpc('', { method: 'DELETE' });
  const over = await desk.rpc(wallet);
  expectRpcError(over, 429, -32000, /Try again in 60 s/);
  expect(over.headers.get('retry-after')).toBe('60');
  elapsedMs += 60_000;
  expect((await desk.rpc(wallet)).status).toBe(200);
});

test('any JSON is answered in JSON-RPC, never with a bug, and nothing is charged', async () => {
  const desk = await openDesk();
  const anyCall = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.jsonValue(),
      method: fc.oneof(fc.constantFrom('tools/call', 'tools/list', 'initialize'), fc.string()),
      params: fc.oneof(
        fc.record({
          name: fc.constantFrom('unlock_contacts', 'enrich_profile', 'search_contacts', 'x'),
          arguments: fc.jsonValue(),
          _meta: fc.jsonValue(),
        }),
        fc.jsonValue(),
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(anyCall, fc.jsonValue()), async (body) => {
      const answer = await desk.rpc(JSON.stringify(body), { headers: { accept: '*/*' } });
      expect([200, 202, 400]).toContain(answer.status);
      if (answer.status !== 202)
        for (const one of [answer.body].flat()) expect(one.jsonrpc).toBe('2.0');
      expect(answer.text).not.toMatch(/Internal error|internal_error/);
    }),
    { numRuns: runsOf(150) },
  );
  expect(await desk.readWallet()).toBe('100000.0000 0.0000');
});
