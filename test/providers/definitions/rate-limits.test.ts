// Rate limits: never over a window, never slower than needed, and what services say in headers.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProviderLimits } from '../../../engine/contract/provider-definition.ts';
import {
  createRateLimiter,
  LimitReached,
} from '../../../engine/providers/definitions/rate-limits.ts';
import { makeDefinition } from './make-definition.ts';
import { createVirtualClock } from './virtual-clock.ts';

const limitsOf = (limits: object): ProviderLimits => makeDefinition({ limits }).limits;
const never = new AbortController().signal;

function open(limits: object, waitMaxMs = Number.POSITIVE_INFINITY) {
  const clock = createVirtualClock();
  const startedAt = clock.now();
  const limiter = createRateLimiter(limitsOf({ concurrency: 64, ...limits }), clock, waitMaxMs);
  const times: number[] = [];
  const send = async (count = 1, tookMs = 0) => {
    const { release } = await limiter.acquire(count, never);
    times.push(clock.now() - startedAt);
    if (tookMs > 0) await clock.wait(tookMs, never);
    release();
  };
  return { clock, limiter, times, send };
}

test.each([
  [{}, 100, 0],
  [{ perSecond: 10 }, 10, 0],
  [{ perSecond: 10 }, 11, 1_000],
  [{ perSecond: 10 }, 100, 9_000],
  [{ perSecond: 10, perMinute: 50 }, 51, 60_000],
  [{ perSecond: 10, perMinute: 50 }, 60, 60_000],
  [{ perMinute: 2, perHour: 3 }, 4, 3_600_000],
  [{ perDay: 5 }, 6, 86_400_000],
])('with %j, %i requests are all sent after %i ms', async (limits, requests, lastMs) => {
  const { clock, times, send } = open(limits);
  await clock.run(Promise.all(Array.from({ length: requests }, () => send())));
  expect(times).toHaveLength(requests);
  expect(Math.max(...times)).toBe(lastMs);
});

test('a request counts from when it is sent, not from when its connection is opened', async () => {
  const { clock, limiter } = open({ perSecond: 2 });
  const startedAt = clock.now();
  const arrivals: number[] = [];
  const send = async (connectMs: number) => {
    const permit = await limiter.acquire(1, never);
    if (connectMs > 0) await clock.wait(connectMs, never);
    permit.markSent();
    arrivals.push(clock.now() - startedAt);
    permit.release();
  };
  await clock.run(Promise.all([400, 300, 0, 0, 600, 0, 0, 0].map(send)));
  const sorted = arrivals.toSorted((a, b) => a - b);
  for (const [at, arrival] of sorted.entries())
    expect(arrival - (sorted[at - 2] ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(1_000);
});

test('what was sent before a restart counts', async () => {
  const clock = createVirtualClock();
  const at = clock.now() - 80_000_000;
  const sent = [
    { at: at - 9_000_000, count: 9 },
    { at, count: 3 },
  ];
  const limiter = createRateLimiter(limitsOf({ perDay: 5 }), clock, 1_000, sent);
  const permit = await limiter.acquire(2, never);
  permit.markSent();
  permit.release();
  await expect(limiter.acquire(1, never)).rejects.toMatchObject({ retryAfterMs: 6_400_000 });
});

/** The earliest end of requests in order, by trying the end of every earlier request's window. */
function findEarliest(counts: readonly number[], windows: readonly (readonly [number, number])[]) {
  const sent: { at: number; count: number }[] = [];
  let now = 0;
  for (const count of counts) {
    const fits = (at: number) =>
      windows.every(([max, lengthMs]) => {
        const inside = sent.filter((one) => one.at > at - lengthMs);
        return inside.reduce((sum, one) => sum + one.count, count) <= max;
      });
    const times = [now, ...sent.flatMap(({ at }) => windows.map(([, lengthMs]) => at + lengthMs))];
    now = Math.min(...times.filter((at) => at >= now && fits(at)));
    sent.push({ at: now, count });
  }
  return now;
}

test('random requests never exceed a window, and end as early as possible', async () => {
  const windows = fc.record({
    perSecond: fc.integer({ min: 1, max: 20 }),
    perMinute: fc.integer({ min: 1, max: 300 }),
  });
  const batches = fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 120 });
  await fc.assert(
    fc.asyncProperty(windows, batches, async ({ perSecond, perMinute }, counts) => {
      const { clock, times, send } = open({ perSecond, perMinute, count: 'record' });
      const sent = counts.map((count) => Math.min(count, perSecond, perMinute));
      await clock.run(Promise.all(sent.map((count) => send(count))));
      const usedIn = (from: number, lengthMs: number) =>
        times.reduce(
          (sum, at, nth) => (at >= from && at < from + lengthMs ? sum + (sent[nth] ?? 0) : sum),
          0,
        );
      for (const from of times) {
        expect(usedIn(from, 1_000)).toBeLessThanOrEqual(perSecond);
        expect(usedIn(from, 60_000)).toBeLessThanOrEqual(perMinute);
      }
      const earliest = findEarliest(sent, [
        [perSecond, 1_000],
        [perMinute, 60_000],
      ]);
      expect(Math.max(...times)).toBeLessThanOrEqual(earliest * 1.01);
    }),
    { numRuns: 60 },
  );
});

