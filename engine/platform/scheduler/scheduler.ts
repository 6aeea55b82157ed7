// Runs the work of one source (work-source.ts), with as many concurrent steps as the source allows.
//
//   polling ──work is due, and there is room──> in flight ──ends────────────────> polling
//    │   ^                                         │ ──a refusal or a bug──> failed: its id rests
//    │   │                                         └──a shortage──> paused ──its delay──> polling
//    │   └──the end of a step, the next due time, at most half a minute──┐
//    └──nothing is due, or there is no room──> sleeping ─────────────────┘
//
//   in flight ──waits outside──> in flight, its room is free ──the answer──> in flight
//   any ──wake──> polling          any ──stop──> stopped, once every step in flight has ended
//
// While work is due later, a sleep lasts half a minute at most: timers do not advance while the
// machine sleeps, and do not follow a change of the wall clock. A restart needs no state from
// memory.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { EngineError } from '../../contract/errors.ts';
import {
  failedWorkRestMs,
  schedulerSleepMaxMs,
  storageRetryMs,
  waitingStepsMax,
} from '../../contract/limits/platform.ts';
import { logFailure } from '../log-failure.ts';
import { findShortage, findSystemRefusal } from '../sqlite/system-refusal.ts';
import type { SetTimer } from '../timers.ts';
import { explainFailure } from './explain-failure.ts';
import type { NextWork, WorkItem, WorkSource } from './work-source.ts';

