// Sockets of a server: 127.0.0.1 and ::1 on one port, and a local one of its owner alone.
import { chmod, rm } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { EngineError, invalid, notFound } from '../contract/errors.ts';
import { headersBytesMax, serverCloseMaxMs } from '../contract/limits/http.ts';
import { http } from '../platform/net/node-modules.ts';
import { createBrokenAnswerer, describeUnknown, refuseOn } from './answer-unparsed.ts';
import {
  boundConnections,
  type ConnectionLimits,
  connectionLimits,
  type LastExchanges,
} from './connection-limits.ts';

const pathOf = (url = ''): string => url.split('?', 1)[0] ?? '';

/** Answers requests that Node would answer without a body, or not at all. */
function answerEdges(server: Server, last: LastExchanges, limits: ConnectionLimits): void {
  server.on('clientError', createBrokenAnswerer(last, limits));
  // A guard refuses the request in the error form of its area.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', ({ method = '', url = '' }, socket) => {
    const path = pathOf(url);
    const refusal = notFound(describeUnknown({ method, path }));
    refuseOn(socket, refusal, path, limits);
  });
}

async function listen(
  listener: RequestListener,
  options: ListenOptions,
  limits: ConnectionLimits,
): Promise<Server> {
  const server = http.createServer(
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
    const refusal = invalid('The body is incomplete. Send it again.');
    refuseOn(socket, refusal, pathOf(last.get(socket)?.request.url), limits);
  });
  // Idle keep-alive connections would delay the end of a closing server.
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

/** Converts errors of listening on a port. The engine never picks another port. */
function explainPort(error: unknown, port: number): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return new EngineError(
      'port_unavailable',
      `Port ${port} is in use by another program. Stop it, or choose another port: --port N.`,
    );
  if (code === 'EACCES')
    return new EngineError(
      'port_unavailable',
      `Port ${port} requires elevated privileges. Choose a port above 1023: --port N.`,
    );
  return error;
}

const isAbsent = (error: unknown) =>
  /^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL)$/.test((error as NodeJS.ErrnoException).code ?? '');

/** Takes ::1 too, so that no other program can listen there as localhost. */
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
 * Listens on 127.0.0.1 and, if available, on ::1. Throws `port_unavailable` if the port is in use
 * or the process lacks the privileges.
 * @param port 0 picks a port that is free on both
 * @param limits defaults to the limits of the product
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
 * Runs `begin` with a umask that keeps other users from its files from the start. The umask belongs
 * to the whole process, so it is restored as soon as `begin` returns; the socket then exists.
 */
function withoutOthers<Value>(begin: () => Value): Value {
  const before = process.umask(0o077);
  try {
    return begin();
  } finally {
    process.umask(before);
  }
}

/** Listens on a socket file with mode 0600, or on a named pipe on Windows. */
export async function listenOnSocket(listener: RequestListener, path: string): Promise<Server> {
  const isPipe = path.startsWith('\\\\');
  // A leftover of a killed engine: the folder lock guarantees that no other engine is running.
  if (!isPipe) await rm(path, { force: true });
  if (isPipe) return listen(listener, { path }, connectionLimits);
  const server = await withoutOthers(() => listen(listener, { path }, connectionLimits));
  await chmod(path, 0o600);
  return server;
}

/** Answers in progress may finish within a time limit; idle connections close at once. */
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
