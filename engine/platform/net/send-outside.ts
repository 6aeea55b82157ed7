// The client of all requests to hosts outside this machine. A request is sent once, on a connection
// of its own, and ends by its time limit and its signal, whatever the peer does. A redirect is an
// answer like any other. The bytes are sent only after the connection is open, so that a failure
// before that is known to have reached no one.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { openConnection, type RequestRoutes } from './open-connection.ts';
import { ProxyUnusable } from './proxy-routes.ts';

/** A request. It may contain a key: never log it. */
export interface OutsideRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as exactly these bytes; null for none. */
  readonly body: string | null;
}

export interface OutsideOptions extends RequestRoutes {
  /** Ends the request, also after it was sent. */
  readonly signal?: AbortSignal | undefined;
  /** From the search for a proxy to the end of the answer. */
  readonly timeoutMs: number;
  /** The answer is read up to this size, decompressed. */
  readonly answerBytesMax: number;
  /** Called immediately before the bytes are sent. If it throws, they are not, and its error is. */
  onSend?(): void;
}

export interface OutsideAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Why the body is not whole; null if it is. */
  readonly fault: Error | null;
}

export class AnswerTooLarge extends Error {
  readonly code = 'ETOOLARGE';
}

/** The failure of a request whose peer answered it with another protocol. */
class ProtocolSwitched extends Error {
  readonly code = 'EPROTOCOLSWITCHED';
}

const sentences: Readonly<Record<string, (peer: string) => string>> = {
  ERR_READING_RESPONSE_STREAM: (peer) => `${peer} sent an answer that cannot be read.`,
  ERR_HTTP_CONTENT_LENGTH_MISMATCH: (peer) => `${peer} ended its answer too early.`,
  ECONNREFUSED: (peer) => `${peer} refused the connection.`,
  ECONNRESET: (peer) => `${peer} closed the connection before it answered.`,
  EPIPE: (peer) => `${peer} closed the connection before it answered.`,
  EPROTOCOLSWITCHED: (peer) => `${peer} answered with another protocol (status 101).`,
  ENOTFOUND: () => 'The host has no address. Check the connection to the internet.',
  EAI_AGAIN: () => 'The name servers did not answer. Check the connection to the internet.',
  ENETUNREACH: () => 'This machine has no network.',
  ENETDOWN: () => 'This machine has no network.',
  EHOSTUNREACH: (peer) => `This network has no route to ${peer.toLowerCase()}.`,
  ETIMEDOUT: (peer) => `${peer} did not answer in time.`,
  ERR_ABORTED: (peer) => `${peer} did not answer in time.`,
  CERT_HAS_EXPIRED: (peer) => `${peer}'s certificate has expired.`,
  ERR_TLS_CERT_ALTNAME_INVALID: (peer) => `${peer}'s certificate is for another host.`,
};

/** A failure by its code, never by its message, which could quote anything. */
export function describeFailure(error: unknown, peer: string): string {
  if (error instanceof ProxyUnusable) return error.message;
  const { code, name } = error as NodeJS.ErrnoException;
  const said = code ?? name;
  const sentence = sentences[said];
  if (sentence) return sentence(peer);
  if (/^ERR_SSL/.test(said)) return `${peer} does not answer with TLS (${said}).`;
  if (!/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(said)) return `The request failed (${said}).`;
  return (
    `${peer}'s certificate is not trusted (${said}). In a network that replaces certificates, ` +
    'set DESK_EXTRA_CA_CERTS to the file of its authority.'
  );
}

/** The connection of one request, in the form that Node asks for. @param ended ends the attempt */
function connectOnce(url: URL, options: OutsideOptions, ended: AbortSignal) {
  async function open(): Promise<Socket> {
    const socket = await openConnection(url, options, ended);
    try {
      ended.throwIfAborted();
      options.onSend?.();
    } catch (error) {
      socket.destroy();
      throw error;
    }
    return socket;
  }
  let opening: Promise<Socket> | null = null;
  return {
    /** Returns the error of the attempt, once it has ended; undefined if it has none. */
    findError: async (): Promise<unknown> =>
      opening?.then(
        () => undefined,
        (error: unknown) => error,
      ),
    createConnection(_options: unknown, done: (error: Error | null, socket?: Socket) => void) {
      opening = open();
      opening.then((socket) => done(null, socket), done);
    },
  };
}

/** Reads an answer up to its limit. Never rejects. */
async function readBody(stream: AsyncIterable<Buffer>, bytesMax: number) {
  const pieces: Buffer[] = [];
  let bytes = 0;
  let fault: Error | null = null;
  try {
    for await (const piece of stream) {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes <= bytesMax) continue;
      fault = new AnswerTooLarge();
      break;
    }
  } catch (error) {
    fault = error as Error;
  }
  return { body: Buffer.concat(pieces).subarray(0, bytesMax), fault };
}

/**
 * Sends a request and reads its answer. Rejects with the error of `onSend`, with AddressRefused or
 * ProxyUnusable, or with an error that has a code.
 */
export async function sendOutside(
  { url, method, headers, body }: OutsideRequest,
  options: OutsideOptions,
): Promise<OutsideAnswer> {
  // It takes a tenth of a second to load, and most threads send nothing.
  const { default: got } = await import('got');
  const timeLimit = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, timeLimit]) : timeLimit;
  const ended = new AbortController();
  const connection = connectOnce(url, options, ended.signal);
  const stream = got.stream(url, {
    method: method as 'GET',
    headers: { 'user-agent': undefined, ...headers },
    body: body ?? (method === 'GET' ? undefined : ''),
    createConnection: connection.createConnection as never,
    signal,
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
  const { promise: response, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  stream.once('response', resolve).on('error', reject);
  // Otherwise the request would end neither with an answer nor with an error.
  stream.once('upgrade', (_response, socket: Socket) => {
    socket.destroy();
    stream.destroy(new ProtocolSwitched());
  });
  try {
    const { statusCode, headers: answered } = await response;
    const read = await readBody(stream, options.answerBytesMax);
    return { status: statusCode ?? 0, headers: answered, ...read };
  } catch (error) {
    // It ends a connection that is being opened, whose own error says more.
    ended.abort(error);
    throw (await connection.findError()) ?? error;
  } finally {
    stream.destroy();
  }
}