/** Creates a sleep that `wake` ends. A `wake` outside a sleep ends the next one immediately. */
function createSleep(setTimer: SetTimer) {
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

/** Creates a pause. If it is already on, a start joins it. @param onEnd called at each end */
function createPause(setTimer: SetTimer, onEnd: () => void) {
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
function createRests<Id>() {
  const failedAtMs = new Map<Id, number>();
  return {
    add: (id: Id, at: Date) => void failedAtMs.set(id, at.getTime()),
    has: (id: Id) => failedAtMs.has(id),
    isEmpty: () => failedAtMs.size === 0,
    clear: () => failedAtMs.clear(),
    /** Removes ids whose rest is over. A clock that was set back by as much also ends a rest. */
    expire(at: Date) {
      for (const [id, ms] of failedAtMs)
        if (Math.abs(at.getTime() - ms) >= failedWorkRestMs) failedAtMs.delete(id);
    },
  };
}

export interface SchedulerDeps {
  /** Wall clock. */
  now(): Date;
  readonly setTimer: SetTimer;
  /** Called for every write that a full disk or a damaged file prevents. */
  readonly onTrouble?: (refusal: EngineError) => void;
}

export interface Scheduler {
  wake(): void;
  /** Resolves when every step in flight has ended. No step starts after the call. */
  stop(): Promise<void>;
}

/** The refusal of a write to a full disk or a damaged file; null for any other error. */
function findTrouble(error: unknown): EngineError | null {
  const refusal = error instanceof EngineError ? error : findSystemRefusal(error);
  return refusal?.code === 'read_only' || refusal?.code === 'database_damaged' ? refusal : null;
}

/** Pauses a source after an error that ends no item, and during a shortage of the machine. */
function createBrake(name: string, { setTimer, onTrouble }: SchedulerDeps, wake: () => void) {
  const pause = createPause(setTimer, wake);
  const report = (error: unknown): void => {
    const trouble = findTrouble(error);
    if (trouble) onTrouble?.(trouble);
  };
  return {
    report,
    isOn: pause.isOn,
    end: pause.end,
    /** Resolves when the write that failed can be retried. */
    waitForRoom: () => pause.start(storageRetryMs),
    /** Pauses after an error that ends no item. A bug is logged. */
    handleError(error: unknown): void {
      report(error);
      const isShortage = findShortage(error) !== null;
      if (!isShortage) logFailure(`the ${name} scheduler failed`, error);
      void pause.start(isShortage ? storageRetryMs : schedulerSleepMaxMs);
    },
  };
}

type Brake = ReturnType<typeof createBrake>;

function countOutside(wake: () => void) {
  let waiting = 0;
  return {
    count: () => Math.min(waiting, waitingStepsMax),
    async wait<Answer>(answer: Promise<Answer>): Promise<Answer> {
      waiting += 1;
      wake();
      try {
        return await answer;
      } finally {
        waiting -= 1;
      }
    },
  };
}

function createSteps<Item extends WorkItem>(
  source: WorkSource<Item>,
  now: () => Date,
  brake: Brake,
  wake: () => void,
) {
  const rests = createRests<Item['id']>();
  const inFlight = new Map<Item['id'], Promise<void>>();
  const outside = countOutside(wake);
  let isStopping = false;

  const write = async (work: () => void): Promise<void> => {
    while (!isStopping) {
      try {
        return work();
      } catch (error) {
        if (!findShortage(error)) throw error;
        brake.report(error);
        await brake.waitForRoom();
      }
    }
  };
  const handleError = (item: Item, error: unknown): void => {
    const shortage = findShortage(error);
    brake.report(error);
    if (shortage) {
      void brake.waitForRoom();
      source.waiting?.(item, shortage);
    } else {
      source.fail(item, explainFailure(`${source.name} ${item.id}`, error));
      rests.add(item.id, now());
    }
  };
  const run = async (item: Item, at: Date): Promise<void> => {
    try {
      await source.run(item, {
        at,
        isStopping: () => isStopping,
        write,
        waitOutside: outside.wait,
      });
    } catch (error) {
      if (!isStopping) handleError(item, error);
    }
  };
  return {
    rests,
    isStopping: () => isStopping,
    isBusy: (id: Item['id']) => inFlight.has(id) || rests.has(id),
    hasRoom: () => inFlight.size - outside.count() < source.inFlightMax,
    begin(item: Item, at: Date): void {
      const step = run(item, at)
        .catch(brake.handleError)
        .finally(() => {
          inFlight.delete(item.id);
          wake();
        });
      inFlight.set(item.id, step);
    },
    async stop(): Promise<void> {
      isStopping = true;
      source.abandon?.();
      brake.end();
      await Promise.all(inFlight.values());
    },
  };
}

/** How long to sleep if nothing can start, in milliseconds; null to sleep until a wake. */
function chooseSleepMs(next: NextWork<unknown>, hasRests: boolean, at: Date): number | null {
  if (next === null) return hasRests ? schedulerSleepMaxMs : null;
  const dueMs = 'dueAt' in next ? next.dueAt.getTime() - at.getTime() : 0;
  // An item that is due but cannot start is resting.
  return dueMs > 0 ? Math.min(dueMs, schedulerSleepMaxMs) : schedulerSleepMaxMs;
}

/**
 * Starts a scheduler. Its first poll is after the caller's current turn of the event loop, and
 * finds the work that an earlier run of the engine left.
 */
export function startScheduler<Item extends WorkItem>(
  source: WorkSource<Item>,
  deps: SchedulerDeps,
): Scheduler {
  const { now, setTimer } = deps;
  const { sleep, wake } = createSleep(setTimer);
  const brake = createBrake(source.name, deps, wake);
  const steps = createSteps(source, now, brake, wake);
  const { rests, isBusy } = steps;
  let afterId: Item['id'] | null = null;
  let polledAt: Date | null = null;

  /** Starts due items while there is room. Returns how long to sleep; null until a wake. */
  const poll = (): number | null => {
    const at = now();
    if (polledAt === null || at < polledAt) source.realign?.(at);
    polledAt = at;
    source.tidy?.(at);
    rests.expire(at);
    while (steps.hasRoom()) {
      const next = source.next({ at, afterId, isBusy });
      if (next === null || 'dueAt' in next || isBusy(next.item.id))
        return chooseSleepMs(next, !rests.isEmpty(), at);
      afterId = next.item.id;
      steps.begin(next.item, at);
    }
    return null;
  };
  const pollSafely = (): number | null => {
    try {
      return brake.isOn() ? null : poll();
    } catch (error) {
      brake.handleError(error);
      return null;
    }
  };
  const loop = async (): Promise<void> => {
    for (;;) {
      // Steps may complete without waiting, and the thread also has to answer commands.
      await yieldThread();
      if (steps.isStopping()) return;
      await sleep(pollSafely());
    }
  };
  const looping = loop();
  return {
    wake() {
      if (steps.isStopping()) return;
      rests.clear();
      source.onWake?.();
      brake.end();
      wake();
    },
    async stop() {
      const ended = steps.stop();
      wake();
      await Promise.all([ended, looping]);
    },
  };
}
