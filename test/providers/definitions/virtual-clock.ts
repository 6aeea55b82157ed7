// A clock for tests, which moves to the next wait when nothing else can happen.
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../engine/providers/definitions/rate-limits.ts';

/** A clock whose time passes only in `run`. */
export interface VirtualClock extends Clock {
  /** Lets time pass until the work is done. Throws if it waits for nothing. */
  run<Value>(work: Promise<Value>): Promise<Value>;
  /** Lets time pass without work. */
  skip(ms: number): void;
}

export function createVirtualClock(startMs = Date.parse('2026-11-23T00:00:00Z')): VirtualClock {
  let now = startMs;
  const waits = new Set<{ readonly at: number; readonly done: () => void }>();
  return {
    now: () => now,
    skip(ms) {
      now += ms;
    },
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const entry = { at: now + ms, done: () => resolve(undefined) };
        waits.add(entry);
        signal.addEventListener('abort', () => {
          waits.delete(entry);
          reject(signal.reason);
        });
      }),
    async run(work) {
      let isDone = false;
      const end = () => {
        isDone = true;
      };
      work.then(end, end);
      for (await turn(); !isDone; await turn()) {
        const [next] = [...waits].sort((a, b) => a.at - b.at);
        if (!next) throw new Error('the work waits for nothing that the clock knows');
        waits.delete(next);
        now = Math.max(now, next.at);
        next.done();
      }
      return work;
    },
  };
}
