// Sends one delivery to an untrusted server, and reads only the beginning of its response. A proxy
// resolves the name itself; a name that has a private address here is refused before it.
import { webhookAnswerBytesMax, webhookAttemptMaxMs } from '../contract/limits/webhooks.ts';
import { AddressRefused, type Lookup } from '../platform/net/guarded-lookup.ts';
import { type FindRoutes, goDirectly } from '../platform/net/proxy-routes.ts';
import { describeFailure, sendOutside } from '../platform/net/send-outside.ts';

export interface Posting {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as exactly these bytes. */
  readonly body: string;
}

export interface PostOutcome {
  /** The HTTP status; null if there was no response, with the reason in `error`. */
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
  readonly answer: string;
  readonly retryAfter: string | null;
}

export interface PostOptions {
  /** Whether the request may connect to a resolved address of the URL's host. */
  isAllowed(url: URL, address: string): boolean;
  readonly signal?: AbortSignal | undefined;
  readonly lookup?: Lookup | undefined;
  /** The proxies of an https request; none by default. */
  readonly findRoutes?: FindRoutes | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Posts. With a status, the response counts, even if its body fails. */
async function post(
  { url: address, headers, body }: Posting,
  {
    isAllowed,
    signal,
    lookup,
    findRoutes = goDirectly,
    timeoutMs = webhookAttemptMaxMs,
  }: PostOptions,
): Promise<Omit<PostOutcome, 'tookMs'>> {
  const url = new URL(address);
  const answer = await sendOutside(
    { url, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body },
    {
      isAllowed: (resolved) => isAllowed(url, resolved),
      isHostUntrusted: true,
      answerBytesMax: webhookAnswerBytesMax,
      findRoutes,
      lookup,
      signal,
      timeoutMs,
    },
  );
  return {
    status: answer.status,
    error: null,
    answer: answer.body.toString('utf8'),
    retryAfter: answer.headers['retry-after'] ?? null,
  };
}

function describeError(error: unknown): string {
  if (error instanceof AddressRefused)
    return 'The host has an address in a private network, which webhooks may not use.';
  return describeFailure(error, 'The receiver');
}

/** Sends a delivery and returns the result. Never rejects. */
export async function postWebhook(posting: Posting, options: PostOptions): Promise<PostOutcome> {
  const startedAt = performance.now();
  const outcome = await post(posting, options).catch((error: unknown) => ({
    status: null,
    answer: '',
    retryAfter: null,
    error: describeError(error),
  }));
  return { ...outcome, tookMs: Math.round(performance.now() - startedAt) };
}
