// Exchanges requests and answers with one data service, within its rate limits and behind its
// circuit breaker. A request is sent at most once by a call.
//
//   waiting ──rate limit──────────────────> not sent: slow_down
//      │ ────open breaker, no connection──> not sent: unavailable
//      └──sent ──answer──> answered
//           │ ───reset, time-out, cut off─> uncertain (a poll, which is free: unavailable)
import {
  abortGraceMs,
  answerDetailCharactersMax,
  limitWaitMaxMs,
  providerAnswerBytesMax,
  quotedCharactersMax,
  reachMaxMs,
  slowDownDefaultMs,
} from '../../contract/limits/provider-definitions.ts';
import { type Provider, ProviderError, type ProviderFailure } from '../../contract/provider.ts';
import type { ProviderDefinition } from '../../contract/provider-definition.ts';
import { AddressRefused } from '../../platform/net/guarded-lookup.ts';
import { isNameMissing, type NameServers } from '../../platform/net/name-servers.ts';
import { hostOf } from '../../platform/net/open-connection.ts';
import type { FindRoutes } from '../../platform/net/proxy-routes.ts';
import { isLoopbackHost } from '../../platform/net/public-address.ts';
import { isNameError, isOfflineError, reachHost } from '../../platform/net/reach-host.ts';
import {
  AnswerTooLarge,
  describeFailure,
  type OutsideAnswer,
  sendOutside,
} from '../../platform/net/send-outside.ts';
import { hideSecrets } from '../../secrets/hide-secrets.ts';
import { isAllowedAddress } from './allowed-hosts.ts';
import { type OutgoingRequest, RequestUnbuildable } from './build-request.ts';
import {
  type BreakerState,
  type CircuitBreaker,
  createCircuitBreaker,
  type RequestHealth,
} from './circuit-breaker.ts';
import {
  type Clock,
  createRateLimiter,
  LimitReached,
  longestWindowMs,
  type Permit,
  type RateLimiter,
  type SentBefore,
} from './rate-limits.ts';
import { type FailedOutcome, type HttpAnswer, readRetryAfter } from './read-answer.ts';

interface SendRequestOptions {
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

function describeError(error: unknown): string {
  if (error instanceof AddressRefused)
    return (
      'The host has an address in a private network, which data services may not use. Only a ' +
      'definition of your own with "local": true may.'
    );
  if (error instanceof AnswerTooLarge)
    return `The answer is larger than ${providerAnswerBytesMax / 1024 ** 2} MB.`;
  return describeFailure(error, 'The service');
}

function readAnswer({ status, headers, body, fault }: OutsideAnswer): HttpAnswer {
  if (fault) throw fault;
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, [value ?? ''].flat().join(', ')] as const,
  );
  return { status, headers: Object.fromEntries(entries), text: body.toString('utf8') };
}

/**
 * Sends a request and reads its answer. Throws RequestFailed; the error of `onSend`; or the
 * signal's reason if it was aborted before the bytes were sent.
 */
export async function sendRequest(
  outgoing: OutgoingRequest,
  options: SendRequestOptions,
): Promise<HttpAnswer> {
  let isSent = false;
  let refusal: { readonly error: unknown } | null = null;
  try {
    const answer = await sendOutside(outgoing, {
      ...options,
      answerBytesMax: providerAnswerBytesMax,
      onSend() {
        try {
          options.onSend();
        } catch (error) {
          refusal = { error };
          throw error;
        }
        isSent = true;
      },
    });
    return readAnswer(answer);
  } catch (error) {
    if (refusal !== null) throw error;
    if (!isSent) options.signal.throwIfAborted();
    const isOffline = !isSent && isOfflineError(error);
    const isNameless = isOffline && isNameError(error);
    throw new RequestFailed(isSent, describeError(error), isOffline, isNameless);
  }
}

export interface ConnectionDeps {
  readonly clock: Clock;
  /**
   * The user's key at the service; null if there is none. Rejects with ProviderError, with a
   * sentence without the name of the service, if it cannot be read.
   */
  readSecret(name: string): Promise<string | null>;
  /** The proxies to a host that is not this machine. */
  readonly findRoutes: FindRoutes;
  /** Tell a missing host name from a missing network. Absent: both are a missing network. */
  readonly names?: NameServers | undefined;
  /** What was sent to a service since a time, oldest first. Absent: nothing is known. */
  listSends?(name: string, since: Date): readonly SentRequest[];
}

