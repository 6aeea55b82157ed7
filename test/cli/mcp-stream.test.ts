// How `desk mcp` forwards each message: streams in both directions, cancellation, loss, all
// versions.
import { expect, test } from 'vitest';
import { ask, hello, mcpWords, openStdio, type StdioDesk } from './stdio-desk.ts';
import { type Arrived, type TappedEngine, tapEngine } from './tapped-engine.ts';

const newest = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': newest,
  'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = (id: number, name: string, params: object = {}) =>
  ask(id, 'tools/call', { name, arguments: {}, ...params });
const progressToken = 7;
const sessionOf = ({ headers }: Arrived) => String(headers['mcp-session-id']);

/** Performs the first requests of an older client, and returns its open stream. */
async function greet(engine: TappedEngine): Promise<Arrived> {
  const initialize = await engine.next();
  expect(initialize.body).toMatchObject({ method: 'initialize', params: { clientInfo: {} } });
  expect(initialize.headers).not.toHaveProperty('mcp-session-id');
  const initialized = await engine.next();
  expect(initialized.body.method).toBe('notifications/initialized');
  const stream = await engine.next();
  expect(stream.method).toBe('GET');
  expect(stream.headers).toMatchObject({
    accept: 'text/event-stream',
    'mcp-session-id': sessionOf(initialized),
    'mcp-protocol-version': '2025-11-25',
  });
  expect(await stream.answered).toBe(200);
  return stream;
}

async function begin(): Promise<{ engine: TappedEngine; desk: StdioDesk; stream: Arrived }> {
  const engine = await tapEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(...hello);
  const stream = await greet(engine);
  expect((await desk.next()).id).toBe('hello');
  return { engine, desk, stream };
}

test('server messages are written, and the client’s answers are sent', async () => {
  const { engine, desk, stream } = await begin();
  engine.servers.at(-1)?.sendToolListChanged();
  expect(await desk.next()).toMatchObject({ method: 'notifications/tools/list_changed' });
  desk.send(call(1, 'ask', { _meta: { progressToken } }));
  const called = await engine.next();
  expect(called.headers).toMatchObject({
    'mcp-session-id': sessionOf(stream),
    'x-desk-client': expect.any(String),
    accept: 'application/json, text/event-stream',
  });
  const question = await desk.next();
  const params = { message: 'This costs 5 credits.' };
  expect(question).toMatchObject({ method: 'elicitation/create', params });
  const answer = { jsonrpc: '2.0', id: question.id, result: { action: 'accept', content: {} } };
  desk.send(answer);
  expect((await engine.next()).body).toEqual(answer);
  const progress = { method: 'notifications/progress', params: { progressToken, progress: 1 } };
  expect(await desk.next()).toMatchObject(progress);
  expect(await desk.next()).toMatchObject({ id: 1, result: { content: [{ text: 'accept' }] } });
});

