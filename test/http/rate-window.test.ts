// The sliding window of the rate limit, compared with its plain definition.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateWindow } from '../../engine/http/rate-window.ts';

test('60 requests in any 60 seconds are allowed, and one more when the oldest is 60 seconds old', () => {
  let nowMs = 0;
  const window = createRateWindow(60, 60_000, () => nowMs);
  for (let made = 1; made <= 60; made += 1) {
    nowMs = made * 10;
    expect(window.take('key')).toEqual({ allowed: true, remaining: 60 - made, resetSeconds: 60 });
  }
  nowMs = 60_009;
  expect(window.take('key')).toEqual({ allowed: false, remaining: 0, resetSeconds: 1 });
  nowMs = 60_010;
  expect(window.take('key')).toMatchObject({ allowed: true, remaining: 0 });
  expect(window.take('key').allowed).toBe(false);
});

test('a refused request does not count, so a client that waits as told is accepted', () => {
  let nowMs = 0;
  const window = createRateWindow(1, 1_000, () => nowMs);
  window.take('key');
  nowMs = 999;
  const refused = window.take('key');
  nowMs += refused.resetSeconds * 1_000;
  expect(window.take('key').allowed).toBe(true);
});

test('keys have independent windows', () => {
  const window = createRateWindow(1, 1_000, () => 0);
  expect(window.take('one').allowed).toBe(true);
  expect(window.take('two').allowed).toBe(true);
  expect(window.take('one').allowed).toBe(false);
});

test('a changed limit applies at once, and waiting as told is enough', () => {
  const steps = fc.array(
    fc.record({ waitMs: fc.integer({ min: 0, max: 400 }), limit: fc.integer({ min: 1, max: 90 }) }),
    { maxLength: 300, size: 'max' },
  );
  fc.assert(
    fc.property(steps, (requests) => {
      let nowMs = 0;
      const window = createRateWindow(60, 10_000, () => nowMs);
      const allowedAt: number[] = [];
      const countRecent = () => allowedAt.filter((at) => at > nowMs - 10_000).length;
      for (const { waitMs, limit } of requests) {
        nowMs += waitMs;
        const recent = countRecent();
        const { allowed, remaining, resetSeconds } = window.take('key', limit);
        expect([allowed, remaining]).toEqual([recent < limit, Math.max(0, limit - recent - 1)]);
        if (allowed) allowedAt.push(nowMs);
        nowMs += resetSeconds * 1_000;
        const isFree = countRecent() < limit;
        nowMs -= resetSeconds * 1_000;
        expect(isFree).toBe(true);
      }
    }),
    { numRuns: 50 },
  );
});

test('a request is allowed exactly if fewer than the limit were allowed in the window before', () => {
  const steps = fc.array(
    fc.record({ waitMs: fc.integer({ min: 0, max: 700 }), key: fc.constantFrom('a', 'b') }),
    { maxLength: 200 },
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 5 }), (requests, requestsMax) => {
      let nowMs = 0;
      const window = createRateWindow(requestsMax, 1_000, () => nowMs);
      const allowedAt: Record<string, number[]> = { a: [], b: [] };
      for (const { waitMs, key } of requests) {
        nowMs += waitMs;
        const times = allowedAt[key] ?? [];
        const recent = times.filter((at) => at > nowMs - 1_000).length;
        const { allowed, remaining } = window.take(key);
        expect(allowed).toBe(recent < requestsMax);
        if (allowed) times.push(nowMs);
        expect(remaining).toBe(requestsMax - recent - (allowed ? 1 : 0));
      }
    }),
  );
});