test('a steady flow under the limit never waits', async () => {
  const { clock, times, send } = open({ perSecond: 100 });
  await clock.run(
    (async () => {
      for (let at = 0; at < 1_000; at += 1) {
        await send();
        await clock.wait(10, never);
      }
    })(),
  );
  expect(times).toEqual(Array.from({ length: 1_000 }, (_, at) => at * 10));
});

test('a request that is larger than the window is sent when the window is empty', async () => {
  const { clock, times, send } = open({ perSecond: 10, count: 'record' });
  await clock.run(Promise.all([send(5), send(50), send(1)]));
  expect(times).toEqual([0, 1_000, 2_000]);
});

test('at most as many requests as allowed are in flight, in the order of the calls', async () => {
  const { clock, times, send } = open({ concurrency: 2 });
  await clock.run(Promise.all([send(1, 100), send(1, 300), send(1, 100), send(1, 100)]));
  expect(times).toEqual([0, 0, 100, 200]);
});

test('a wait that would be too long is refused with its length, and takes nothing', async () => {
  const { clock, limiter, send } = open({ perMinute: 1, concurrency: 1 }, 5_000);
  await send();
  const refused = await clock.run(limiter.acquire(1, never).catch((error: unknown) => error));
  expect(refused).toBeInstanceOf(LimitReached);
  expect(refused).toMatchObject({ retryAfterMs: 60_000 });
  clock.skip(56_000);
  await clock.run(send());
});

test('an abort ends a wait for a slot and a wait for a window, and frees them', async () => {
  const { clock, limiter, times, send } = open({ concurrency: 1, perSecond: 1 });
  const { release } = await limiter.acquire(1, never);
  const stop = new AbortController();
  const first = limiter.acquire(1, stop.signal);
  const second = send();
  stop.abort(new Error('stopped'));
  await expect(first).rejects.toThrow('stopped');
  await expect(limiter.acquire(1, stop.signal)).rejects.toThrow('stopped');
  release();
  await clock.run(second);
  expect(times).toEqual([1_000]);
  const late = new AbortController();
  const waiting = limiter.acquire(1, late.signal);
  const refused = expect(waiting).rejects.toThrow('late');
  late.abort(new Error('late'));
  await refused;
  await clock.run(send());
});

test('a block that the service asks for holds up every request', async () => {
  const { clock, limiter, times, send } = open({ perSecond: 10 });
  limiter.block(7_000);
  limiter.block(2_000);
  await clock.run(Promise.all([send(), send()]));
  expect(times).toEqual([7_000, 7_000]);
});

const tenYearsMs = 3_650 * 86_400_000;

test('a clock that is set back prolongs no wait', async () => {
  const { clock, limiter, send } = open({ perMinute: 1 }, 60_000);
  await clock.run(send());
  clock.skip(-tenYearsMs);
  const startedAt = clock.now();
  await clock.run(send());
  limiter.block(7_000);
  clock.skip(-tenYearsMs);
  await clock.run(send());
  expect(clock.now() - startedAt + tenYearsMs).toBe(120_000);
});

test('what was sent while the clock was ahead, before a restart, counts in no window of an earlier day', async () => {
  const clock = createVirtualClock();
  const sent = [{ at: clock.now() + tenYearsMs, count: 1 }];
  const limiter = createRateLimiter(limitsOf({ perMinute: 1 }), clock, 0, sent);
  await clock.run(limiter.acquire(1, never));
});

describe('remaining requests in headers', () => {
  const minute = { header: 'X-Left', window: 'minute' };
  const quoted = { header: 'x-left', window: 'minute', codec: 'quoted_json' };
  const reset = { ...minute, reset: 'x-reset' };
  test.each([
    [minute, { 'x-left': '0' }, 60_000],
    [minute, { 'x-left': '1' }, 0],
    [minute, { 'x-left': '' }, 0],
    [minute, {}, 0],
    [minute, { 'x-left': 'many' }, 0],
    [quoted, { 'x-left': "{'second': 3, 'minute': 0}" }, 60_000],
    [quoted, { 'x-left': "{'minute': 7}" }, 0],
    [quoted, { 'x-left': "{'day': 0}" }, 0],
    [reset, { 'x-left': '0', 'x-reset': '12' }, 12_000],
    [reset, { 'x-left': '0', 'x-reset': '1795392015' }, 15_000],
    [reset, { 'x-left': '0', 'x-reset': '1795392015000' }, 15_000],
    [reset, { 'x-left': '0', 'x-reset': '2026-11-23T00:00:20Z' }, 20_000],
    [reset, { 'x-left': '0', 'x-reset': '2099-01-01' }, 60_000],
    [reset, { 'x-left': '0', 'x-reset': 'soon' }, 60_000],
    [reset, { 'x-left': '0', 'x-reset': '' }, 60_000],
  ])('%j with %j delays by %i ms', async (remaining, headers, ms) => {
    const { clock, limiter, times, send } = open({ remaining: [remaining] });
    limiter.observe(headers);
    await clock.run(send());
    expect(times).toEqual([ms]);
  });
  test('they are used up by requests until the next answer', async () => {
    const { clock, limiter, times, send } = open({ remaining: [minute] });
    limiter.observe({ 'x-left': '2' });
    await clock.run(Promise.all([send(), send(), send()]));
    expect(times).toEqual([0, 0, 60_000]);
    limiter.observe({ 'x-left': '9' });
    await clock.run(send());
    limiter.observe({});
    await clock.run(send());
    expect(times.slice(3)).toEqual([60_000, 60_000]);
  });
});