test('a cancelled call of an older version is reported to the server and has no answer', async () => {
  const { engine, desk } = await begin();
  desk.send(call(1, 'wait'));
  const called = await engine.next();
  await called.answered;
  desk.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  const cancelled = await engine.next();
  expect(cancelled.body.params).toEqual({ requestId: 1 });
  await engine.cancelled;
  await called.hungUp;
  desk.send(ask(2, 'ping'));
  expect(await desk.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('a message of the newest version has its version, method and name in headers', async () => {
  const engine = await tapEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(call(1, 'Überraschung', { _meta: meta }));
  const called = await engine.next();
  expect(called.headers).toMatchObject({
    'mcp-protocol-version': newest,
    'mcp-method': 'tools/call',
    'mcp-name': `=?base64?${Buffer.from('Überraschung').toString('base64')}?=`,
  });
  expect(called.headers).not.toHaveProperty('mcp-session-id');
  // A header that differs from the body is refused before the tool is looked up.
  const { error, result } = await desk.next();
  expect(error?.message ?? result?.content[0].text).toMatch(/Überraschung not found/);
});

test('cancelling a call of the newest version only closes its connection', async () => {
  const engine = await tapEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(call(1, 'wait', { _meta: { ...meta, progressToken } }));
  const called = await engine.next();
  expect((await desk.next()).method).toBe('notifications/progress');
  desk.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await called.hungUp;
  await engine.cancelled;
  desk.send(ask(2, 'tools/list', { _meta: meta }));
  expect((await engine.next()).body.method).toBe('tools/list');
  expect(await desk.next()).toMatchObject({ id: 2, result: { tools: expect.any(Array) } });
});

test('a call whose answer is lost is refused and never sent twice', async () => {
  const { engine, desk, stream } = await begin();
  desk.send(call(1, 'wait', { _meta: { progressToken } }));
  const called = await engine.next();
  expect((await desk.next()).method).toBe('notifications/progress');
  called.cut();
  expect(await desk.next()).toMatchObject({
    id: 1,
    error: { code: -32000, message: expect.stringMatching(/not charged twice/) },
  });
  // The next message starts the session again, by the client's own `initialize`.
  desk.send(ask(2, 'ping'));
  const renewed = await greet(engine);
  expect(sessionOf(renewed)).not.toBe(sessionOf(stream));
  const pinged = await engine.next();
  expect(pinged.body.method).toBe('ping');
  expect(sessionOf(pinged)).toBe(sessionOf(renewed));
  expect(await desk.next()).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});

test('a question whose answer is lost is asked again', async () => {
  const engine = await tapEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  engine.loseNext();
  desk.send(ask(1, 'tools/list', { _meta: meta }));
  expect((await engine.next()).body).toMatchObject({ id: 1, method: 'tools/list' });
  expect(await desk.next()).toMatchObject({ id: 1, result: { tools: expect.any(Array) } });
});

test('a session that the server no longer knows is started again', async () => {
  const { engine, desk, stream } = await begin();
  stream.hang();
  const { 'mcp-session-id': id, 'x-desk-client': client } = stream.headers;
  expect(await engine.send('DELETE', { 'mcp-session-id': id, 'x-desk-client': client })).toBe(200);
  desk.send(call(1, 'greet'));
  const refused = await engine.next();
  expect(sessionOf(refused)).toBe(id);
  expect(await refused.answered).toBe(404);
  const renewed = await greet(engine);
  const called = await engine.next();
  expect(called.body).toMatchObject({ id: 1, method: 'tools/call' });
  expect(sessionOf(called)).toBe(sessionOf(renewed));
  const content = [{ type: 'text', text: 'Hello' }];
  expect(await desk.next()).toMatchObject({ id: 1, result: { content } });
});

test('a refusal without a request id answers the request that it refuses', async () => {
  const engine = await tapEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(ask(0, 'tools/list', { _meta: meta }));
  const { headers } = await engine.next();
  expect((await desk.next()).id).toBe(0);
  const account = engine.environment.database.prepare('SELECT id FROM account').pluck().get();
  await engine.environment.writer['keys.revoke']({
    accountId: Number(account),
    id: String(headers['x-desk-client']),
  });
  desk.send(call(1, 'ask', { _meta: meta }), [call(2, 'ask'), call(3, 'ask')]);
  const refused = [await desk.next(), await desk.next(), await desk.next()];
  expect(refused.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  const answered = [await engine.next(), await engine.next()];
  expect(await Promise.all(answered.map((one) => one.answered))).toEqual([401, 401]);
  for (const { error } of refused) expect(error?.message).toMatch(/has been revoked/);
});

test('the end of standard input ends the session', async () => {
  const { engine, desk, stream } = await begin();
  desk.end();
  const ended = await engine.next();
  expect([ended.method, sessionOf(ended)]).toEqual(['DELETE', sessionOf(stream)]);
  expect(await ended.answered).toBe(200);
  expect(await desk.exited).toBe(0);
});
