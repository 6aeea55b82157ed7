// Clients that send slowly, or never read, are answered once if possible, and disconnected. The
// limits are small here, and the sockets keep their own side open, as some clients do.
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { connectionLimits } from '../../engine/http/connection-limits.ts';
import { closeServer, listenOnLoopback } from '../../engine/http/loopback.ts';

const never = 600_000;
/** Limits that no test reaches, except those that it sets. */
const patient = {
  ...connectionLimits,
  headersMaxMs: never,
  requestMaxMs: never,
  idleMaxMs: never,
  stallMaxMs: never,
  checkIntervalMs: 20,
  lingerMaxMs: 50,
  drainMaxMs: never,
};

async function listen(listener: RequestListener, limits: Partial<typeof patient>): Promise<Server> {
  const { servers } = await listenOnLoopback(listener, 0, { ...patient, ...limits });
  onTestFinished(async () => void (await Promise.all(servers.map(closeServer))));
  const [server] = servers;
  if (!server) throw new Error('no server');
  return server;
}

/** A socket that never ends its own side, and its received data. */
function dial(server: Server, ...pieces: string[]): { socket: Socket; received: () => string } {
  const { port } = server.address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  let received = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece;
  });
  for (const piece of pieces) socket.write(piece);
  return { socket, received: () => received };
}

const countOf = (server: Server): Promise<number> =>
  new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** Waits until the server has no connection. */
const expectNone = (server: Server) => expect.poll(() => countOf(server)).toBe(0);

const answer: RequestListener = (_request, response) => response.end('answered');
/** Answers once the body was read. */
const answerBody: RequestListener = (request, response) => {
  request.resume().on('end', () => response.end('answered'));
};
const refusal = /^HTTP\/1\.1 400 [\s\S]*\{"success":false,"error":"validation_error","detail":"/;
const answersIn = (received: string) => received.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;

test('half-sent headers are answered once, and their connections are closed', async () => {
  const server = await listen(answer, { headersMaxMs: 100, requestMaxMs: 100 });
  const head = 'GET / HTTP/1.1\r\nHost: a\r\n';
  const senders = Array.from({ length: 20 }, () => dial(server, head));
  await Promise.all(senders.map(({ socket }) => once(socket, 'end')));
  await expectNone(server);
  for (const { received } of senders) {
    expect(received()).toMatch(refusal);
    expect(answersIn(received())).toBe(1);
  }
});

test('a connection without any data is closed', async () => {
  const server = await listen(answer, { headersMaxMs: 100, requestMaxMs: 100 });
  const { socket } = dial(server);
  await once(socket, 'end');
  await expectNone(server);
});

test('a connection without any data gets no answer, which a later request could take for its own', async () => {
  const server = await listen(answer, { headersMaxMs: 100, requestMaxMs: 100 });
  const { socket, received } = dial(server);
  await once(socket, 'end');
  await expectNone(server);
  expect(received()).toBe('');
});

test('headers that trickle without end are cut off', async () => {
  const server = await listen(answer, { headersMaxMs: 100, requestMaxMs: 100 });
  const { socket, received } = dial(server, 'GET / HTTP/1.1\r\nHost: a\r\n');
  const trickle = () => socket.write('X: y\r\n', (error) => error || setImmediate(trickle));
  trickle();
  await expect.poll(received).toMatch(refusal);
  await expectNone(server);
  expect(answersIn(received())).toBe(1);
});

test('a half-sent body is answered once, and its connection is closed', async () => {
  const server = await listen(answerBody, { stallMaxMs: 100 });
  const half = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf';
  const { socket, received } = dial(server, half);
  await once(socket, 'end');
  await expectNone(server);
  expect(received()).toMatch(refusal);
  expect(answersIn(received())).toBe(1);
});

test('a body that trickles without end is cut off', async () => {
  const server = await listen(answerBody, { requestMaxMs: 200, headersMaxMs: 200 });
  const begun = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { socket, received } = dial(server, begun);
  const trickle = () => socket.write('1\r\nx\r\n', (error) => error || setImmediate(trickle));
  trickle();
  await expect.poll(received).toMatch(refusal);
  await expectNone(server);
});

test('a connection that waits for its next request is closed', async () => {
  const server = await listen(answer, { idleMaxMs: 50 });
  const { received } = dial(server, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(received).toContain('answered');
  await expectNone(server);
});

test('a client that never reads the response is disconnected', async () => {
  const endless: RequestListener = (_request, response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', more);
    more();
  };
  const server = await listen(endless, { stallMaxMs: 100 });
  const { socket } = dial(server, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  socket.pause();
  await expect.poll(() => countOf(server)).toBe(1);
  await expectNone(server);
});

test('a request whose response takes long is not a slow sender', async () => {
  const stalls: Promise<unknown>[] = [];
  const server = await listen(
    (request, response) => {
      // It answers once the limit has passed, by the server's own timer.
      stalls.push(once(server, 'timeout').then(() => response.end('late')));
      request.resume();
    },
    { stallMaxMs: 50 },
  );
  const { received } = dial(server, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  await expect.poll(received).toMatch(/200 OK[\s\S]*late$/);
  await Promise.all(stalls);
});

test('a refused body without end is read for a while, and its connection closed', async () => {
  const server = await listen((_request, response) => response.writeHead(400).end('no'), {
    drainMaxMs: 100,
  });
  const begun = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { socket, received } = dial(server, begun);
  const trickle = () => socket.write('1\r\nx\r\n', (error) => error || setImmediate(trickle));
  trickle();
  await expect.poll(received).toContain('400');
  await expectNone(server);
});
