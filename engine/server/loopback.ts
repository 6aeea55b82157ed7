/**
 * The sockets of a server: 127.0.0.1 and ::1 on one port, and a local socket that only its owner
 * may open.
 */
import { chmod, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import type { Duplex } from 'node:stream';
import { EngineError, errorTable } from '../contract/errors.ts';
import {
  connectionCheckIntervalMs,
  connectionIdleMaxMs,
  headersBytesMax,
  headersReceiveMaxMs,
  requestReceiveMaxMs,
  serverCloseMaxMs,
} from '../contract/limits.ts';
import { failure } from './error-forms.ts';

/** The last request of each connection, and its answer. */
type LastExchanges = WeakMap<Duplex, { request: IncomingMessage; response: ServerResponse }>;

/**
 * A request that is no HTTP, or whose headers are too large, is answered in our form as well, but
 * never in the middle of another answer, nor behind the last one of its connection.
 */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex, last: LastExchanges): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return;
  const { request, response } = last.get(socket) ?? {};
  if (response?.writableFinished && !response.shouldKeepAlive) {
    socket.end();
    return;
  }
  if (response && !response.writableFinished) {
    // What is broken came behind a whole request: that one still gets its answer.
    if (request?.complete) response.once('finish', () => socket.end());
    else if (response.headersSent) socket.destroy();
    if (request?.complete || response.headersSent) return;
  }
  const body = JSON.stringify(
    failure(new EngineError('validation_error', `The request is not valid HTTP (${error.code}).`)),
  );
  socket.end(
    `HTTP/1.1 ${errorTable.validation_error.status} Bad Request\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

async function listen(listener: RequestListener, options: ListenOptions): Promise<Server> {
  const server = createServer(
    {
      headersTimeout: headersReceiveMaxMs,
      requestTimeout: requestReceiveMaxMs,
      keepAliveTimeout: connectionIdleMaxMs,
      connectionsCheckingInterval: connectionCheckIntervalMs,
      maxHeaderSize: headersBytesMax,
    },
    listener,
  );
  const last: LastExchanges = new WeakMap();
  server.on('clientError', (error, socket) => answerBroken(error, socket, last));
  server.on('request', (request, response) => last.set(request.socket, { request, response }));
  // A connection that is kept for a next request would hold up the end of a closing server.
  const closeKept = () => server.listening || setImmediate(() => server.closeIdleConnections());
  server.on('request', (_request, response) => response.once('close', closeKept));
  await new Promise<void>((ready, fail) => {
    server.once('error', fail);
    server.listen(options, () => {
      server.off('error', fail);
      ready();
    });
  });
  return server;
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** A port that is taken is said, never silently another one. */
function explainPort(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new EngineError(
      'validation_error',
      `Port ${port} is taken by another program. End that program, or choose another: --port N.`,
    );
  if (code === 'EACCES')
    return new EngineError(
      'validation_error',
      `Port ${port} needs rights that this program has not. Choose one above 1023: --port N.`,
    );
  return error;
}

const isAbsent = (error: unknown) =>
  /^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test((error as NodeJS.ErrnoException).code ?? '');

/** ::1 on the port that 127.0.0.1 has, so that no other program can take our name's other half. */
async function listenOnSixth(listener: RequestListener, port: number): Promise<Server | null> {
  try {
    return await listen(listener, { host: '::1', port, ipv6Only: true });
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/**
 * Listens on 127.0.0.1 and, where the machine has it, on ::1. Throws `validation_error` naming a
 * port that is taken.
 * @param port 0 picks one that is free on both
 */
export async function listenOnLoopback(
  listener: RequestListener,
  port: number,
): Promise<{ servers: Server[]; port: number }> {
  for (let tries = port === 0 ? 20 : 1; ; tries -= 1) {
    const fourth = await listen(listener, { host: '127.0.0.1', port }).catch((error: unknown) => {
      throw explainPort(error, port);
    });
    try {
      const sixth = await listenOnSixth(listener, portOf(fourth));
      return { servers: sixth ? [fourth, sixth] : [fourth], port: portOf(fourth) };
    } catch (error) {
      const found = portOf(fourth);
      await closeServer(fourth);
      if (tries <= 1) throw explainPort(error, found);
    }
  }
}

/** Listens on a socket file of mode 0600, or on a named pipe of Windows. */
export async function listenOnSocket(listener: RequestListener, path: string): Promise<Server> {
  const isPipe = path.startsWith('\\\\');
  // What a killed engine left: the lock on the folder says that no other engine lives.
  if (!isPipe) await rm(path, { force: true });
  const server = await listen(listener, { path });
  if (!isPipe) await chmod(path, 0o600);
  return server;
}

/**
 * Ends a server: answers in hand may finish for a while, connections that only wait end at once.
 */
export function closeServer(server: Server): Promise<void> {
  return new Promise((closed) => {
    const patience = setTimeout(() => server.closeAllConnections(), serverCloseMaxMs);
    server.close(() => {
      clearTimeout(patience);
      closed();
    });
    server.closeIdleConnections();
  });
}
