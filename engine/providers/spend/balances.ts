/**
 * Reads the balance at a service: after a request with an unknown outcome, as a hint for the person
 * who decides about it; and before and after a job, if the service does not report costs. A reading
 * is free. One that fails is left out.
 */
import { type Provider, ProviderError } from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { isRequestUndecided } from '../waterfall/provider-request.table.ts';
import { readSettings } from '../waterfall/provider-setting.table.ts';
import { findJobBalance, insertBalance } from './provider-balance.table.ts';
import { settleByBalance } from './settle-by-balance.ts';

/** The readings of an environment. */
export interface Balances {
  /** Reads the balance in the background if the outcome of a request that has ended is unknown. */
  afterRequest(provider: string, requestId: number): void;
  /** Reads the balance before the first request of a job. */
  beforeJob(provider: Provider, jobId: number): Promise<void>;
  /** Reads the balances after a job, and corrects what its requests cost. */
  afterJob(jobId: number): Promise<void>;
  /** Aborts readings. Resolves when none is in flight. */
  stop(): Promise<void>;
}

/** What readings need from outside. */
export interface BalanceDeps {
  readonly database: WritableDatabase;
  readonly providers: ReadonlyMap<string, Provider>;
  now(): Date;
}

/** Creates the readings of an environment. */
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
