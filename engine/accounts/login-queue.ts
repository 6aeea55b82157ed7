// Checks passwords one at a time. Every program on this machine has the same address and can open
// any number of connections and pages, so a lockout would lock the owner out. Instead, failed tries
// delay all further checks, and pages with fewer failures go first.
import { setTimeout as waitFor } from 'node:timers/promises';
import { EngineError } from '../contract/errors.ts';
import {
  loginDelayMaxMs,
  loginDelayMinMs,
  loginFreeTries,
  loginTriesWaitingMax,
  loginWindowMs,
} from '../contract/limits/accounts.ts';

export type Delay = (ms: number) => Promise<void>;

export interface LoginQueue {
  /**
   * Runs a check when it is the page's turn; a result of null is a failed try. Throws
   * `rate_limited` if the page already has a check waiting or running, or too many pages wait, and
   * AbortError if the signal is aborted before the turn.
   * @param page identifies the page whose tries are counted together
   */
  check<Right>(
    page: string,
    signal: AbortSignal,
    verify: () => Promise<Right | null>,
  ): Promise<Right | null>;
}

interface Waiter {
  readonly page: string;
  readonly begin: () => void;
}

function createWrongTries(now: () => number) {
  let tries: { page: string; atMs: number }[] = [];
  const recent = () => {
    tries = tries.filter(({ atMs }) => now() - atMs < loginWindowMs);
    return tries;
  };
  return {
    add: (page: string) => void recent().push({ page, atMs: now() }),
    countOf: (page: string) => recent().filter((one) => one.page === page).length,
    delayMs() {
      const beyond = recent().length - loginFreeTries;
      return beyond < 0 ? 0 : Math.min(loginDelayMaxMs, loginDelayMinMs * 2 ** beyond);
    },
  };
}

/** @param now milliseconds that never decrease @param delay defaults to a timer */
export function createLoginQueue(
  now: () => number,
  delay: Delay = (ms) => waitFor(ms),
): LoginQueue {
  const wrong = createWrongTries(now);
  const pages = new Set<string>();
  const waiting: Waiter[] = [];
  let isChecking = false;
  const next = () => {
    const counts = waiting.map(({ page }) => wrong.countOf(page));
    const [waiter] = waiting.splice(counts.indexOf(Math.min(...counts)), 1);
    isChecking = waiter !== undefined;
    waiter?.begin();
  };
  const waitForTurn = (page: string, signal: AbortSignal) =>
    new Promise<void>((begin, fail) => {
      const waiter = { page, begin };
      signal.addEventListener('abort', () => {
        const at = waiting.indexOf(waiter);
        if (at >= 0) waiting.splice(at, 1);
        fail(new DOMException('the client disconnected', 'AbortError'));
      });
      waiting.push(waiter);
      if (!isChecking) next();
    });
  async function checkInTurn<Right>(
    page: string,
    signal: AbortSignal,
    verify: () => Promise<Right | null>,
  ): Promise<Right | null> {
    signal.throwIfAborted();
    await waitForTurn(page, signal);
    try {
      const delayMs = wrong.delayMs();
      if (delayMs > 0) await delay(delayMs);
      const found = await verify();
      if (found === null) wrong.add(page);
      return found;
    } finally {
      next();
    }
  }
  return {
    async check(page, signal, verify) {
      if (pages.has(page))
        throw new EngineError(
          'rate_limited',
          'This page already has a login in progress. Wait for it to finish.',
        );
      if (pages.size >= loginTriesWaitingMax)
        throw new EngineError(
          'rate_limited',
          'Too many logins are in progress. Answer in the app instead.',
        );
      pages.add(page);
      try {
        return await checkInTurn(page, signal, verify);
      } finally {
        pages.delete(page);
      }
    },
  };
}
