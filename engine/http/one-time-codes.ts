// One-time codes that expire: for the interface's link and for download tickets.
import { randomBytes } from 'node:crypto';
import { oneTimeCodesMax } from '../contract/limits/http-server.ts';

export interface OneTimeCodes<Value> {
  /** Creates a code of 256 random bits, safe in a URL. */
  issue(value: Value): string;
  /** The value of a code on first use before it expires, otherwise null. */
  redeem(code: string): Value | null;
}

/** @param keptMs how long a code is valid @param now milliseconds, from any fixed moment */
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
