// The retry schedule of deliveries (docs/webhooks.md, "Retries"): tables and properties.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { webhookRetryDelaysMs } from '../../engine/contract/limits/webhooks.ts';
import {
  attemptsMax,
  decideNextAttempt,
  readRetryAfterMs,
} from '../../engine/webhooks/retry-policy.ts';

const at = new Date('2026-11-20T10:00:00.000Z');
const settle = (number: number, status: number | null, retryAfter: string | null = null) =>
  decideNextAttempt({ number, attemptsMax, status, retryAfter, at }, 0.5);
const waitOf = (step: ReturnType<typeof decideNextAttempt>) =>
  step.state === 'waiting' ? Date.parse(step.dueAt) - at.getTime() : null;

test('there are eight attempts', () => {
  expect(attemptsMax).toBe(8);
});

test.each([200, 201, 204, 299])('%i ends a delivery as delivered', (status) => {
  expect(settle(1, status)).toEqual({ state: 'delivered' });
});

test.each([
  [1, 410],
  [8, 500],
  [8, null],
  [8, 429],
])('attempt %i with %s ends it as failed', (number, status) => {
  expect(settle(number, status)).toEqual({ state: 'failed' });
});

test('after any outcome, each wait is that of the schedule, plus or minus a tenth', () => {
  const status = fc.option(fc.integer({ min: 100, max: 599 }));
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 7 }),
      status,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (number, code, random) => {
        fc.pre(code !== 410 && !(code !== null && code >= 200 && code <= 299));
        const step = decideNextAttempt(
          { number, attemptsMax, status: code, retryAfter: null, at },
          random,
        );
        const delayMs = webhookRetryDelaysMs[number - 1]!;
        const waitMs = waitOf(step)!;
        expect(waitMs).toBeGreaterThanOrEqual(Math.floor(0.9 * delayMs));
        expect(waitMs).toBeLessThanOrEqual(Math.ceil(1.1 * delayMs));
      },
    ),
  );
});

test.each([
  ['120', 120_000],
  ['0', 0],
  ['Fri, 20 Nov 2026 10:01:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 09:00:00 GMT', 0],
  ['soon', 0],
  ['-5', 0],
  ['99999999', 24 * 60 * 60_000],
  [null, 0],
])('Retry-After %s means %i ms', (header, ms) => {
  expect(readRetryAfterMs(header, at)).toBe(ms);
});

test('429 waits the longer of the schedule and Retry-After; other statuses ignore it', () => {
  expect(waitOf(settle(1, 429, '60'))).toBe(60_000);
  expect(waitOf(settle(1, 429, '1'))).toBe(5_000);
  expect(waitOf(settle(1, 503, '60'))).toBe(5_000);
});