export interface SentRequest {
  /** ISO 8601. */
  readonly at: string;
  readonly sends: number;
  readonly rows: number;
}

export interface Exchange {
  /** Builds the request with the key. Throws RequestUnbuildable. */
  build(key: string): OutgoingRequest;
  /** What the request counts in the rate limits. */
  readonly count: number;
  /** Whether the service may charge for it. */
  readonly isPaid: boolean;
  readonly signal: AbortSignal;
  /** Called immediately before the bytes are sent. */
  onSend?(): void;
}

export interface Exchanged {
  readonly answer: HttpAnswer;
  fail(outcome: FailedOutcome, detail: string, waitMs: number | null): ProviderError;
  /** What the service says, without the key and shortened. */
  quote(detail: string): string;
  /** A value without the key. Parts of the key stay: a value may have them by chance. */
  hideKey(value: string): string;
  /** The wait that the service asks for in its headers; null if it asks for none. */
  readonly retryAfterMs: number | null;
}

export interface ProviderConnection {
  /** Throws ProviderError, the error of `onSend`, or the reason of the signal. */
  exchange(exchange: Exchange): Promise<Exchanged>;
  readBreaker(): BreakerState;
  /** `Provider.reach`; absent for a service on this machine. */
  readonly reach?: NonNullable<Provider['reach']>;
}

const failures: Readonly<Record<FailedOutcome, ProviderFailure>> = {
  retry: 'unavailable',
  slow: 'slow_down',
  quota: 'quota',
  auth: 'bad_key',
  bad_input: 'bad_input',
  legal: 'legal_refusal',
  uncertain: 'uncertain',
  fatal: 'source_error',
};

/**
 * A signal for a request that may be paid for: an abort ends it at once before it is sent, and
 * after some seconds once it is sent, so that what was paid for is kept.
 */
