/**
 * Sends one delivery to an untrusted server: no redirect, no retry, no proxy, a total time limit,
 * and only the beginning of the response. A name is resolved once, and only a checked address is
 * connected to.
 */
import type { lookup as systemLookup } from 'node:dns';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIP } from 'node:net';
import got, { type Options, type Request } from 'got';
import { webhookAnswerBytesMax, webhookAttemptMaxMs } from '../contract/limits/webhooks.ts';
import { AddressRefused, createGuardedLookup } from '../platform/net/guarded-lookup.ts';

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
  readonly lookup?: typeof systemLookup | undefined;
  readonly timeoutMs?: number | undefined;
}

const sentences: Readonly<Record<string, string>> = {
  EADDRESSREFUSED: 'The host has an address of a private network, which webhooks may not use.',
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
  const code = error.code ?? error.name;
  const isUntrusted = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS/.test(code);
  return (
    sentences[code] ??
    (isUntrusted
      ? `The receiver's certificate is not trusted (${code}).`
      : `The request failed (${code}).`)
  );
}

function optionsOf(url: URL, posting: Posting, options: PostOptions): Partial<Options> {
  return {
    method: 'POST',
    headers: { ...posting.headers, 'content-type': 'application/json' },
    body: Buffer.from(posting.body),
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    timeout: { request: options.timeoutMs ?? webhookAttemptMaxMs },
    dnsLookup: createGuardedLookup(
      (address) => options.isAllowed(url, address),
      options.lookup,
    ) as never,
    // Connections are not reused: each is made to an address that was checked for this attempt.
    agent: {
      http: new HttpAgent({ keepAlive: false }),
      https: new HttpsAgent({ keepAlive: false, maxCachedSessions: 0 }),
    },
    ...(options.signal && { signal: options.signal }),
  } as Partial<Options>;
}

/** Reads the response: its status and the beginning of its body. */
const readAnswer = (request: Request) =>
  new Promise<Omit<PostOutcome, 'tookMs'>>((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    let status: number | null = null;
    let retryAfter: string | null = null;
    const finish = (error: string | null) => {
      const answer = Buffer.concat(pieces).subarray(0, webhookAnswerBytesMax).toString('utf8');
      // With a status, the response counts, even if its body fails.
      resolve({ status, error: status === null ? error : null, answer, retryAfter });
      request.destroy();
    };
    request.on('response', (response: { statusCode: number; headers: Record<string, unknown> }) => {
      status = response.statusCode;
      const header = response.headers['retry-after'];
      retryAfter = typeof header === 'string' ? header : null;
    });
    request.on('data', (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= webhookAnswerBytesMax) finish(null);
    });
    request.on('end', () => finish(null));
    request.on('error', (error: Error) => finish(describeError(error)));
  });

/** Sends a delivery and returns the result. Never rejects. */
export async function postWebhook(posting: Posting, options: PostOptions): Promise<PostOutcome> {
  const startedAt = performance.now();
  const url = new URL(posting.url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // An IP address in the URL is not resolved, so it is checked here.
  const isRefused = isIP(host) !== 0 && !options.isAllowed(url, host);
  const outcome = isRefused
    ? {
        status: null,
        error: describeError(new AddressRefused()),
        answer: '',
        retryAfter: null,
      }
    : await readAnswer(got.stream(url, optionsOf(url, posting, options) as never));
  return { ...outcome, tookMs: Math.round(performance.now() - startedAt) };
}
