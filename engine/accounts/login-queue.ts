/**
 * Checks passwords one at a time. Every program on this machine comes from the same address, and
 * may open as many connections and pages as it likes, so that a lock would lock the owner out:
 * wrong tries make every next check wait instead, and pages that were wrong less often go first.
 */
import { setTimeout as waitFor } from 'node:timers/promises';
import { EngineError } from '../contract/errors.ts';
import {
  loginDelayMaxMs,
  loginDelayMinMs,
  loginFreeTries,
  loginTriesWaitingMax,
  loginWindowMs,
} from '../contract/limits/accounts.ts';

/** Waits so many milliseconds. */
export type Delay = (ms: number) => Promise<void>;

/** Who waits for a check. */
export interface LoginQueue {
  /**
   * Runs a check when it is the page's turn; null says that it was wrong. Throws `rate_limited`
   * where the page has a try under way, or too many pages wait, and AbortError where the signal
   * comes before the turn.
   * @param page whose tries are counted together
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

/** Wrong tries of the window, by the page that made them, oldest first. */
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

/**
 * Makes the queue.
 * @param now milliseconds that never go back
 * @param delay the timer's where left out
 */
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
        fail(new DOMException('nobody waits for the answer', 'AbortError'));
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
        throw new EngineError('rate_limited', 'A try of this page is being checked. Wait for it.');
      if (pages.size >= loginTriesWaitingMax)
        throw new EngineError('rate_limited', 'Too many log in at once. Answer in the app.');
      pages.add(page);
      try {
        return await checkInTurn(page, signal, verify);
      } finally {
        pages.delete(page);
      }
    },
  };
}
