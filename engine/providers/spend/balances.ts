// Reads the balance at a service: after a request with an unknown outcome, as a hint for the person
// who decides about it; and before and after a job, if the service does not report costs. A reading
// is free. One that fails is left out.
import { type Provider, ProviderError } from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import {
  countOtherRequests,
  isRequestUndecided,
  listJobRequests,
  type MeasuredRequest,
  setMeasuredCost,
} from '../waterfall/provider-request.table.ts';
import { readSettings } from '../waterfall/provider-setting.table.ts';
import { toUnits } from '../waterfall/provider-units.ts';
import { findJobBalance, insertBalance } from './provider-balance.table.ts';

interface MeasuredJob {
  readonly provider: string;
  readonly jobId: number;
  readonly before: { readonly credits: number; readonly at: string };
  readonly after: { readonly credits: number; readonly at: string };
}

/** Costs by the answers, at most each maximum. Null if the total cannot be theirs. */
export function shareUnits(
  total: number,
  requests: readonly Pick<MeasuredRequest, 'costUnits' | 'costMaxUnits'>[],
): number[] | null {
  if (!Number.isFinite(total)) return null;
  const estimate = requests.reduce((sum, { costUnits }) => sum + costUnits, 0);
  const shares = requests.map(({ costUnits, costMaxUnits }) =>
    estimate === 0 ? 0 : Math.min(costMaxUnits, Math.floor((total * costUnits) / estimate)),
  );
  let left = total - shares.reduce((sum, share) => sum + share, 0);
  for (const [at, { costMaxUnits }] of requests.entries()) {
    const more = Math.min(left, costMaxUnits - (shares[at] ?? 0));
    shares[at] = (shares[at] ?? 0) + more;
    left -= more;
  }
  return total < 0 || left > 0 ? null : shares;
}

/** Corrects the costs of a job, or leaves them as they are. */
function settleByBalance(database: WritableDatabase, job: MeasuredJob): void {
  const { provider, jobId, before, after } = job;
  inTransaction(database, () => {
    const requests = listJobRequests(database, provider, jobId);
    const isKnown = requests.every(({ at, state }) => at >= before.at && state === 'known');
    if (!isKnown || countOtherRequests(database, job) > 0) return;
    const reported = requests.filter(({ isReported }) => isReported);
    const estimated = requests.filter(({ isReported }) => !isReported);
    const fell = toUnits(before.credits) - toUnits(after.credits);
    const total = fell - reported.reduce((sum, { costUnits }) => sum + costUnits, 0);
    const shares = shareUnits(total, estimated);
    if (!shares) return;
    for (const [at, { id }] of estimated.entries()) setMeasuredCost(database, id, shares[at] ?? 0);
  });
}

export interface Balances {
  /** Reads the balance in the background if the outcome of a request that has ended is unknown. */
  afterRequest(provider: string, requestId: number): void;
  beforeJob(provider: Provider, jobId: number): Promise<void>;
  /** Reads the balances after a job, and corrects what its requests cost. */
  afterJob(jobId: number): Promise<void>;
  stop(): Promise<void>;
}

export interface BalanceDeps {
  readonly database: WritableDatabase;
  readonly providers: ReadonlyMap<string, Provider>;
  now(): Date;
}

export function createBalances({ database, providers, now }: BalanceDeps): Balances {
  const stopping = new AbortController();
  const open = new Set<Promise<unknown>>();
  const track = (work: Promise<void>): Promise<void> => {
    const ended = work.catch(() => undefined).finally(() => open.delete(ended));
    open.add(ended);
    return work;
  };
  /** The balance now; null if it cannot be read, or the provider is off. */
  const read = async (provider: Provider): Promise<number | null> => {
    const { id } = provider.describe();
    if (!provider.readBalance || readSettings(database).get(id)?.isOn !== true) return null;
    try {
      const credits = await provider.readBalance(stopping.signal);
      return stopping.signal.aborted ? null : credits;
    } catch (error) {
      if (error instanceof ProviderError || stopping.signal.aborted) return null;
      throw error;
    }
  };
  const store = async (provider: Provider, about: { requestId: number } | { jobId: number }) => {
    const credits = await read(provider);
    if (credits === null) return null;
    const balance = { provider: provider.describe().id, credits, at: now().toISOString() };
    insertBalance(database, { ...balance, ...about });
    return balance;
  };
  const settle = async (provider: Provider, jobId: number): Promise<void> => {
    const { id } = provider.describe();
    const before = findJobBalance(database, id, jobId);
    const after = before && (await store(provider, { jobId }));
    if (before && after) settleByBalance(database, { provider: id, jobId, before, after });
  };
  return {
    afterRequest(id, requestId) {
      const provider = providers.get(id);
      if (!provider || stopping.signal.aborted || !isRequestUndecided(database, requestId)) return;
      track(store(provider, { requestId }).then(() => undefined)).catch(() => undefined);
    },
    async beforeJob(provider, jobId) {
      const { id, isMeasuredByBalance } = provider.describe();
      if (!isMeasuredByBalance || findJobBalance(database, id, jobId)) return;
      await track(store(provider, { jobId }).then(() => undefined));
    },
    async afterJob(jobId) {
      if (stopping.signal.aborted) return;
      const measured = [...providers.values()].filter((one) => one.describe().isMeasuredByBalance);
      await Promise.all(measured.map((provider) => track(settle(provider, jobId))));
    },
    async stop() {
      stopping.abort(new Error('the engine stops'));
      await Promise.all(open);
    },
  };
}
