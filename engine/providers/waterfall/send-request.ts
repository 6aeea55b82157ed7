// Sends one request: the intent is stored first, then that it is sent, then its outcome. A request
// is repeated only if the service did not accept it.
import { randomUUID } from 'node:crypto';
import { storageRetryMs } from '../../contract/limits/platform.ts';
import { repeatDelayMaxMs, repeatDelaysMs } from '../../contract/limits/waterfall.ts';
import {
  endSentence,
  type Provider,
  type ProviderAnswer,
  ProviderError,
  providerFailures,
  type RowAnswer,
} from '../../contract/provider.ts';
import { findShortage } from '../../platform/sqlite/system-refusal.ts';
import type { Balances } from '../spend/balances.ts';
import type { PollDeps, TicketPolls } from './poll-tickets.ts';
import {
  insertIntent,
  markSent,
  markUnsent,
  type SentRow,
  setTicket,
} from './provider-request.table.ts';
import { costMax, recordFailure, recordPaid } from './record-outcome.ts';

/** What a run does without a network. */
export interface OfflineRun {
  /** Whether rows are left to a later run. Otherwise the services count as unavailable. */
  readonly isDeferred: boolean;
  /** Whether the machine was found to be offline; the run then sends nothing more. */
  isOn(): boolean;
  /** Resolves when it is found to be offline; never if rows are not deferred. */
  readonly found: Promise<void>;
}

/** The failure of what is not sent without a network. */
export const offlineError = new ProviderError('offline', 'This machine has no network.');

/** The failure of what is not sent because its answer could not be stored. */
const noRoom = new ProviderError(
  'unavailable',
  'The disk is full, so nothing is sent that has to be paid for. Free some space.',
  storageRetryMs,
);

export interface SendDeps extends PollDeps {
  readonly balances: Balances;
  readonly polls: TicketPolls;
  readonly jobId: number | null;
  /** `ProviderRequest.via`. */
  readonly via?: readonly string[] | undefined;
  /** The most that the job or the run may spend at each provider, in its credits. */
  readonly providerCap: number | null;
  readonly requests: ReadonlySet<number>;
  readonly signal: AbortSignal;
  readonly offline: OfflineRun;
  readonly sending: Set<number>;
  onRequest(id: number): void;
  onAccepted(): void;
}

export type SendOutcome =
  | { readonly kind: 'answered'; readonly rows: readonly RowAnswer[] }
  | { readonly kind: 'failed'; readonly error: ProviderError }
  /** The run ended before the request was sent, or before its pending result. */
  | { readonly kind: 'stopped' };

interface Sending {
  readonly id: number;
  readonly uuid: string;
  readonly provider: string;
  readonly jobId: number | null;
  readonly rows: readonly SentRow[];
  sentAt: string | null;
}

/** A service that cannot be reached while there is a network is unavailable. */
async function explainOffline(deps: SendDeps, error: ProviderError): Promise<ProviderError> {
  if (error.failure !== 'offline') return error;
  if (deps.offline.isDeferred) {
    const aborted = Promise.withResolvers<false>();
    const abort = () => aborted.resolve(false);
    deps.signal.addEventListener('abort', abort, { once: true });
    const isOffline = await Promise.race([deps.network.confirmOffline(), aborted.promise]);
    deps.signal.removeEventListener('abort', abort);
    deps.signal.throwIfAborted();
    if (isOffline) return error;
  }
  return new ProviderError('unavailable', error.message, error.retryAfterMs);
}

/** Adds when the service takes requests again, which no run waits for. */
function nameTime({ failure, message }: ProviderError, waitMs: number, now: Date): ProviderError {
  const until = new Date(now.getTime() + waitMs).toISOString().slice(0, 16).replace('T', ' ');
  const detail = `${endSentence(message)} It can be asked again at ${until} UTC.`;
  return new ProviderError(failure, detail, waitMs);
}

/** One attempt. Returns a delay if the service did not accept it and it may be repeated. */
async function attempt(
  deps: SendDeps,
  provider: Provider,
  request: Sending,
  delayMs: number | undefined,
): Promise<ProviderAnswer | { readonly kind: 'repeat'; readonly delayMs: number }> {
  const { database, signal } = deps;
  try {
    return await provider.answer(
      { id: request.uuid, rows: request.rows, ...(deps.via && { via: deps.via }) },
      {
        signal,
        onSend() {
          signal.throwIfAborted();
          if (deps.writes.isBlocked()) throw noRoom;
          const at = deps.now().toISOString();
          markSent(database, request.id, at);
          // If that cannot be written, nothing is sent.
          request.sentAt = at;
        },
      },
    );
  } catch (thrown) {
    if (!(thrown instanceof ProviderError) || !providerFailures[thrown.failure].isRepeatable)
      throw thrown;
    const error = await explainOffline(deps, thrown);
    if (error.failure === 'offline') throw error;
    const waitMs = error.retryAfterMs ?? delayMs ?? 0;
    if (waitMs > repeatDelayMaxMs) throw nameTime(error, waitMs, deps.now());
    if (delayMs === undefined) throw error;
    if (request.sentAt !== null) await deps.writes.keep(() => markUnsent(database, request.id));
    request.sentAt = null;
    return { kind: 'repeat', delayMs: waitMs };
  }
}

