// Polls pending requests until they end. Polling does not belong to a job: a request that was paid
// for is read to its end after its job was cancelled, and again after a restart.
import { lostRequestMaxMs } from '../../contract/limits/desk-provider.ts';
import { networkCheckMs, repeatDelaysMs } from '../../contract/limits/waterfall.ts';
import {
  type Provider,
  type ProviderAnswer,
  ProviderError,
  type ProviderTerms,
  providerFailures,
  type RowAnswer,
} from '../../contract/provider.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { createSteadyClock } from '../../platform/steady-clock.ts';
import { trustedTime } from '../../platform/trusted-clock.ts';
import type { InFlight } from './in-flight.ts';
import type { Network } from './network.ts';
import type { PaidWrites, Wait } from './paid-writes.ts';
import { type OpenRequest, setTicket } from './provider-request.table.ts';
import { readSettings } from './provider-setting.table.ts';
import { recordFailure, recordPaid } from './record-outcome.ts';
import { fieldSubject } from './row-subject.ts';

export interface PollDeps {
  readonly database: WritableDatabase;
  readonly inFlight: InFlight;
  readonly network: Network;
  readonly balances: {
    afterRequest(provider: string, requestId: number): void;
  };
  readonly wait: Wait;
  readonly writes: PaidWrites;
  now(): Date;
}

export type PendingRequest = Omit<OpenRequest, 'state'> & { readonly ticket: string };

export interface TicketPolls {
  /**
   * Polls a request until it ends, and records its outcome. Throws ProviderError if it failed, and
   * any other error if the engine stops: the request is then polled after the next start.
   */
  follow(provider: Provider, request: PendingRequest, pollAfterMs: number): Promise<RowAnswer[]>;
  isFollowing(id: number): boolean;
  stop(): Promise<void>;
}

/** The detail of a request whose answer was lost. */
export const unknownOutcome =
  'The engine stopped before the answer was stored. It may have been charged: check the balance ' +
  'at the service.';

const delayOf = ({ retryAfterMs }: ProviderError): number =>
  retryAfterMs ?? repeatDelaysMs.at(-1) ?? 0;

async function pollOnce(
  provider: Provider,
  request: PendingRequest,
  signal: AbortSignal,
): Promise<ProviderAnswer | 'offline'> {
  if (!provider.poll) throw new Error(`${request.provider} answers pending and cannot be polled`);
  try {
    const { uuid: id, rows, via } = request;
    return await provider.poll(request.ticket, { id, rows, ...(via && { via }) }, signal);
  } catch (error) {
    if (!(error instanceof ProviderError) || !providerFailures[error.failure].isRepeatable)
      throw error;
    if (error.failure === 'offline') return 'offline';
    return { kind: 'pending', ticket: request.ticket, pollAfterMs: delayOf(error) };
  }
}

/**
 * Throws `uncertain` if a request without a ticket must not be repeated: its provider was switched
 * off, or the service may have forgotten the first request.
 */
function checkRepeatable(
  database: ReadableDatabase,
  { id, title, repeatableMs = 0 }: ProviderTerms,
  { sentAt }: Pick<OpenRequest, 'sentAt'>,
  now: Date,
): void {
  const isOn = readSettings(database).get(id)?.isOn ?? false;
  // The clock may have been set back since.
  if (isOn && Math.abs(now.getTime() - Date.parse(sentAt ?? '')) < repeatableMs) return;
  const why = isOn ? 'It is too late to ask for it again' : `${title} was switched off`;
  throw new ProviderError('uncertain', `${unknownOutcome} ${why}.`);
}

export function createTicketPolls({
  database,
  inFlight,
  network,
  balances,
  wait,
  writes,
  now,
}: PollDeps): TicketPolls {
  const stopping = new AbortController();
  const open = new Map<number, Promise<unknown>>();
  const poll = async (provider: Provider, request: PendingRequest, pollAfterMs: number) => {
    const terms = provider.describe();
    // A wrong clock neither ends the wait for an answer that is paid for, nor prolongs it.
    const steadyNow = createSteadyClock(() => trustedTime(database, now()).getTime());
    const ageMs = Math.max(0, steadyNow() - Date.parse(request.sentAt ?? ''));
    const endsAtMs = steadyNow() - ageMs + (terms.pendingMaxMs ?? Number.NaN);
    let lostUntilMs = steadyNow() + lostRequestMaxMs;
    try {
      for (let delayMs = pollAfterMs, { ticket } = request; ; ) {
        await wait(delayMs, stopping.signal);
        if (ticket === '') checkRepeatable(database, terms, request, now());
        const answer = await pollOnce(provider, { ...request, ticket }, stopping.signal);
        stopping.signal.throwIfAborted();
        if (answer === 'offline') {
          // Without a network no time passes for the service.
          void network.confirmOffline();
          lostUntilMs = steadyNow() + lostRequestMaxMs;
          delayMs = networkCheckMs;
          continue;
        }
        if (answer.kind === 'answered')
          return await recordPaid(
            { database, writes },
            terms,
            request,
            answer,
            now().toISOString(),
          );
        const atMs = steadyNow();
        if (atMs > endsAtMs || (answer.ticket === '' && atMs > lostUntilMs))
          throw new ProviderError('uncertain', `${terms.title} gave no result in time.`);
        const { ticket: next } = answer;
        if (next !== ticket) await writes.keep(() => setTicket(database, request.id, next));
        ({ ticket, pollAfterMs: delayMs } = answer);
      }
    } catch (error) {
      if (stopping.signal.aborted || !(error instanceof ProviderError)) throw error;
      await writes.keep(() => recordFailure(database, request, error, now().toISOString()));
      throw error;
    }
  };
  return {
    follow(provider, request, pollAfterMs) {
      const subjects = request.rows.flatMap(({ row, fields, subject }) =>
        fields.map((field) => fieldSubject(field, row, subject)),
      );
      const release = inFlight.hold(request.provider, subjects);
      const result = poll(provider, request, pollAfterMs).finally(() =>
        balances.afterRequest(request.provider, request.id),
      );
      const ended = result.then(release, release);
      open.set(request.id, ended);
      void ended.then(() => open.delete(request.id));
      return result;
    },
    isFollowing: (id) => open.has(id),
    async stop() {
      stopping.abort(new Error('the engine stops'));
      await Promise.all(open.values());
    },
  };
}
