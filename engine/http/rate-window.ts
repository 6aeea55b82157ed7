// A sliding window per key, exact to the millisecond (docs/rules.md, "Hosts and paths").

export interface RateVerdict {
  readonly allowed: boolean;
  /** Requests that are still allowed now. */
  readonly remaining: number;
  /** Whole seconds until one more request is allowed. */
  readonly resetSeconds: number;
}

export interface RateWindow {
  /** Requests in any one window, for keys without their own limit. */
  readonly requestsMax: number;
  /**
   * Counts a request if it is allowed. A refused request is not counted.
   * @param keyRequestsMax the key's own limit; a changed limit applies at once
   */
  take(key: string, keyRequestsMax?: number): RateVerdict;
}

/** Times of requests, oldest at `first`, in a ring buffer that grows when full. */
interface Ring {
  times: Float64Array;
  first: number;
  count: number;
}

const ringTimesMin = 64;

const timeAt = (ring: Ring, place: number): number =>
  ring.times[(ring.first + place) % ring.times.length] ?? 0;

function append(ring: Ring, timeMs: number): void {
  if (ring.count === ring.times.length) {
    const grown = new Float64Array(ring.times.length * 2);
    for (let place = 0; place < ring.count; place += 1) grown[place] = timeAt(ring, place);
    ring.times = grown;
    ring.first = 0;
  }
  ring.times[(ring.first + ring.count) % ring.times.length] = timeMs;
  ring.count += 1;
}

function dropBefore(ring: Ring, sinceMs: number): void {
  while (ring.count > 0 && timeAt(ring, 0) <= sinceMs) {
    ring.first = (ring.first + 1) % ring.times.length;
    ring.count -= 1;
  }
}

/**
 * Creates the window. A request is allowed if fewer requests than its limit were allowed in the
 * `windowMs` before it. Memory: one ring buffer per key that was used in the last window.
 * @param now milliseconds that never decrease
 */
export function createRateWindow(
  requestsMax: number,
  windowMs: number,
  now: () => number,
): RateWindow {
  const rings = new Map<string, Ring>();
  let sweptMs = now();
  const sweep = (atMs: number) => {
    if (atMs - sweptMs < windowMs) return;
    sweptMs = atMs;
    for (const [key, ring] of rings) {
      dropBefore(ring, atMs - windowMs);
      if (ring.count === 0) rings.delete(key);
    }
  };
  return {
    requestsMax,
    take(key, keyRequestsMax = requestsMax) {
      const atMs = now();
      sweep(atMs);
      const ring = rings.get(key) ?? { times: new Float64Array(ringTimesMin), first: 0, count: 0 };
      rings.set(key, ring);
      dropBefore(ring, atMs - windowMs);
      const allowed = ring.count < keyRequestsMax;
      if (allowed) append(ring, atMs);
      // If the limit was lowered meanwhile, several requests have to leave the window first.
      const freeMs = timeAt(ring, Math.max(0, ring.count - keyRequestsMax)) + windowMs - atMs;
      return {
        allowed,
        remaining: Math.max(0, keyRequestsMax - ring.count),
        resetSeconds: Math.ceil(freeMs / 1000),
      };
    },
  };
}
