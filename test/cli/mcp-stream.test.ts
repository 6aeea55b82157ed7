/**
 * How `desk mcp` forwards each message: streams in both directions, cancellation, loss, all
 * versions.
 */
import { expect, test } from 'vitest';
import { type Arrived, type PlayedEngine, playEngine } from './played-engine.ts';
import { ask, hello, mcpWords, openStdio, type StdioDesk } from './stdio-desk.ts';

const newest = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': newest,
  'io.modelcontextprotocol/clientInfo': { name: 'new', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const call = (id: number, params: object = {}) =>
  ask(id, 'tools/call', { name: 'enrich_email', arguments: {}, ...params });
const result = (id: unknown, value: object = {}) => ({ jsonrpc: '2.0', id, result: value });

/** Answers the handshake of an older client and returns its open stream. */
async function greet(engine: PlayedEngine, session: string): Promise<Arrived> {
  const initialize = await engine.next();
  expect(initialize.body).toMatchObject({ method: 'initialize', params: { clientInfo: {} } });
  const agreed = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} };
  engine.json(initialize, result(initialize.body.id, agreed), { 'mcp-session-id': session });
  const initialized = await engine.next();
  expect(initialized.body.method).toBe('notifications/initialized');
  expect(initialized.headers['mcp-session-id']).toBe(session);
  initialized.answer.writeHead(202).end();
  const stream = await engine.next();
  expect(stream.method).toBe('GET');
  expect(stream.headers).toMatchObject({
    ...{ accept: 'text/event-stream', 'mcp-session-id': session },
    'mcp-protocol-version': '2025-11-25',
  });
  return stream;
}

/** A simulated engine, and an older client after its handshake. */
async function begin(): Promise<{ engine: PlayedEngine; desk: StdioDesk; stream: Arrived }> {
  const engine = await playEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(...hello);
  const stream = await greet(engine, 'first');
  expect((await desk.next()).id).toBe('hello');
  return { engine, desk, stream };
}

test('server messages are written, and the client’s answers are sent', async () => {
  const { engine, desk, stream } = await begin();
  engine.event(stream, { jsonrpc: '2.0', method: 'notifications/message', params: {} });
  expect(await desk.next()).toMatchObject({ method: 'notifications/message' });
  desk.send(call(1));
  const called = await engine.next();
  expect(called.headers).toMatchObject({
    ...{ 'mcp-session-id': 'first', 'x-desk-client': expect.any(String) },
    accept: 'application/json, text/event-stream',
  });
  const params = { message: 'This costs 5 credits.' };
  engine.event(called, { jsonrpc: '2.0', id: 's1', method: 'elicitation/create', params });
  expect(await desk.next()).toMatchObject({ id: 's1', method: 'elicitation/create', params });
  desk.send(result('s1', { action: 'accept' }));
  const answered = await engine.next();
  expect(answered.body).toEqual(result('s1', { action: 'accept' }));
  answered.answer.writeHead(202).end();
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } };
  engine.event(called, progress);
  engine.event(called, result(1, { content: [] }));
  called.answer.end();
  expect(await desk.next()).toEqual(progress);
  expect(await desk.next()).toEqual(result(1, { content: [] }));
});

test('a cancelled call of an older version is reported to the server and has no answer', async () => {
  const { engine, desk } = await begin();
  desk.send(call(1));
  const called = await engine.next();
  called.answer.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  desk.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  const cancelled = await engine.next();
  expect(cancelled.body.params).toEqual({ requestId: 1 });
  cancelled.answer.writeHead(202).end();
  await called.hungUp;
  desk.send(ask(2, 'ping'));
  engine.json(await engine.next(), result(2));
  expect(await desk.next()).toEqual(result(2));
});

test('a message of the newest version has its version, method and name in headers', async () => {
  const engine = await playEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(call(1, { name: 'Überraschung', _meta: meta }));
  const called = await engine.next();
  expect(called.headers).toMatchObject({
    'mcp-protocol-version': newest,
    'mcp-method': 'tools/call',
    'mcp-name': `=?base64?${Buffer.from('Überraschung').toString('base64')}?=`,
  });
  expect(called.headers).not.toHaveProperty('mcp-session-id');
  engine.json(called, result(1));
  expect(await desk.next()).toEqual(result(1));
});

test('a cancelled call of the newest version closes the connection', async () => {
  const engine = await playEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(call(1, { _meta: meta }));
  const called = await engine.next();
  desk.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await called.hungUp;
  desk.send(ask(2, 'tools/list', { _meta: meta }));
  const listed = await engine.next();
  expect(listed.body.method).toBe('tools/list');
  engine.json(listed, result(2));
  expect(await desk.next()).toEqual(result(2));
});

test('a call whose answer is lost is refused and never repeated', async () => {
  const { engine, desk } = await begin();
  desk.send(call(1));
  const called = await engine.next();
  engine.event(called, { jsonrpc: '2.0', method: 'notifications/progress', params: {} });
  expect((await desk.next()).method).toBe('notifications/progress');
  called.answer.destroy();
  expect(await desk.next()).toMatchObject({
    id: 1,
    error: { code: -32000, message: expect.stringMatching(/not charged twice/) },
  });
  // The next message restarts the session with the client's own messages.
  desk.send(ask(2, 'ping'));
  await greet(engine, 'second');
  const pinged = await engine.next();
  expect(pinged.headers['mcp-session-id']).toBe('second');
  engine.json(pinged, result(2));
  expect(await desk.next()).toEqual(result(2));
});

test('a read-only request whose answer is lost is repeated', async () => {
  const engine = await playEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(ask(1, 'tools/list', { _meta: meta }));
  (await engine.next()).answer.destroy();
  engine.json(await engine.next(), result(1, { tools: [] }));
  expect(await desk.next()).toEqual(result(1, { tools: [] }));
});

test('a session that the server no longer knows is restarted', async () => {
  const { engine, desk } = await begin();
  desk.send(call(1));
  const unknown = { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'unknown' } };
  engine.json(await engine.next(), unknown, {}, 404);
  await greet(engine, 'second');
  const called = await engine.next();
  expect(called.headers['mcp-session-id']).toBe('second');
  engine.json(called, result(1));
  expect(await desk.next()).toEqual(result(1));
});

test('an error without a request id is returned for the request that caused it', async () => {
  const engine = await playEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(call(1, { _meta: meta }), [call(2), call(3)]);
  const error = { code: -32000, message: 'Too many requests.' };
  for (const _ of [1, 2])
    engine.json(await engine.next(), { jsonrpc: '2.0', id: null, error }, {}, 429);
  const refused = [await desk.next(), await desk.next(), await desk.next()];
  expect(refused.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  expect(refused.every((one) => one.error?.message === error.message)).toBe(true);
});

test('an answer of several lines is written as one line', async () => {
  const engine = await playEngine();
  const desk = openStdio(mcpWords(engine.dataDir));
  desk.send(ask(1, 'ping'));
  const { answer } = await engine.next();
  answer.writeHead(200, { 'content-type': 'text/event-stream' });
  answer.end('data: {"jsonrpc":"2.0",\r\ndata: "id":1,\r\ndata: "result":{}}\r\n\r\n');
  expect(await desk.next()).toEqual(result(1));
});

test('the session ends with standard input', async () => {
  const { engine, desk } = await begin();
  desk.end();
  const ended = await engine.next();
  expect([ended.method, ended.headers['mcp-session-id']]).toEqual(['DELETE', 'first']);
  ended.answer.end();
  expect(await desk.exited).toBe(0);
});
