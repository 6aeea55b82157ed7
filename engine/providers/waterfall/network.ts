// Whether this machine has a network. It is offline if no service that is on can be reached; a
// single service that cannot be reached is down. A check opens connections and sends nothing.
import { offlineConfirmMs } from '../../contract/limits/waterfall.ts';
import type { Provider } from '../../contract/provider.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { readOrder } from './read-order.ts';

export interface Network {
  /** Checks. Resolves to whether a service can be reached; true if there is none to look for. */
  check(): Promise<boolean>;
  /**
   * Checks after a request failed as `offline`, a second time after a pause. Resolves to whether
   * the machine is offline, after `onOffline` was called.
   */
  confirmOffline(): Promise<boolean>;
  onOffline(listener: () => void): () => void;
  stop(): void;
}

export interface NetworkDeps {
  readonly database: WritableDatabase;
  readonly providers: ReadonlyMap<string, Provider>;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

export function createNetwork({ database, providers, wait }: NetworkDeps): Network {
  const stopping = new AbortController();
  const listeners = new Set<() => void>();
  let confirming: Promise<boolean> | null = null;
  const check = async (): Promise<boolean> => {
    const { terms, steps } = readOrder(database, providers);
    const reaches = [...terms.keys()]
      .filter((id) => steps.some(({ provider }) => provider === id))
      .flatMap((id) => providers.get(id)?.reach ?? []);
    if (reaches.length === 0) return true;
    const found = await Promise.all(reaches.map((reach) => reach(stopping.signal)));
    return found.includes(true);
  };
  const confirm = async (): Promise<boolean> => {
    if (await check()) return false;
    // A machine that changes from one network to another is offline for some seconds.
    await wait(offlineConfirmMs, stopping.signal).catch(() => undefined);
    if (stopping.signal.aborted || (await check())) return false;
    for (const listener of listeners) listener();
    return true;
  };
  return {
    check,
    confirmOffline() {
      confirming ??= confirm().finally(() => {
        confirming = null;
      });
      return confirming;
    },
    onOffline(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => stopping.abort(new Error('the engine stops')),
  };
}
