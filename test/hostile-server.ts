// A server on loopback that never gives a whole answer.
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createSecureServer } from 'node:tls';
import { onTestFinished } from 'vitest';

const certificates = join(import.meta.dirname, 'fixtures/tls');

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

/** Sends a byte again and again, so that the connection is never idle. */
function trickle(socket: Socket, byte: string): void {
  const timer = setInterval(() => socket.write(byte), 20);
  socket.once('close', () => clearInterval(timer));
}

/** What the server does with each request. */
const behaviours = {
  'switches the protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  'closes without an answer': (socket) => socket.end(),
  'breaks the connection': (socket) => socket.destroy(),
  'sends half a head': (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-ty'),
  'sends half a body and closes': (socket) => socket.end(`${head}content-length: 9\r\n\r\n{"a"`),
  'sends half a body': (socket) => socket.write(`${head}content-length: 9\r\n\r\n{"a"`),
  'sends half a compressed body': (socket) =>
    socket.write(`${head}content-encoding: gzip\r\ncontent-length: 900\r\n\r\n\x1f`),
  'sends interim answers for ever': (socket) => trickle(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'trickles a head': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx: ');
    trickle(socket, 'x');
  },
  'trickles a body': (socket) => {
    socket.write(`${head}\r\n`);
    trickle(socket, ' ');
  },
  'never answers': () => undefined,
} satisfies Record<string, (socket: Socket) => unknown>;

export type Hostility = keyof typeof behaviours;

/** All that a hostile server can do. */
export const hostilities = Object.keys(behaviours) as Hostility[];

export interface HostileServer {
  /** Its address: http, or https with the certificate of the receiver. */
  readonly url: string;
  /** Resolves once a request has arrived. */
  readonly asked: Promise<void>;
}

/** Opens a server that ends with the test. */
export async function openHostileServer(
  hostility: Hostility,
  { isSecure = false } = {},
): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  const arrived = Promise.withResolvers<void>();
  const read = (name: string) => readFileSync(join(certificates, name));
  const serve = (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', () => {
      arrived.resolve();
      (behaviours[hostility] as (socket: Socket) => unknown)(socket);
    });
  };
  const server = isSecure
    ? createSecureServer({ key: read('receiver.key'), cert: read('receiver.pem') }, serve)
    : createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `${isSecure ? 'https' : 'http'}://localhost:${port}/`, asked: arrived.promise };
}
