/**
 * Codes that open something once and only for a while: the interface's link, a download's ticket.
 */
import { randomBytes } from 'node:crypto';
import { oneTimeCodesMax } from '../contract/limits/http-server.ts';

/** What waits behind codes. */
export interface OneTimeCodes<Value> {
  /** Makes a code of 256 random bits, safe in a URL. */
  issue(value: Value): string;
  /** What the code stands for, the first time it is asked and while it is fresh; else null. */
  redeem(code: string): Value | null;
}

/**
 * Makes a store of codes, in memory alone.
 * @param keptMs how long a code can be redeemed
 * @param now milliseconds, from any fixed moment
 */
export function createOneTimeCodes<Value>(keptMs: number, now: () => number): OneTimeCodes<Value> {
  const waiting = new Map<string, { value: Value; expiresMs: number }>();
  return {
    issue(value) {
      const oldest = waiting.keys().next();
      if (waiting.size >= oneTimeCodesMax && !oldest.done) waiting.delete(oldest.value);
      const code = randomBytes(32).toString('base64url');
      waiting.set(code, { value, expiresMs: now() + keptMs });
      return code;
    },
    redeem(code) {
      const found = waiting.get(code);
      waiting.delete(code);
      return found && found.expiresMs > now() ? found.value : null;
    },
  };
}