async function sendUntilAccepted(
  deps: SendDeps,
  provider: Provider,
  request: Sending,
  delaysMs: readonly number[],
): Promise<ProviderAnswer> {
  for (let tries = 0; ; tries += 1) {
    const answer = await attempt(deps, provider, request, delaysMs[tries]);
    if (answer.kind !== 'repeat') return answer;
    await deps.wait(answer.delayMs, deps.signal);
  }
}

/** Ends a request that threw. Rethrows bugs, and that there is no room to send it. */
async function endThrown(deps: SendDeps, request: Sending, error: unknown): Promise<SendOutcome> {
  const at = deps.now().toISOString();
  const record = (failed: Parameters<typeof recordFailure>[2]) =>
    deps.writes.keep(() => recordFailure(deps.database, request, failed, at));
  if (error instanceof ProviderError) {
    await record(error);
    return { kind: 'failed', error };
  }
  // Nothing was sent. The next run recovers the intent.
  if (request.sentAt === null && findShortage(error)) throw error;
  const isStopped = deps.signal.aborted;
  const failure = request.sentAt === null ? 'unavailable' : 'uncertain';
  const detail = isStopped ? 'The run ended.' : 'The provider failed unexpectedly.';
  await record({ failure, message: detail });
  if (isStopped) return { kind: 'stopped' };
  throw error;
}

/** Waits for a pending request, or for the end of the run: polling then continues without it. */
async function followTicket(
  deps: SendDeps,
  provider: Provider,
  request: Sending,
  answer: Extract<ProviderAnswer, { kind: 'pending' }>,
): Promise<SendOutcome> {
  const { ticket, pollAfterMs } = answer;
  await deps.writes.keep(() => setTicket(deps.database, request.id, ticket));
  const { signal } = deps;
  const ended = Promise.withResolvers<SendOutcome>();
  const stop = () => ended.resolve({ kind: 'stopped' });
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  // The polls continue, and a later run reads the answer.
  void deps.offline.found.then(() => ended.resolve({ kind: 'failed', error: offlineError }));
  const via = deps.via && { via: deps.via };
  deps.polls.follow(provider, { ...request, ...via, ticket }, pollAfterMs).then(
    (rows) => ended.resolve({ kind: 'answered', rows }),
    (error: unknown) => {
      if (error instanceof ProviderError) ended.resolve({ kind: 'failed', error });
      else ended.reject(error);
    },
  );
  try {
    return await ended.promise;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Sends rows to a provider and records the outcome. Throws only for bugs of the provider.
 * @param isDown the provider did not accept the last request: this one is tried only once
 */
export async function sendRequest(
  deps: SendDeps,
  provider: Provider,
  rows: readonly SentRow[],
  isDown: boolean,
): Promise<SendOutcome> {
  const { database, jobId } = deps;
  const terms = provider.describe();
  const intent = { uuid: randomUUID(), provider: terms.id, rows };
  const at = deps.now().toISOString();
  const costMaxUnits = costMax(terms, rows);
  const id = insertIntent(database, { ...intent, jobId, costMaxUnits, at });
  const request: Sending = { ...intent, jobId, id, sentAt: null };
  deps.onRequest(id);
  deps.sending.add(id);
  try {
    return await sendStored(deps, provider, request, isDown);
  } finally {
    deps.sending.delete(id);
    deps.balances.afterRequest(terms.id, id);
  }
}

async function sendStored(
  deps: SendDeps,
  provider: Provider,
  request: Sending,
  isDown: boolean,
): Promise<SendOutcome> {
  const terms = provider.describe();
  const delaysMs = isDown ? [] : (terms.repeatDelaysMs ?? repeatDelaysMs);
  let answer: ProviderAnswer;
  try {
    answer = await sendUntilAccepted(deps, provider, request, delaysMs);
    // A provider that does not report sending has still sent the request.
    if (request.sentAt === null) throw new Error(`${terms.id} answered without onSend`);
    deps.onAccepted();
    if (answer.kind === 'answered') {
      const at = deps.now().toISOString();
      return { kind: 'answered', rows: await recordPaid(deps, terms, request, answer, at) };
    }
  } catch (error) {
    return await endThrown(deps, request, error);
  }
  return followTicket(deps, provider, request, answer);
}
