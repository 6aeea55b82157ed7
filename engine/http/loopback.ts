/**
 * The sockets of a server: 127.0.0.1 and ::1 on one port, and a local socket that only its owner
 * may open.
 */
import { chmod, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { EngineError } from '../contract/errors.ts';
import { headersBytesMax, serverCloseMaxMs } from '../contract/limits/http.ts';
import { createBrokenAnswerer, describeUnknown, refuseOn } from './answer-unparsed.ts';
import {
  boundConnections,
  type ConnectionLimits,
  connectionLimits,
  type LastExchanges,
} from './connection-limits.ts';

const pathOf = (url = ''): string => url.split('?', 1)[0] ?? '';

/** Answers here what Node would answer without a body, or not at all. */
function answerEdges(server: Server, last: LastExchanges, limits: ConnectionLimits): void {
  server.on('clientError', createBrokenAnswerer(last, limits));
  // Refused by a guard, in the form of the area that was asked.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', ({ method = '', url = '' }, socket) => {
    const path = pathOf(url);
    const refusal = new EngineError('not_found', describeUnknown({ method, path }));
    refuseOn(socket, refusal, path, limits);
  });
}

async function listen(
  listener: RequestListener,
  options: ListenOptions,
  limits: ConnectionLimits,
): Promise<Server> {
  const server = createServer(
    {
      headersTimeout: limits.headersMaxMs,
      requestTimeout: limits.requestMaxMs,
      keepAliveTimeout: limits.idleMaxMs,
      connectionsCheckingInterval: limits.checkIntervalMs,
      maxHeaderSize: headersBytesMax,
      // A guard refuses it, with a body.
      requireHostHeader: false,
    },
    listener,
  );
  const last: LastExchanges = new WeakMap();
  server.on('request', (request, response) => last.set(request.socket, { request, response }));
  answerEdges(server, last, limits);
  boundConnections(server, last, limits, (socket) => {
    const refusal = new EngineError('validation_error', 'The body broke off. Send it again.');
    refuseOn(socket, refusal, pathOf(last.get(socket)?.request.url), limits);
  });
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

/** A port that cannot be listened on is an error: the engine never picks another one. */
function explainPort(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new EngineError(
      'port_unavailable',
      `Port ${port} is taken by another program. End that program, or choose another: --port N.`,
    );
  if (code === 'EACCES')
    return new EngineError(
      'port_unavailable',
      `Port ${port} requires elevated privileges. Choose one above 1023: --port N.`,
    );
  return error;
}

const isAbsent = (error: unknown) =>
  /^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test((error as NodeJS.ErrnoException).code ?? '');

/** ::1 on the port that 127.0.0.1 has, so that no other program can take our name's other half. */
async function listenOnSixth(
  listener: RequestListener,
  port: number,
  limits: ConnectionLimits,
): Promise<Server | null> {
  try {
    return await listen(listener, { host: '::1', port, ipv6Only: true }, limits);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

/**
 * Listens on 127.0.0.1 and, where the machine has it, on ::1. Throws `port_unavailable` if the
 * port is taken or needs rights that the process lacks.
 * @param port 0 picks one that is free on both
 * @param limits the product's where left out
 */
export async function listenOnLoopback(
  listener: RequestListener,
  port: number,
  limits: ConnectionLimits = connectionLimits,
): Promise<{ servers: Server[]; port: number }> {
  for (let tries = port === 0 ? 20 : 1; ; tries -= 1) {
    const fourth = await listen(listener, { host: '127.0.0.1', port }, limits).catch(
      (error: unknown) => {
        throw explainPort(error, port);
      },
    );
    try {
      const sixth = await listenOnSixth(listener, portOf(fourth), limits);
      return { servers: sixth ? [fourth, sixth] : [fourth], port: portOf(fourth) };
    } catch (error) {
      const found = portOf(fourth);
      await closeServer(fourth);
      if (tries <= 1) throw explainPort(error, found);
    }
  }
}

/**
 * Begins work whose files others may never open, not even for the moment before their modes are
 * set. A socket is created when `begin` returns; the umask is the process's, so that it goes back
 * at once.
 */
function withoutOthers<Value>(begin: () => Value): Value {
  const before = process.umask(0o077);
  try {
    return begin();
  } finally {
    process.umask(before);
  }
}

/** Listens on a socket file of mode 0600, or on a named pipe of Windows. */
export async function listenOnSocket(listener: RequestListener, path: string): Promise<Server> {
  const isPipe = path.startsWith('\\\\');
  // What a killed engine left: the lock on the folder says that no other engine lives.
  if (!isPipe) await rm(path, { force: true });
  if (isPipe) return listen(listener, { path }, connectionLimits);
  const server = await withoutOthers(() => listen(listener, { path }, connectionLimits));
  await chmod(path, 0o600);
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