function delayAbort(signal: AbortSignal, clock: Clock) {
  const inner = new AbortController();
  const answered = new AbortController();
  let isSent = false;
  const end = () => inner.abort(signal.reason);
  const abort = () => {
    if (!isSent) end();
    // The wait is aborted, and rejects, once the answer is there.
    else clock.wait(abortGraceMs, answered.signal).then(end, () => undefined);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return {
    signal: inner.signal,
    markSent() {
      isSent = true;
    },
    dispose() {
      answered.abort();
      signal.removeEventListener('abort', abort);
    },
  };
}

interface Opened {
  readonly definition: ProviderDefinition;
  readonly deps: ConnectionDeps;
  readonly limiter: RateLimiter;
  readonly breaker: CircuitBreaker;
}

/**
 * Reads the key and builds the request with it. Without the key the provider is skipped; a poll is
 * repeated, because what was paid for must not be lost while the keychain is locked.
 */
async function prepare({ definition, deps }: Opened, { build, isPaid }: Exchange) {
  const { id, title } = definition;
  const key = await deps.readSecret(id).catch((error: unknown) => {
    if (!(error instanceof ProviderError)) throw error;
    throw new ProviderError(isPaid ? 'bad_key' : 'unavailable', `${title}: ${error.message}`);
  });
  if (!key) throw new ProviderError('bad_key', `${title} has no key: desk providers add ${id}`);
  try {
    return { key, outgoing: build(key) };
  } catch (error) {
    if (!(error instanceof RequestUnbuildable)) throw error;
    throw new ProviderError('bad_input', error.message);
  }
}

/**
 * Why a request has no answer. A service whose host name does not exist is down: other services,
 * and this machine's network, have nothing to do with it.
 */
async function explainFailure(
  error: RequestFailed,
  { url }: OutgoingRequest,
  { isPaid }: Exchange,
  { names }: ConnectionDeps,
): Promise<ProviderError> {
  if (error.isSent && isPaid) return new ProviderError('uncertain', error.message);
  if (!error.isOffline) return new ProviderError('unavailable', error.message);
  const host = hostOf(url);
  if (!error.isNameless || !names || !(await isNameMissing(names, host)))
    return new ProviderError('offline', error.message);
  return new ProviderError(
    'unavailable',
    `The host name ${host} does not exist. Check it in the definition of the service.`,
  );
}

async function send(
  { definition, deps, breaker }: Opened,
  outgoing: OutgoingRequest,
  exchange: Exchange,
): Promise<HttpAnswer> {
  const pass = breaker.admit();
  if (typeof pass === 'number') {
    const detail = `${definition.title} is not asked for a while: its last requests failed.`;
    throw new ProviderError('unavailable', detail, pass);
  }
  let health: RequestHealth = 'unknown';
  const abort = delayAbort(exchange.signal, deps.clock);
  try {
    const answer = await sendRequest(outgoing, {
      signal: abort.signal,
      timeoutMs: definition.deadlineSec * 1_000,
      isAllowed: (address) => isAllowedAddress(definition, address),
      findRoutes: deps.findRoutes,
      onSend() {
        exchange.onSend?.();
        abort.markSent();
      },
    });
    health = answer.status >= 500 ? 'failed' : 'succeeded';
    return answer;
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error;
    health = 'failed';
    throw await explainFailure(error, outgoing, exchange, deps);
  } finally {
    abort.dispose();
    pass.end(health);
  }
}

async function exchangeOnce(opened: Opened, exchange: Exchange): Promise<Exchanged> {
  const { definition, deps, limiter } = opened;
  const { title, limits } = definition;
  const { key, outgoing } = await prepare(opened, exchange);
  let permit: Permit | null = null;
  let answer: HttpAnswer;
  try {
    const given = await limiter.acquire(exchange.count, exchange.signal);
    permit = given;
    answer = await send(opened, outgoing, {
      ...exchange,
      onSend() {
        exchange.onSend?.();
        given.markSent();
      },
    });
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    throw new ProviderError('slow_down', `${title}: ${error.message}`, error.retryAfterMs);
  } finally {
    permit?.release();
  }
  limiter.observe(answer.headers);
  const header = answer.headers[limits.retryAfterHeader.toLowerCase()];
  const retryAfterMs = readRetryAfter(header, deps.clock.now());
  const quote = (detail: string): string =>
    // A service may quote the request, and with it the key or the beginning of the key.
    hideSecrets(detail.slice(0, quotedCharactersMax), [key], '…').slice(
      0,
      answerDetailCharactersMax,
    );
  return {
    answer,
    retryAfterMs,
    quote,
    hideKey: (value) => value.replaceAll(key, '…'),
    fail(outcome, detail, waitMs) {
      const isSlow = outcome === 'slow';
      const ms = retryAfterMs ?? waitMs ?? (isSlow ? slowDownDefaultMs : null);
      if (isSlow && ms !== null) limiter.block(ms);
      return new ProviderError(failures[outcome], `${title}: ${quote(detail)}`, ms);
    },
  };
}

/**
 * What an earlier run of the engine sent, as the limits count it. Rows that were sent again count
 * again. Polls are not stored, and do not count.
 */
function listSentBefore({ id, limits }: ProviderDefinition, deps: ConnectionDeps): SentBefore[] {
  const since = new Date(deps.clock.now() - longestWindowMs);
  return (deps.listSends?.(id, since) ?? []).map(({ at, sends, rows }) => ({
    at: Date.parse(at),
    count: limits.count === 'record' ? sends * rows : sends,
  }));
}

/** Creates `reach` for the first host of a definition. */
function createReach({ definition, deps, breaker }: Opened): ProviderConnection['reach'] {
  const [host = ''] = definition.hosts;
  if (host === '' || isLoopbackHost(host)) return undefined;
  const { findRoutes, names } = deps;
  const isAllowed = (address: string) => isAllowedAddress(definition, address);
  let wasOffline = false;
  return async (signal) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(reachMaxMs)]);
    const options = { signal: limited, findRoutes, isAllowed, names };
    const isReached = await reachHost(new URL(`https://${host}/`), options);
    // What failed without a network was not a failure of the service.
    if (isReached && wasOffline) breaker.close();
    wasOffline = !isReached;
    return isReached;
  };
}

/** Opens a connection to the service of a definition. Nothing is sent yet. */
export function openConnection(
  definition: ProviderDefinition,
  deps: ConnectionDeps,
): ProviderConnection {
  const limiter = createRateLimiter(
    definition.limits,
    deps.clock,
    limitWaitMaxMs,
    listSentBefore(definition, deps),
  );
  const breaker = createCircuitBreaker(() => deps.clock.now());
  const opened: Opened = { definition, deps, limiter, breaker };
  const reach = createReach(opened);
  return {
    ...(reach && { reach }),
    readBreaker: () => breaker.readState(),
    exchange: (exchange) => exchangeOnce(opened, exchange),
  };
}
