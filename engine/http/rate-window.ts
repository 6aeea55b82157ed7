/**
 * The rate limit: one sliding window per key, exact to the millisecond (docs/rules.md, "Hosts and
 * paths").
 */

/** What became of a request. */
export interface RateVerdict {
  readonly allowed: boolean;
  /** Requests that may still be made at once. */
  readonly remaining: number;
  /** Whole seconds until one more request is free: until the oldest that stands in its way goes. */
  readonly resetSeconds: number;
}

/** Counts requests by key. */
export interface RateWindow {
  /** Requests in any one window, for keys without a limit of their own. */
  readonly requestsMax: number;
  /**
   * Counts a request where it is allowed; a refused one is not counted.
   * @param keyRequestsMax the key's own limit; another than before counts at once
   */
  take(key: string, keyRequestsMax?: number): RateVerdict;
}

/** The times of the requests in the window, oldest at `first`, in a ring that grows when full. */
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
 * Makes the window. A request is allowed where fewer than its limit were allowed in the `windowMs`
 * before it. Memory: one ring per key that was heard of in the last window.
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
    take(key, keyRequestsMax = requestsMax) {
      const atMs = now();
      sweep(atMs);
      const ring = rings.get(key) ?? { times: new Float64Array(ringTimesMin), first: 0, count: 0 };
      rings.set(key, ring);
      dropBefore(ring, atMs - windowMs);
      const allowed = ring.count < keyRequestsMax;
      if (allowed) append(ring, atMs);
      // Where the limit was lowered meanwhile, more than the oldest has to go.
      const freeMs = timeAt(ring, Math.max(0, ring.count - keyRequestsMax)) + windowMs - atMs;
      return {
        allowed,
        remaining: Math.max(0, keyRequestsMax - ring.count),
        resetSeconds: Math.ceil(freeMs / 1000),
      };
    },
  };
}
