/** The waits of a scheduler: its sleep, its pause after a shortage, and the rests of failed ids. */
import { failedWorkRestMs } from '../../contract/limits/platform.ts';
import type { SetTimer } from '../timers.ts';

/** Creates a sleep that `wake` ends. A `wake` outside a sleep ends the next one immediately. */
export function createSleep(setTimer: SetTimer) {
  let isAwake = false;
  let end: () => void = () => undefined;
  return {
    wake() {
      isAwake = true;
      end();
    },
    /** @param sleepMs null to sleep until a wake */
    async sleep(sleepMs: number | null): Promise<void> {
      if (!isAwake) {
        const { promise, resolve } = Promise.withResolvers<void>();
        end = resolve;
        const cancel = sleepMs === null ? () => undefined : setTimer(resolve, sleepMs);
        await promise;
        cancel();
      }
      isAwake = false;
    },
  };
}

/**
 * Creates a pause. If it is already on, a start joins it.
 * @param onEnd called at each end
 */
export function createPause(setTimer: SetTimer, onEnd: () => void) {
  let current: { readonly promise: Promise<void>; end(): void } | null = null;
  return {
    isOn: () => current !== null,
    /** Resolves after `ms` milliseconds, or at `end`. */
    start(ms: number): Promise<void> {
      if (current) return current.promise;
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = () => {
        cancel();
        current = null;
        resolve();
        onEnd();
      };
      const cancel = setTimer(end, ms);
      current = { promise, end };
      return promise;
    },
    end: () => current?.end(),
  };
}

/** Creates the record of failed ids. Each rests for `failedWorkRestMs` from its failure. */
export function createRests<Id>() {
  const failedAtMs = new Map<Id, number>();
  return {
    add: (id: Id, at: Date) => void failedAtMs.set(id, at.getTime()),
    has: (id: Id) => failedAtMs.has(id),
    isEmpty: () => failedAtMs.size === 0,
    clear: () => failedAtMs.clear(),
    /**
     * Removes the ids whose rest is over. A clock that was set back by as much also ends a rest.
     */
    expire(at: Date) {
      for (const [id, ms] of failedAtMs)
        if (Math.abs(at.getTime() - ms) >= failedWorkRestMs) failedAtMs.delete(id);
    },
  };
}
