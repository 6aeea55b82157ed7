/** What bounds the connections of a server: slow senders and readers are let go. */
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

/** The bounds of one server's connections, in milliseconds. */
export interface ConnectionLimits {
  /** To send the headers of a request. */
  readonly headersMaxMs: number;
  /** To send a whole request. */
  readonly requestMaxMs: number;
  /** Between an answer and the next request. */
  readonly idleMaxMs: number;
  /** Between two looks for requests that take too long. */
  readonly checkIntervalMs: number;
  /** Without a byte in the middle of a body or of an answer. */
  readonly stallMaxMs: number;
  /** For the client to read the last answer and to end its side. */
  readonly lingerMaxMs: number;
  /** To read on where an answer has left the body unread. */
  readonly drainMaxMs: number;
}

/** The bounds of the product. */
export const connectionLimits: ConnectionLimits = {
  headersMaxMs: headersReceiveMaxMs,
  requestMaxMs: requestReceiveMaxMs,
  idleMaxMs: connectionIdleMaxMs,
  checkIntervalMs: connectionCheckIntervalMs,
  stallMaxMs: connectionStallMaxMs,
  lingerMaxMs: connectionLingerMaxMs,
  drainMaxMs,
};

/** The last request of each connection, and its answer. */
export type LastExchanges = WeakMap<
  Duplex,
  { readonly request: IncomingMessage; readonly response: ServerResponse }
>;

/**
 * Ends a connection behind its last answer. A client that keeps its own side open, or goes on
 * sending, is read for a while, so that it hears the answer, and let go then.
 */
export function endConnection(socket: Duplex, lingerMaxMs: number, lastWords?: string): void {
  if (lastWords === undefined) socket.end();
  else socket.end(lastWords);
  socket.resume();
  const patience = setTimeout(() => socket.destroy(), lingerMaxMs);
  socket.once('close', () => clearTimeout(patience));
}

/**
 * Lets go of connections that stand still, and of bodies that go on behind their answer.
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
    // Else the answer is the server's to give, and the client waits for it.
  });
  server.on('request', (request, response) => {
    // Node reads on behind an answer without a bound of its own.
    response.once('finish', () => {
      if (request.complete) return;
      const patience = setTimeout(() => request.socket.destroy(), limits.drainMaxMs);
      request.once('close', () => clearTimeout(patience));
    });
  });
}
