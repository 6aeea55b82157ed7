/**
 * Ends or continues the requests that an earlier run of the engine left, or that a full disk kept
 * from being recorded: what was not sent may be asked again, what was sent without an answer is
 * uncertain unless the service recognises a repeat, and tickets are polled.
 */
import { type Provider, ProviderError } from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { trustedTime } from '../../platform/trusted-clock.ts';
import type { Balances } from '../spend/balances.ts';
import { type TicketPolls, unknownOutcome } from './poll-tickets.ts';
import { dropExpiredAnswers } from './provider-answer.table.ts';
import { listOpenRequests } from './provider-request.table.ts';
import { recordFailure } from './record-outcome.ts';

const notSent = new ProviderError('unavailable', 'The engine stopped before it was sent.');
const unknown = new ProviderError('uncertain', unknownOutcome);

/**
 * Recovers. Call it before the first request of each run.
 * @param isOwn whether a request is in flight in this engine
 */
export function recoverRequests(
  database: WritableDatabase,
  providers: ReadonlyMap<string, Provider>,
  { polls, balances }: { readonly polls: TicketPolls; readonly balances: Balances },
  isOwn: (id: number) => boolean,
  at: string,
): void {
  dropExpiredAnswers(database, trustedTime(database, new Date(at)).toISOString());
  for (const request of listOpenRequests(database)) {
    const { id, ticket, state } = request;
    if (isOwn(id) || polls.isFollowing(id)) continue;
    if (state === 'intent') recordFailure(database, request, notSent, at);
    else {
      const provider = providers.get(request.provider);
      const isRepeatable = provider?.describe().repeatableMs !== undefined;
      if (ticket === null && !isRepeatable) {
        recordFailure(database, request, unknown, at);
        balances.afterRequest(request.provider, id);
      }
      // The outcome is recorded; a poll that is stopped continues after the next start.
      else if (provider)
        polls.follow(provider, { ...request, ticket: ticket ?? '' }, 0).catch(() => undefined);
    }
  }
}
