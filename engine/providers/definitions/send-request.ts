/**
 * Sends one request to a data service: once, without redirects, with a time limit, and only to
 * addresses that are allowed. The bytes are sent only after the connection is open, so that a
 * failure before that is known to have reached no one. Behind a proxy the connection is a tunnel:
 * the proxy learns the host and resolves it, and the certificate of the host is checked.
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { providerAnswerBytesMax } from '../../contract/limits/provider-definitions.ts';
import { AddressRefused } from '../../platform/net/guarded-lookup.ts';
import { type FindRoutes, ProxyUnusable } from '../../platform/net/proxy-routes.ts';
import { isNameError, isOfflineError } from '../../platform/net/reach-host.ts';
import { type ConnectAttempt, hostOf, startRequest } from '../../platform/net/start-request.ts';
import { connectTrusted } from '../../platform/net/system-authorities.ts';
import type { OutgoingRequest } from './build-request.ts';
import type { HttpAnswer } from './read-answer.ts';

/** How a request is sent. */
export interface SendRequestOptions {
  /** Aborts the request, also after it was sent. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whether the request may connect to an address, without a proxy. */
  isAllowed(address: string): boolean;
  /** The proxies of an https request. One over http, which stays on this machine, has none. */
  readonly findRoutes: FindRoutes;
  /** Called immediately before the bytes are sent. If it throws, they are not, and its error is. */
  onSend(): void;
}

/** A request without a complete answer. `isSent`: its bytes may have reached the service. */
export class RequestFailed extends Error {
  override name = 'RequestFailed';
  readonly isSent: boolean;
  /** Whether it did not find the way to the service or its proxy. */
  readonly isOffline: boolean;
  /** Whether that is because the name of the service has no address. */
  readonly isNameless: boolean;
  /** @param detail a sentence without values of the request */
  constructor(isSent: boolean, detail: string, isOffline = false, isNameless = false) {
    super(detail);
    this.isSent = isSent;
    this.isOffline = isOffline;
    this.isNameless = isNameless;
  }
}

const sentences: Readonly<Record<string, string>> = {
  EADDRESSREFUSED:
    'The host has an address in a private network, which data services may not use. Only a ' +
    'definition of your own with "local": true may.',
  ECONNREFUSED: 'The service refused the connection.',
  ECONNRESET: 'The service closed the connection before it answered.',
  EPIPE: 'The service closed the connection before it answered.',
  ENOTFOUND: 'The host has no address. Check the connection to the internet.',
  EAI_AGAIN: 'The name servers did not answer. Check the connection to the internet.',
  ENETUNREACH: 'This machine has no network.',
  ENETDOWN: 'This machine has no network.',
  EHOSTUNREACH: 'This network has no route to the service.',
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
  if (error instanceof ProxyUnusable) return error.message;
  const code = error.code ?? error.name;
  const isCertificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code);
  return (
    sentences[code] ??
    (isCertificate
      ? `The service's certificate is not trusted (${code}). In a network that replaces ` +
        'certificates, set NODE_EXTRA_CA_CERTS to the file of its authority.'
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

/** Calls back once when the connection is open: for https, after its handshake. */
function whenConnected(request: ClientRequest, isSecure: boolean, connected: () => void): void {
  request.once('socket', (socket) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', connected);
  });
}

/** What is known of a request that failed. */
interface Progress {
  isSent: boolean;
  /** The error of `onSend`. */
  refusal: { readonly error: unknown } | null;
}

/** Connects once and exchanges the request for its answer. */
async function sendOnce(
  outgoing: OutgoingRequest,
  options: SendRequestOptions,
  attempt: ConnectAttempt,
  progress: Progress,
): Promise<HttpAnswer> {
  const request = await startRequest(outgoing, options, attempt);
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  whenConnected(request, outgoing.url.protocol === 'https:', () => {
    try {
      options.onSend();
    } catch (error) {
      progress.refusal = { error };
      reject(error);
      request.destroy();
      return;
    }
    progress.isSent = true;
    request.end(outgoing.body ?? undefined);
  });
  request.on('response', (response) => {
    readBody(response).then(resolve, (error) => {
      request.destroy();
      reject(error);
    });
  });
  request.on('error', reject);
  return promise;
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
  const host = hostOf(outgoing.url);
  // An IP address in the URL is not resolved, so it is checked here.
  if (isIP(host) !== 0 && !options.isAllowed(host))
    throw new RequestFailed(false, describeError(new AddressRefused()));
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)]);
  const progress: Progress = { isSent: false, refusal: null };
  const attempt = (secureContext: ConnectAttempt['secureContext']) =>
    sendOnce(outgoing, options, { signal, secureContext }, progress);
  try {
    return await connectTrusted(attempt, () => progress.isSent);
  } catch (error) {
    if (progress.refusal !== null) throw progress.refusal.error;
    if (!progress.isSent) options.signal.throwIfAborted();
    const isLate = error instanceof Error && error.name === 'AbortError';
    const code = isLate ? { code: 'ETIMEDOUT' } : {};
    const isOffline = !progress.isSent && !isLate && isOfflineError(error);
    const detail = describeError(Object.assign(error as Error, code));
    const isNameless = isOffline && isNameError(error);
    throw new RequestFailed(progress.isSent, detail, isOffline, isNameless);
  }
}
