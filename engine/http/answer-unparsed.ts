/**
 * Answers what never becomes a request: what the parser refuses, methods that Node does not know,
 * and requests that do not arrive in time. The answer has the form of the area that was asked,
 * where the request line tells it.
 */
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { EngineError } from '../contract/errors.ts';
import { type ConnectionLimits, endConnection, type LastExchanges } from './connection-limits.ts';
import { errorFormAt } from './error-formats.ts';
import { securityHeaders, withoutEnvironment } from './guards.ts';

/** What Node's parser says of a request that it refuses. */
type ParserError = NodeJS.ErrnoException & {
  readonly bytesParsed?: number;
  readonly rawPacket?: Buffer;
};

const requestLine = /^([\w!#$%&'*+.^`|~-]+) (\S+) HTTP\/1\.[01]\r?$/gm;
const shownCharactersMax = 200;

/** Method and path of the request that was refused; null where its line is not in the packet. */
function readRequestLine({ rawPacket, bytesParsed = 0 }: ParserError) {
  const lines = [...(rawPacket?.toString('latin1') ?? '').matchAll(requestLine)];
  // A packet may hold several requests; the last one that begins before the fault is the refused.
  const line = lines.findLast(({ index }) => index <= bytesParsed);
  if (!line) return null;
  const [, method = '', target = ''] = line;
  return { method, path: target.split('?', 1)[0] ?? '' };
}

function findRefusal(error: ParserError, line: ReturnType<typeof readRequestLine>): EngineError {
  if (error.code === 'HPE_INVALID_METHOD' && line)
    return new EngineError('not_found', describeUnknown(line));
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new EngineError(
      'validation_error',
      'The request did not arrive in time. Send it again.',
    );
  return new EngineError('validation_error', `The request is not valid HTTP (${error.code}).`);
}

/** What is said of a method and a path that no route has. */
export const describeUnknown = ({ method, path }: { method: string; path: string }): string =>
  `There is nothing at ${method} ${path.slice(0, shownCharactersMax)}. ` +
  'Check the path and the method.';

/** A whole answer as bytes on the wire, which ends its connection. */
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
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (const [name, value] of headers) head.push(`${name}: ${value}`);
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Refuses on a bare connection, in the form of the path's area, and ends the connection. */
export function refuseOn(
  socket: Duplex,
  refusal: EngineError,
  path: string,
  { lingerMaxMs }: ConnectionLimits,
): void {
  endConnection(socket, lingerMaxMs, writeRefusal(refusal, path));
}

/**
 * Makes the listener of a server's `clientError`. A connection is answered once, never in the
 * middle of another answer, nor behind the last one of the connection.
 */
export function createBrokenAnswerer(last: LastExchanges, limits: ConnectionLimits) {
  const answered = new WeakSet<Duplex>();
  return (error: ParserError, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) return;
    answered.add(socket);
    const { request, response } = last.get(socket) ?? {};
    if (response?.writableFinished && !response.shouldKeepAlive) {
      endConnection(socket, limits.lingerMaxMs);
      return;
    }
    if (response && !response.writableFinished) {
      // What is broken came behind a whole request: that one still gets its answer.
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
