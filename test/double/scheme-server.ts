// Serves registered schemes from a loopback server, so that bodies are streamed both ways.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { host, note } from './state.ts';

type SchemeHandler = (request: Request) => Response | Promise<Response>;
const handlers = new Map<string, SchemeHandler>();
let port = 0;

// app://desk/x is http://desk.app.localhost:PORT/x: a secure context with its own origin.
const hostPattern = /^([\w-]+)\.([\w-]+)\.localhost:\d+$/;

/** The browser's address for an address of a registered scheme. */
export function toHostUrl(address: string): string {
  const url = new URL(address);
  const scheme = url.protocol.slice(0, -1);
  if (!handlers.has(scheme)) return address;
  return `http://${url.host}.${scheme}.localhost:${port}${url.pathname}${url.search}${url.hash}`;
}

/** The address that the app would see in Electron. */
export function toAppUrl(address: string): string {
  const url = URL.parse(address);
  const [, name, scheme] = url?.host.match(hostPattern) ?? [];
  if (!url || !name || !scheme || url.port !== String(port)) return address;
  return `${scheme}://${name}${url.pathname}${url.search}${url.hash}`;
}

/** The origin that the app would see in Electron. */
export function toAppOrigin(address: string): string {
  const url = URL.parse(toAppUrl(address));
  if (!url) return 'null';
  return url.origin === 'null' && url.host !== '' ? `${url.protocol}//${url.host}` : url.origin;
}

/** What Electron does not hand to a handler: the size of a body, and headers of the connection. */
const unknownHeaders = new Set(['host', 'connection', 'content-length', 'referer']);

function toRequest(incoming: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !unknownHeaders.has(name)) headers.set(name, String(value));
  const origin = headers.get('origin');
  if (origin) headers.set('origin', toAppOrigin(origin));
  const method = incoming.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? (Readable.toWeb(incoming) as unknown as BodyInit) : null;
  const init = { method, headers, body, duplex: 'half' };
  return new Request(toAppUrl(`http://${incoming.headers.host}${incoming.url}`), init);
}

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const scheme = incoming.headers.host?.match(hostPattern)?.[2] ?? '';
  const handler = handlers.get(scheme);
  if (!handler) {
    outgoing.writeHead(404).end();
    return;
  }
  const response = await handler(toRequest(incoming));
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.flushHeaders();
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as NodeReadableStream), outgoing);
}

/** Starts the server; await it before any window opens. */
export async function startSchemeServer(): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    // A page that leaves during a response is not an error.
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
  server.unref();
}

/** Electron's `protocol`. */
export const protocol = {
  registerSchemesAsPrivileged(list: unknown): void {
    if (host.isReady)
      throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
    note('protocol.registerSchemesAsPrivileged', list);
  },
  handle(scheme: string, handler: SchemeHandler): void {
    handlers.set(scheme, handler);
  },
  unhandle(scheme: string): void {
    handlers.delete(scheme);
  },
};
