/**
 * Sends one delivery to an untrusted server: no redirect, no retry, a total time limit, and only
 * the beginning of the response. A name is resolved once, and only a checked address is connected
 * to. A proxy resolves the name itself; a name that has a private address here is refused before
 * it.
 */
import type { ClientRequest } from 'node:http';
import { isIP } from 'node:net';
import { webhookAnswerBytesMax, webhookAttemptMaxMs } from '../contract/limits/webhooks.ts';
import {
  AddressRefused,
  checkName,
  type Lookup,
  lookUpOnce,
} from '../platform/net/guarded-lookup.ts';
import { type FindRoutes, goDirectly, ProxyUnusable } from '../platform/net/proxy-routes.ts';
import { hostOf, startRequest } from '../platform/net/start-request.ts';
import { connectTrusted } from '../platform/net/system-authorities.ts';

/** The request, and its target. */
export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as exactly these bytes. */
  readonly body: string;
}

/** The result. */
export interface PostOutcome {
  /** The HTTP status; null if there was no response, with the reason in `error`. */
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
  /** The beginning of the response body. */
  readonly answer: string;
  readonly retryAfter: string | null;
}

/** Options of sending. */
export interface PostOptions {
  /** Whether the request may connect to a resolved address of the URL's host. */
  isAllowed(url: URL, address: string): boolean;
  readonly signal?: AbortSignal | undefined;
  /** Defaults to the system's lookup. */
  readonly lookup?: Lookup | undefined;
  /** The proxies of an https request; none by default. */
  readonly findRoutes?: FindRoutes | undefined;
  readonly timeoutMs?: number | undefined;
}

const sentences: Readonly<Record<string, string>> = {
  EADDRESSREFUSED: 'The host has an address in a private network, which webhooks may not use.',
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: 'The receiver closed the connection before it answered.',
  EPIPE: 'The receiver closed the connection before it answered.',
  ENOTFOUND: 'The host has no address.',
  EAI_AGAIN: 'The name servers did not answer.',
  ETIMEDOUT: 'The receiver did not answer in time.',
  CERT_HAS_EXPIRED: "The receiver's certificate has expired.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The receiver's certificate is for another host.",
};

/** Describes an error by its code, never by its message, which could quote anything. */
function describeError(error: Error & { code?: string }): string {
  if (error instanceof ProxyUnusable) return error.message;
  const code = error.code ?? error.name;
  const isUntrusted = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code);
  return (
    sentences[code] ??
    (isUntrusted
      ? `The receiver's certificate is not trusted (${code}).`
      : `The request failed (${code}).`)
  );
}

/** Writes the body and reads the response: its status and the beginning of its body. */
function exchange(request: ClientRequest, body: string): Promise<Omit<PostOutcome, 'tookMs'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Omit<PostOutcome, 'tookMs'>>();
  request.on('response', (response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const header = response.headers['retry-after'];
    const finish = () => {
      const answer = Buffer.concat(pieces).subarray(0, webhookAnswerBytesMax).toString('utf8');
      const status = response.statusCode ?? null;
      resolve({ status, error: null, answer, retryAfter: header ?? null });
      request.destroy();
    };
    response.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= webhookAnswerBytesMax) finish();
    });
    // With a status, the response counts, even if its body fails.
    response.on('end', finish).on('error', finish).on('close', finish);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** Connects and posts. Rejects with the error of the connection. */
async function post(
  url: URL,
  { headers, body }: Posting,
  options: PostOptions,
): Promise<Omit<PostOutcome, 'tookMs'>> {
  const isAllowed = (address: string) => options.isAllowed(url, address);
  const host = hostOf(url);
  // An IP address in the URL is not resolved, so it is checked here.
  if (isIP(host) !== 0 && !isAllowed(host)) throw new AddressRefused();
  const lookup = lookUpOnce(options.lookup);
  const routes = url.protocol === 'https:' ? await (options.findRoutes ?? goDirectly)(url) : [];
  if (routes.some(({ kind }) => kind === 'proxy')) await checkName(host, isAllowed, lookup);
  const timeLimit = AbortSignal.timeout(options.timeoutMs ?? webhookAttemptMaxMs);
  const signal = AbortSignal.any([timeLimit, ...(options.signal ? [options.signal] : [])]);
  const outgoing = {
    ...{ url, method: 'POST' },
    headers: {
      ...headers,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    },
  };
  try {
    return await connectTrusted(
      async (secureContext) => {
        const ways = { isAllowed, lookup, findRoutes: async () => routes };
        const request = await startRequest(outgoing, ways, { signal, secureContext });
        return exchange(request, body);
      },
      () => false,
    );
  } catch (error) {
    if (!timeLimit.aborted || error instanceof ProxyUnusable) throw error;
    throw Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
  }
}

/** Sends a delivery and returns the result. Never rejects. */
export async function postWebhook(posting: Posting, options: PostOptions): Promise<PostOutcome> {
  const startedAt = performance.now();
  const outcome = await post(new URL(posting.url), posting, options).catch((error: Error) => ({
    ...{ status: null, answer: '', retryAfter: null },
    error: describeError(error),
  }));
  return { ...outcome, tookMs: Math.round(performance.now() - startedAt) };
}
