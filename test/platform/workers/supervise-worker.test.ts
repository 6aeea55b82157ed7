// A supervised thread, with a clock and timers set by the test: its delays, fault and end.
import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { restartDelayMaxMs, threadStableMs } from '../../../engine/contract/limits/platform.ts';
import type { MatchCalls } from '../../../engine/jobs/matching/match.worker.ts';
import { restartDelayMs } from '../../../engine/platform/workers/restart-delay.ts';
import { superviseWorker } from '../../../engine/platform/workers/supervise-worker.ts';
import { settleWithin } from '../../engine/hang-guard.ts';
import { watchThreads } from '../../engine/watch-threads.ts';

/** A match thread, because it needs no files. */
async function open() {
  const threads = watchThreads();
  const timers: { work: () => void; ms: number }[] = [];
  const state = { nowMs: 0, starts: 0 };
  const thread = superviseWorker<MatchCalls>({
    name: 'match-thread',
    async onStart() {
      state.starts += 1;
    },
    nowMs: () => state.nowMs,
    setTimer(work, ms) {
      const timer = { work, ms };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
  });
  onTestFinished(() => thread.stop());
  const waitForExit = async (worker: Worker | undefined) => {
    if (worker) await once(worker, 'exit').catch(() => undefined);
    await expect.poll(() => timers.length).toBe(1);
  };
  return {
    threads,
    timers,
    state,
    thread,
    /** Ends the thread; returns the delay of its successor. */
    async kill(): Promise<number> {
      threads.kill('match-thread');
      await waitForExit(threads.list('match-thread').at(-1));
      return timers[0]?.ms ?? 0;
    },
    /** Lets the delay elapse. */
    async start() {
      timers.shift()?.work();
      await settleWithin(thread.calls.stop(null));
    },
  };
}

test('each failure in a row doubles the delay, up to a minute', () => {
  const delays = [1, 2, 3, 4, 10, 11, 1_000].map(restartDelayMs);
  expect(delays).toEqual([100, 200, 400, 800, 51_200, restartDelayMaxMs, restartDelayMaxMs]);
});

test('each end in a row delays the next start longer, until a thread has run for a minute', async () => {
  const { state, kill, start } = await open();
  await start();
  const delays: number[] = [];
  for (let ends = 0; ends < 3; ends += 1) {
    delays.push(await kill());
    await start();
  }
  state.nowMs += threadStableMs;
  expect([...delays, await kill()]).toEqual([100, 200, 400, 100]);
  expect(state.starts).toBe(4);
});

test('without a thread calls are refused at once; from the third end on it is a fault until stable', async () => {
  const { thread, state, kill, start } = await open();
  await start();
  expect(thread.describeFault()).toBeNull();
  for (const times of ['once', '2 times in a row', '3 times in a row']) {
    await kill();
    expect(thread.describeFault()).toContain(`match-thread ended ${times}`);
    expect(await settleWithin(thread.calls.stop(null))).toMatchObject({ code: 'unavailable' });
    await start();
    if (times !== '3 times in a row') expect(thread.describeFault()).toBeNull();
  }
  expect(thread.describeFault()).toContain('3 times in a row');
  state.nowMs += threadStableMs;
  expect(thread.describeFault()).toBeNull();
});

test('repeatable work waits for the next thread', async () => {
  const { thread, kill, start } = await open();
  await start();
  await kill();
  let tries = 0;
  const done = settleWithin(
    thread.run(async (calls) => {
      tries += 1;
      await calls.stop(null);
      return 'done';
    }),
  );
  await start();
  expect([await done, tries]).toEqual(['done', 1]);
});

test('a thread that is stopped during its restart delay does not start', async () => {
  const { threads, thread, timers, kill, start } = await open();
  await start();
  await kill();
  const waiting = settleWithin(thread.run((calls) => calls.stop(null)));
  await settleWithin(thread.stop());
  expect(await waiting).toMatchObject({ code: 'unavailable' });
  expect(timers).toEqual([]);
  expect(thread.describeFault()).toBeNull();
  expect(threads.list('match-thread')).toHaveLength(1);
});
