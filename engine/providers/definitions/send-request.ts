/**
 * Sends one request to a data service: once, without redirects, with a time limit, and only to
 * addresses that are allowed. The bytes are sent only after the connection is open, so that a
 * failure before that is known to have reached no one.
 */
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { providerAnswerBytesMax } from '../../contract/limits/provider-definitions.ts';
import { AddressRefused, createGuardedLookup } from '../../platform/net/guarded-lookup.ts';
import type { OutgoingRequest } from './build-request.ts';
import type { HttpAnswer } from './read-answer.ts';

/** How a request is sent. */
export interface SendRequestOptions {
  /** Aborts the request, also after it was sent. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the request may connect to an address. */
  isAllowed(address: string): boolean;
  /** Called immediately before the bytes are sent. If it throws, they are not, and its error is. */
  onSend(): void;
}

/** A request without a complete answer. `isSent`: its bytes may have reached the service. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly isSent: boolean;
  /** @param detail a sentence without values of the request */
  constructor(isSent: boolean, detail: string) {
    super(detail);
    this.isSent = isSent;
  }
}

const sentences: Readonly<Record<string, string>> = {
  EADDRESSREFUSED: 'The host has an address of a private network, which providers may not use.',
  ECONNREFUSED: 'The service refused the connection.',
  ECONNRESET: 'The service closed the connection before it answered.',
  EPIPE: 'The service closed the connection before it answered.',
  ENOTFOUND: 'The host has no address. Check the connection to the internet.',
  EAI_AGAIN: 'The name servers did not answer. Check the connection to the internet.',
  ETIMEDOUT: 'The service did not answer in time.',
  CERT_HAS_EXPIRED: "The service's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The service's certificate is for another host.",
  ETOOLARGE: `The answer is larger than ${providerAnswerBytesMax / 1024 ** 2} MB.`,
};

class AnswerTooLarge extends Error {
  readonly code = 'ETOOLARGE';
}

/** Describes an error by its code, never by its message, which could quote anything. */
function describeError(error: Error & { code?: string }): string {
  const code = error.code ?? error.name;
  const isUntrusted = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code);
  return (
    sentences[code] ??
    (isUntrusted
      ? `The service's certificate is not trusted (${code}).`
      : `The request failed (${code}).`)
  );
}

/** Reads a whole answer. Rejects if it is cut off or too large. */
async function readBody(response: IncomingMessage): Promise<HttpAnswer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > providerAnswerBytesMax) throw new AnswerTooLarge();
    pieces.push(piece);
  }
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, [value ?? ''].flat().join(', ')] as const,
  );
  const text = Buffer.concat(pieces).toString('utf8');
  return { status: response.statusCode ?? 0, headers: Object.fromEntries(headers), text };
}

/** Opens a connection of its own, which no other request uses or has used. */
function open(outgoing: OutgoingRequest, options: SendRequestOptions): ClientRequest {
  const { url } = outgoing;
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return start(url, {
    method: outgoing.method,
    headers: outgoing.headers,
    agent: false,
    lookup: createGuardedLookup(options.isAllowed),
    signal: AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]),
  });
}

/** Calls back once when the connection is open: for https, after its handshake. */
function whenConnected(request: ClientRequest, isSecure: boolean, connected: () => void): void {
  request.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', connected);
  });
}

/**
 * Sends a request and reads its answer. Throws RequestFailed; the error of `onSend`; or the
 * signal's reason if it was aborted before the bytes were sent.
 */
export async function sendRequest(
  outgoing: OutgoingRequest,
  options: SendRequestOptions,
): Promise<HttpAnswer> {
  options.signal.throwIfAborted();
  const host = outgoing.url.hostname.replace(/^\[|\]$/g, '');
  // An IP address in the URL is not resolved, so it is checked here.
  if (isIP(host) !== 0 && !options.isAllowed(host))
    throw new RequestFailed(false, describeError(new AddressRefused()));
  let isSent = false;
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const request = open(outgoing, options);
  let refusal: { readonly error: unknown } | null = null;
  whenConnected(request, outgoing.url.protocol === 'https:', () => {
    try {
      options.onSend();
    } catch (error) {
      refusal = { error };
      reject(error);
      request.destroy();
      return;
    }
    isSent = true;
    request.end(outgoing.body ?? undefined);
  });
  request.on('response', (response) => {
    readBody(response).then(resolve, (error) => {
      request.destroy();
      reject(error);
    });
  });
  request.on('error', reject);
  try {
    return await promise;
  } catch (error) {
    if (refusal !== null) throw (refusal as { error: unknown }).error;
    if (!isSent) options.signal.throwIfAborted();
    const isLate = error instanceof Error && error.name === 'AbortError';
    const code = isLate ? { code: 'ETIMEDOUT' } : {};
    throw new RequestFailed(isSent, describeError(Object.assign(error as Error, code)));
  }
}
