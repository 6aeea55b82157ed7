// Answers input that never becomes a request: what the HTTP parser rejects, methods that Node does
// not know, and requests that do not arrive in time. The answer has the error form of the requested
// area if the request line is known.
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type EngineError, invalid, notFound } from '../contract/errors.ts';
import { http } from '../platform/net/node-modules.ts';
import { type ConnectionLimits, endConnection, type LastExchanges } from './connection-limits.ts';
import { errorFormAt } from './error-formats.ts';
import { securityHeaders, withoutEnvironment } from './guards.ts';

type ParserError = NodeJS.ErrnoException & {
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
};

const requestLine = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]\r?$/gm;
const shownCharactersMax = 200;

/** Method and path of the rejected request; null if the packet has no request line. */
function readRequestLine({ rawPacket, bytesParsed = 0 }: ParserError) {
  const lines = [...(rawPacket?.toString('latin1') ?? '').matchAll(requestLine)];
  // A packet may contain several requests. The last one that starts before the error is the
  // rejected one.
  const line = lines.findLast(({ index }) => index <= bytesParsed);
  if (!line) return null;
  const [, method = '', target = ''] = line;
  return { method, path: target.split('?', 1)[0] ?? '' };
}

function findRefusal(error: ParserError, line: ReturnType<typeof readRequestLine>): EngineError {
  if (error.code === 'HPE_INVALID_METHOD' && line) return notFound(describeUnknown(line));
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return invalid('The request did not arrive in time. Send it again.');
  return invalid(`The request is not valid HTTP (${error.code}).`);
}

/** Message about a method and path without a route. */
export const describeUnknown = ({ method, path }: { method: string; path: string }): string =>
  `There is no route ${method} ${path.slice(0, shownCharactersMax)}. ` +
  'Check the path and the method.';

/** Whether a connection has never received a byte. */
const isUnused = (socket: Duplex): boolean => socket instanceof Socket && socket.bytesRead === 0;

function writeRefusal(refusal: EngineError, path: string): string {
  const form = errorFormAt(withoutEnvironment(path));
  const status = form.statusOf(refusal.code);
  const body = JSON.stringify(form.write(refusal));
  const headers = Object.entries({
    ...securityHeaders,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  });
  const head = [`HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`];
  for (const [name, value] of headers) head.push(`${name}: ${value}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

export function refuseOn(
  socket: Duplex,
  refusal: EngineError,
  path: string,
  { lingerMaxMs }: ConnectionLimits,
): void {
  endConnection(socket, lingerMaxMs, writeRefusal(refusal, path));
}

/**
 * Creates the `clientError` listener of a server. It answers a connection once, never in the middle
 * of another response and never after the last response of the connection.
 */
export function createBrokenAnswerer(last: LastExchanges, limits: ConnectionLimits) {
  const answered = new WeakSet<Duplex>();
  return (error: ParserError, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) return;
    answered.add(socket);
    const { request, response } = last.get(socket) ?? {};
    // Browsers open connections before they need them. One that is used while it is refused would
    // show the refusal as the answer of its request; a closed one is replaced and the request sent.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUnused(socket)) {
      endConnection(socket, limits.lingerMaxMs);
      return;
    }
    if (response?.writableFinished && !response.shouldKeepAlive) {
      endConnection(socket, limits.lingerMaxMs);
      return;
    }
    if (response && !response.writableFinished) {
      // The invalid bytes followed a complete request, which still gets its answer.
      if (request?.complete)
        response.once('finish', () => endConnection(socket, limits.lingerMaxMs));
      else if (response.headersSent) socket.destroy();
      if (request?.complete || response.headersSent) return;
    }
    const isUnfinished = response !== undefined && !response.writableFinished;
    const path = isUnfinished ? (request?.url?.split('?', 1)[0] ?? '') : null;
    const line = readRequestLine(error);
    refuseOn(socket, findRefusal(error, line), path ?? line?.path ?? '', limits);
  };
}
