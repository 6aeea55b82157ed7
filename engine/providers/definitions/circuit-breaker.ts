// The circuit breaker of a provider: after several failures in a row, nothing is sent for a while.
//
//   closed ──failures in a row──> open ──its time is over──> half_open
//     ^                            ^                           │ one request is sent
//     │                            └────────── it fails ───────┤ (the time doubles)
//     └──────────────────────────────────────── it succeeds ───┘
import { breakerFailuresMax, breakerOpenMs } from '../../contract/limits/provider-definitions.ts';
import { createSteadyClock } from '../../platform/steady-clock.ts';

export interface BreakerState {
  readonly state: 'closed' | 'open' | 'half_open';
  /** When the next request may be sent, in milliseconds since 1970; null if now. */
  readonly opensAt: number | null;
}

/** What a request says about the service. `unknown`: nothing, such as if it was not sent. */
export type RequestHealth = 'succeeded' | 'failed' | 'unknown';

/** A request that may be sent. It is ended once. */
export interface Pass {
  end(health: RequestHealth): void;
}

export interface CircuitBreaker {
  /** The pass of a request, or the milliseconds until one may be sent. */
  admit(): Pass | number;
  /** Forgets the failures: their cause was not the service. */
  close(): void;
  readState(): BreakerState;
}

/** Creates a closed breaker. @param wallClock milliseconds since 1970 */
export function createCircuitBreaker(wallClock: () => number): CircuitBreaker {
  const now = createSteadyClock(wallClock);
  let failures = 0;
  let openMs: number = breakerOpenMs.first;
  /** The end of the open state; null if closed. */
  let openUntil: number | null = null;
  let isProbing = false;
  const close = () => {
    failures = 0;
    openUntil = null;
    openMs = breakerOpenMs.first;
  };
  const pass: Pass = {
    end(health) {
      if (health === 'succeeded') close();
      if (health !== 'failed') return;
      failures += 1;
      if (openUntil === null && failures >= breakerFailuresMax) openUntil = now() + openMs;
    },
  };
  const probe: Pass = {
    end(health) {
      isProbing = false;
      if (health === 'succeeded') close();
      if (health !== 'failed' || openUntil === null) return;
      openMs = Math.min(openMs * 2, breakerOpenMs.max);
      openUntil = now() + openMs;
    },
  };
  return {
    close,
    admit() {
      if (openUntil === null) return pass;
      const left = openUntil - now();
      if (left > 0) return left;
      // One probe at a time; other requests return when it may have ended.
      if (isProbing) return breakerOpenMs.first;
      isProbing = true;
      return probe;
    },
    readState() {
      if (openUntil === null) return { state: 'closed', opensAt: null };
      const leftMs = openUntil - now();
      return leftMs > 0
        ? { state: 'open', opensAt: wallClock() + leftMs }
        : { state: 'half_open', opensAt: null };
    },
  };
}
