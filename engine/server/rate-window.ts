/**
 * The rate limit: one sliding window per key, exact to the millisecond (decisions.md, "Hosts and
 * paths").
 */

/** What became of a request. */
export interface RateVerdict {
  readonly allowed: boolean;
  /** Requests that may still be made at once. */
  readonly remaining: number;
  /** Whole seconds until the oldest counted request leaves the window; 0 where none is counted. */
  readonly resetSeconds: number;
}

/** Counts requests by key. */
export interface RateWindow {
  /** Requests in any one window. */
  readonly requestsMax: number;
  /** Counts a request where it is allowed; a refused one is not counted. */
  take(key: string): RateVerdict;
}

/** The times of the requests in the window, oldest at `first`, in a ring. */
interface Ring {
  readonly times: Float64Array;
  first: number;
  count: number;
}

function dropBefore(ring: Ring, sinceMs: number): void {
  while (ring.count > 0 && (ring.times[ring.first] ?? 0) <= sinceMs) {
    ring.first = (ring.first + 1) % ring.times.length;
    ring.count -= 1;
  }
}

/**
 * Makes the window. At no moment have more than `requestsMax` requests of a key been allowed in
 * the `windowMs` before it. Memory: one ring per key that was heard of in the last window.
 * @param now milliseconds that never go back
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
    take(key) {
      const atMs = now();
      sweep(atMs);
      const ring = rings.get(key) ?? { times: new Float64Array(requestsMax), first: 0, count: 0 };
      rings.set(key, ring);
      dropBefore(ring, atMs - windowMs);
      const allowed = ring.count < requestsMax;
      if (allowed) {
        ring.times[(ring.first + ring.count) % requestsMax] = atMs;
        ring.count += 1;
      }
      const freeMs = (ring.times[ring.first] ?? atMs) + windowMs - atMs;
      return {
        allowed,
        remaining: requestsMax - ring.count,
        resetSeconds: Math.ceil(freeMs / 1000),
      };
    },
  };
}
