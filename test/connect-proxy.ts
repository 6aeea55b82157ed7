// A proxy on loopback that opens tunnels (CONNECT) and counts them.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { onTestFinished } from 'vitest';

const certificates = join(import.meta.dirname, 'fixtures/tls');

/** What a proxy does with a request for a tunnel. */
interface ProxyOptions {
  /** The status of every answer; 200 opens the tunnel. `silent` never answers. */
  readonly status?: number | 'silent' | 'reset';
  /** The port on this machine that every host is sent to. */
  readonly port?: number;
  /** The port of the proxy itself; a free one by default. */
  readonly ownPort?: number;
  /** Whether the proxy itself has an https address. */
  readonly isSecure?: boolean;
}

export interface ConnectProxy {
  /** Such as localhost:40123. */
  readonly host: string;
  /** The targets of all requests, such as `api.example:443`. */
  readonly targets: readonly string[];
  /** The headers of the last request. */
  readonly headers: IncomingMessage['headers'];
}

/** A port on which nothing listens. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Trusts the authority of the tests until the end of the test. */
export function trustTests(): void {
  const usual = tls.getCACertificates();
  tls.setDefaultCACertificates([
    ...usual,
    readFileSync(join(certificates, 'authority.pem'), 'utf8'),
  ]);
  onTestFinished(() => tls.setDefaultCACertificates(usual));
}

/** Opens a proxy that ends with the test. */
export async function openConnectProxy(options: ProxyOptions = {}): Promise<ConnectProxy> {
  const { status = 200, port, ownPort = 0, isSecure = false } = options;
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) =>
    void sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  const read = (name: string) => readFileSync(join(certificates, name));
  const server = isSecure
    ? createSecureServer({ key: read('receiver.key'), cert: read('receiver.pem') })
    : createServer();
  const proxy = { host: '', targets, headers: {} as IncomingMessage['headers'] };
  server.on('connection', keep);
  server.on('connect', ({ url = '', headers }, socket: Socket) => {
    targets.push(url);
    proxy.headers = headers;
    if (status === 'silent') return;
    if (status === 'reset') return socket.destroy();
    socket.write(`HTTP/1.1 ${status} Answer\r\n\r\n`);
    if (status !== 200) return socket.end();
    const upstream = connect(port ?? Number(url.split(':').at(-1)), '127.0.0.1');
    keep(upstream);
    upstream.pipe(socket).pipe(upstream);
  });
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  proxy.host = `localhost:${(server.address() as AddressInfo).port}`;
  return proxy;
}
