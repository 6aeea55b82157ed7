// The order of password checks, and the delay before each.
import { expect, test } from 'vitest';
import { createLoginQueue } from '../../engine/accounts/login-queue.ts';
import {
  loginDelayMaxMs,
  loginDelayMinMs,
  loginFreeTries,
  loginTriesWaitingMax,
  loginWindowMs,
} from '../../engine/contract/limits/accounts.ts';

/** A queue whose checks and delays end when the test decides. */
function openQueue() {
  const clock = { ms: 0 };
  const delays: number[] = [];
  const queue = createLoginQueue(
    () => clock.ms,
    async (ms) => void delays.push(ms),
  );
  const begun: string[] = [];
  const ends: ((isRight: boolean) => void)[] = [];
  const gone = new AbortController();
  const begin = (page: string, signal = gone.signal) =>
    queue.check(page, signal, async () => {
      begun.push(page);
      return (await new Promise<boolean>((end) => ends.push(end))) ? 1 : null;
    });
  const end = async (isRight = false) => {
    await expect.poll(() => ends.length).toBe(1);
    ends.shift()?.(isRight);
  };
  return { clock, delays, queue, begun, begin, end };
}

test('one password is checked at a time', async () => {
  const { begun, begin, end } = openQueue();
  const tries = [begin('a'), begin('b')];
  await expect.poll(() => begun).toEqual(['a']);
  await end();
  await expect.poll(() => begun).toEqual(['a', 'b']);
  await end(true);
  expect(await Promise.all(tries)).toEqual([null, 1]);
});

test('a page with fewer wrong tries is checked before one with more', async () => {
  const { begun, begin, end } = openQueue();
  const wrong = begin('guesser');
  await end();
  await wrong;
  const tries = [begin('busy'), begin('guesser'), begin('owner')];
  for (let count = 0; count < tries.length; count += 1) await end();
  await Promise.all(tries);
  expect(begun).toEqual(['guesser', 'busy', 'owner', 'guesser']);
});

test('after some wrong tries of any pages each further check waits, with growing delays', async () => {
  const { clock, delays, begin, end } = openQueue();
  const tryOnce = async (isRight = false) => {
    const tried = begin('a');
    await end(isRight);
    await tried;
  };
  for (let count = 0; count < loginFreeTries; count += 1) await tryOnce();
  expect(delays).toEqual([]);
  for (let count = 0; count < 8; count += 1) await tryOnce();
  expect(delays.slice(0, 2)).toEqual([loginDelayMinMs, 2 * loginDelayMinMs]);
  expect(delays.at(-1)).toBe(loginDelayMaxMs);
  clock.ms += loginWindowMs;
  await tryOnce();
  expect(delays).toHaveLength(8);
});

test('a page whose browser has disconnected loses its turn', async () => {
  const { begun, begin, end } = openQueue();
  const first = begin('a');
  const leaving = new AbortController();
  const left = begin('b', leaving.signal);
  const last = begin('c');
  leaving.abort();
  await expect(left).rejects.toMatchObject({ name: 'AbortError' });
  await end();
  await end();
  await Promise.all([first, last]);
  expect(begun).toEqual(['a', 'c']);
});

test('a page has one try at a time, and the number of waiting pages is limited', async () => {
  const { begin, end } = openQueue();
  const tries = [begin('a')];
  await expect(begin('a')).rejects.toMatchObject({ code: 'rate_limited' });
  for (let at = 1; at < loginTriesWaitingMax; at += 1) tries.push(begin(`page ${at}`));
  await expect(begin('one more')).rejects.toMatchObject({ code: 'rate_limited' });
  for (const _ of tries) await end();
  await Promise.all(tries);
});
