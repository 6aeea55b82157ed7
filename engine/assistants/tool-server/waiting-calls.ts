// Tool calls that wait for the answer to their approval request. The approval requests are in
// engine.db (ledger/approval.table.ts); the state here ends with the calls.
//
// An approval request belongs to the one call that claimed it. An identical concurrent call has its
// own.

export type WaitEnd = 'allowed' | 'denied' | 'unanswered';

export interface WaitingCalls {
  listClaimed(): string[];
  /** Claims an approval request for a call; false if another call has claimed it. */
  claim(id: string): boolean;
  /** Releases an approval request, so that a repeat of the call can find it. */
  release(id: string): void;
  /** Waits for the answer until the signal is aborted. */
  wait(id: string, signal: AbortSignal): Promise<WaitEnd>;
  resolveCall(id: string, isAllowed: boolean): void;
}

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
