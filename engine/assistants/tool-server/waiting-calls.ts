/**
 * Calls of tools that wait until a person has answered their question. The questions themselves are
 * in engine.db (ledger/approval.table.ts); what is kept here ends with the calls.
 *
 * A question belongs to the one call that has claimed it: the same call again, beside it, has a
 * question of its own.
 */

/** What became of a question while a call waited for it. */
export type WaitEnd = 'allowed' | 'denied' | 'unanswered';

/** The calls of one environment that wait. */
export interface WaitingCalls {
  /** The questions that belong to calls. */
  listClaimed(): string[];
  /** Makes a question a call's own; false where it is another's. */
  claim(id: string): boolean;
  /** Lets a question go, so that the same call again finds it. */
  release(id: string): void;
  /** Waits for the answer until the signal is aborted. */
  wait(id: string, signal: AbortSignal): Promise<WaitEnd>;
  /** Tells the calls that wait for a question how it was answered. */
  resolveCall(id: string, isAllowed: boolean): void;
}

/** Makes the waiting calls of an environment. */
export function createWaitingCalls(): WaitingCalls {
  const claimed = new Set<string>();
  const listeners = new Map<string, Set<(end: WaitEnd) => void>>();
  return {
    listClaimed: () => [...claimed],
    claim(id) {
      if (claimed.has(id)) return false;
      claimed.add(id);
      return true;
    },
    release: (id) => void claimed.delete(id),
    async wait(id, signal) {
      const { promise, resolve } = Promise.withResolvers<WaitEnd>();
      const leave = () => resolve('unanswered');
      const waiting = listeners.get(id) ?? new Set();
      listeners.set(id, waiting.add(resolve));
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
      const end = await promise;
      signal.removeEventListener('abort', leave);
      waiting.delete(resolve);
      if (waiting.size === 0) listeners.delete(id);
      return end;
    },
    resolveCall(id, isAllowed) {
      for (const resolve of listeners.get(id) ?? []) resolve(isAllowed ? 'allowed' : 'denied');
    },
  };
}
