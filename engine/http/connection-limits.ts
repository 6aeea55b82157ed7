// Limits of a server's connections: slow senders and readers are disconnected.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  connectionCheckIntervalMs,
  connectionIdleMaxMs,
  connectionLingerMaxMs,
  connectionStallMaxMs,
  drainMaxMs,
  headersReceiveMaxMs,
  requestReceiveMaxMs,
} from '../contract/limits/http.ts';

/** Limits of one server's connections, in milliseconds. */
export interface ConnectionLimits {
  readonly headersMaxMs: number;
  /** To receive a whole request. */
  readonly requestMaxMs: number;
  /** Between an answer and the next request. */
  readonly idleMaxMs: number;
  readonly checkIntervalMs: number;
  /** Without a byte in the middle of a body or an answer. */
  readonly stallMaxMs: number;
  /** For the client to read the last answer and close its side. */
  readonly lingerMaxMs: number;
  /** To read the rest of a body after the answer. */
  readonly drainMaxMs: number;
}

export const connectionLimits: ConnectionLimits = {
  headersMaxMs: headersReceiveMaxMs,
  requestMaxMs: requestReceiveMaxMs,
  idleMaxMs: connectionIdleMaxMs,
  checkIntervalMs: connectionCheckIntervalMs,
  stallMaxMs: connectionStallMaxMs,
  lingerMaxMs: connectionLingerMaxMs,
  drainMaxMs,
};

export type LastExchanges = WeakMap<
  Duplex,
  { readonly request: IncomingMessage; readonly response: ServerResponse }
>;

/**
 * Closes a connection after its last answer. If the client keeps its side open or continues to
 * send, its data is read for a while so that it can read the answer; then it is disconnected.
 */
export function endConnection(socket: Duplex, lingerMaxMs: number, lastWords?: string): void {
  if (lastWords === undefined) socket.end();
  else socket.end(lastWords);
  socket.resume();
  const patience = setTimeout(() => socket.destroy(), lingerMaxMs);
  socket.once('close', () => clearTimeout(patience));
}

/**
 * Disconnects idle connections, and stops bodies that continue after their answer.
 * @param refuse answers a sender that stopped in the middle of a body
 */
export function boundConnections(
  server: Server,
  last: LastExchanges,
  limits: ConnectionLimits,
  refuse: (socket: Duplex) => void,
): void {
  server.setTimeout(limits.stallMaxMs, (socket) => {
    const { request, response } = last.get(socket) ?? {};
    const isAnswering = response && !response.writableEnded && !response.destroyed;
    if (!isAnswering || socket.writableLength > 0) socket.destroy();
    else if (!request?.complete) refuse(socket);
    // Otherwise the client waits for an answer of the server.
  });
  server.on('request', (request, response) => {
    // After an answer, Node reads the rest of a body without a limit.
    response.once('finish', () => {
      if (request.complete) return;
      const patience = setTimeout(() => request.socket.destroy(), limits.drainMaxMs);
      request.once('close', () => clearTimeout(patience));
    });
  });
}
