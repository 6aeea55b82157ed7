// The waterfalls of an environment: each job, pipeline and lookup asks the user's providers through
// one, and they share the requests in flight, the polls, and what is stored.
import type { EngineError } from '../../contract/errors.ts';
import { type Provider, ProviderError } from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { trustedTime } from '../../platform/trusted-clock.ts';
import { type Balances, createBalances } from '../spend/balances.ts';
import { createInFlight } from './in-flight.ts';
import { createNetwork, type Network } from './network.ts';
import { createPaidWrites, type Wait } from './paid-writes.ts';
import { createTicketPolls, type TicketPolls, unknownOutcome } from './poll-tickets.ts';
import { dropExpiredAnswers, hasAnswers } from './provider-answer.table.ts';
import { listOpenRequests } from './provider-request.table.ts';
import { readOrder } from './read-order.ts';
import { recordFailure } from './record-outcome.ts';
import { openRun, type Waterfall, type WaterfallScope } from './waterfall-run.ts';

const notSent = new ProviderError('unavailable', 'The engine stopped before it was sent.');
const unknown = new ProviderError('uncertain', unknownOutcome);

/** Call before the first request of each run. @param isOwn in flight in this engine */
function recoverRequests(
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

export interface Waterfalls {
  /** Opens a run; null if no provider may be asked and no answer is stored. */
  open(scope: WaterfallScope): Waterfall | null;
  readonly network: Network;
  stop(): Promise<void>;
}

export interface WaterfallDeps {
  readonly database: WritableDatabase;
  /** The providers that can be asked, by id. It is read at the start of each run. */
  readonly providers: ReadonlyMap<string, Provider>;
  readonly wait: Wait;
  /** Called when nothing more is sent because the disk is full. */
  readonly onTrouble?: (trouble: EngineError) => void;
  now(): Date;
}

export function createWaterfalls(deps: WaterfallDeps): Waterfalls {
  const { database, now, wait, providers } = deps;
  const inFlight = createInFlight();
  const balances = createBalances({ database, providers, now });
  const network = createNetwork(deps);
  const writes = createPaidWrites(deps);
  const polls = createTicketPolls({ database, inFlight, network, balances, wait, writes, now });
  const sending = new Set<number>();
  const runs = new Set<ReturnType<typeof openRun>>();
  const asking = new Set<Promise<unknown>>();
  const recover = () =>
    recoverRequests(
      database,
      providers,
      { polls, balances },
      (id) => sending.has(id),
      now().toISOString(),
    );
  recover();
  const ends = { polls, balances, writes };
  const shared = { database, now, wait, providers, inFlight, network, ...ends, sending };
  return {
    network,
    open(scope) {
      const known = readOrder(database, providers);
      // Without terms no step is asked, and the rules of the steps still apply to stored answers.
      const order = scope.asks === false ? { ...known, terms: new Map() } : known;
      const asksNone = order.terms.size === 0 || order.steps.length === 0;
      if (asksNone && !hasAnswers(database)) return null;
      recover();
      const run = openRun(shared, scope, order);
      runs.add(run);
      const own = new Set<Promise<unknown>>();
      const settle = async () => {
        await Promise.allSettled(own);
        // Rows that were left may still be asked about.
        await run.whenIdle();
        runs.delete(run);
        if (scope.jobId !== null) await balances.afterJob(scope.jobId);
      };
      // Without a balance, the costs stay estimated.
      run.whenStopped.then(settle).catch(() => undefined);
      return {
        ...run,
        ask(rows, open, options) {
          const answer = run.ask(rows, open, options);
          asking.add(answer);
          own.add(answer);
          const end = () => {
            asking.delete(answer);
            own.delete(answer);
          };
          answer.then(end, end);
          return answer;
        },
      };
    },
    async stop() {
      const open = [...runs];
      for (const run of open) run.stop();
      network.stop();
      writes.stop();
      await Promise.allSettled(asking);
      await Promise.all(open.map((run) => run.whenIdle()));
      await balances.stop();
      await polls.stop();
    },
  };
}
