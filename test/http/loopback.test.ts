// The sockets of a server: both loopback addresses on one port, ports in use, the local socket's
// mode.
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { closeServer, listenOnLoopback, listenOnSocket } from '../../engine/http/loopback.ts';

const open: Server[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map(closeServer));
});

const occupy = async (host: string): Promise<{ port: number } | null> => {
  const server = createServer();
  const answer = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen({ port: 0, host }, () => resolve(true));
  });
  if (!answer) return null;
  open.push(server);
  return { port: (server.address() as AddressInfo).port };
};

test('both loopback addresses answer on the chosen free port', async () => {
  const { servers, port } = await listenOnLoopback(
    (_request, response) => response.end('hello'),
    0,
  );
  open.push(...servers);
  for (const server of servers) {
    const { address, port: own } = server.address() as AddressInfo;
    expect(['127.0.0.1', '::1']).toContain(address);
    expect(own).toBe(port);
    const host = address === '::1' ? '[::1]' : address;
    expect(await (await fetch(`http://${host}:${port}/`)).text()).toBe('hello');
  }
});

test.each(['127.0.0.1', '::1'])(
  'a port in use on %s is an error that names it and the remedy',
  async (host) => {
    const taken = await occupy(host);
    if (!taken) return expect(host).toBe('::1');
    const attempt = listenOnLoopback(() => undefined, taken.port);
    await expect(attempt).rejects.toMatchObject({
      code: 'port_unavailable',
      detail: expect.stringMatching(new RegExp(`^Port ${taken.port} is in use .*--port N\\.$`)),
    });
  },
);

test('the local socket is private to its owner, and replaces that of a killed engine', {
  tags: ['posix'],
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'desk-socket-'));
  const socketPath = join(folder, 'engine.sock');
  const first = await listenOnSocket(() => undefined, socketPath);
  const second = await listenOnSocket((_request, response) => response.end('second'), socketPath);
  open.push(first, second);
  expect((await stat(socketPath)).mode & 0o777).toBe(0o600);
  const answer = await new Promise<string>((resolve, reject) => {
    request({ socketPath, path: '/' }, (response) => resolve(text(response)))
      .on('error', reject)
      .end();
  });
  expect(answer).toBe('second');
  await Promise.all(open.splice(0).map(closeServer));
  await rm(folder, { recursive: true });
});

test('invalid HTTP is answered in the format of every other error', async () => {
  const { servers, port } = await listenOnLoopback(() => undefined, 0);
  open.push(...servers);
  const socket = connect(port, '127.0.0.1').end('nonsense\r\n\r\n');
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    success: false,
    error: 'validation_error',
  });
});
