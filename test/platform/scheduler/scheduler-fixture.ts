// A clock that the test controls, and a source of work whose steps the test ends.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { type Scheduler, startScheduler } from '../../../engine/platform/scheduler/scheduler.ts';
import type { Turn, WorkSource } from '../../../engine/platform/scheduler/work-source.ts';

/** Runs all code that does not wait for a timer. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns += 1) await yieldThread();
}

/** Creates a clock. Passing time advances its timers; setting the wall clock does not. */
export function createClock(start = '2026-11-20T10:00:00.000Z') {
  let wallMs = Date.parse(start);
  let passedMs = 0;
  const timers = new Set<{ readonly work: () => void; readonly atMs: number }>();
  const nextBefore = (endMs: number) =>
    [...timers].filter(({ atMs }) => atMs <= endMs).sort((one, other) => one.atMs - other.atMs)[0];
  const advance = (toMs: number) => {
    wallMs += toMs - passedMs;
    passedMs = toMs;
  };
  return {
    now: () => new Date(wallMs),
    setTimer(work: () => void, ms: number) {
      const timer = { work, atMs: passedMs + ms };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    /** The remaining time of each timer, in milliseconds. */
    waits: () => [...timers].map(({ atMs }) => atMs - passedMs),
    /** Lets time pass: every timer fires when it is due. */
    async pass(ms: number): Promise<void> {
      const endMs = passedMs + ms;
      for (let timer = nextBefore(endMs); timer; timer = nextBefore(endMs)) {
        timers.delete(timer);
        advance(timer.atMs);
        timer.work();
        await settle();
      }
      advance(endMs);
    },
    /** Sets the wall clock, as a user or a sleeping machine does. Timers do not change. */
    set(ms: number) {
      wallMs += ms;
    },
  };
}

export type Clock = ReturnType<typeof createClock>;

/** An item of work with some steps left. */
interface Task {
  readonly id: number;
  dueMs: number;
  steps: number;
}

export interface StepInFlight {
  readonly id: number;
  readonly turn: Turn;
  done(): void;
  /** Ends the step with an error. */
  throws(error: unknown): void;
}

/** Tasks in the order of their ids; due tasks take turns. */
export function createTasks(clock: Clock, inFlightMax = 1) {
  const tasks = new Map<number, Task>();
  const inFlight = new Map<number, StepInFlight>();
  const log: string[] = [];
  const open = () => [...tasks.values()].sort((one, other) => one.id - other.id);
  const source: WorkSource<Task> = {
    name: 'task',
    inFlightMax,
    next({ at, afterId, isBusy }) {
      const free = open().filter(({ id }) => !isBusy(id));
      const due = free.filter(({ dueMs }) => dueMs <= at.getTime());
      const item = due.find(({ id }) => afterId !== null && id > afterId) ?? due[0];
      if (item) return { item };
      const times = free.map(({ dueMs }) => dueMs);
      return times.length === 0 ? null : { dueAt: new Date(Math.min(...times)) };
    },
    async run(task, turn) {
      const { id } = task;
      log.push(inFlight.has(id) ? `begin ${id} twice` : `begin ${id}`);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      inFlight.set(id, { id, turn, done: resolve, throws: reject });
      try {
        await promise;
        task.steps -= 1;
        if (task.steps === 0) tasks.delete(id);
      } finally {
        inFlight.delete(id);
      }
    },
    fail({ id }, { code }) {
      log.push(`fail ${id} ${code}`);
      tasks.delete(id);
    },
    waiting: ({ id }, { code }) => void log.push(`wait ${id} ${code}`),
  };
  return {
    source,
    log,
    inFlight,
    left: () => open().map(({ id }) => id),
    add(id: number, { inMs = 0, steps = 1 } = {}) {
      tasks.set(id, { id, dueMs: clock.now().getTime() + inMs, steps });
    },
    /** Limits the due times of all tasks to this many milliseconds from now. */
    bringForward(maxMs: number) {
      const latestMs = clock.now().getTime() + maxMs;
      for (const task of tasks.values()) task.dueMs = Math.min(task.dueMs, latestMs);
    },
    step(id: number): StepInFlight {
      const step = inFlight.get(id);
      if (!step) throw new Error(`${id} has no step in flight`);
      return step;
    },
    async finish(...ids: number[]): Promise<void> {
      for (const id of ids) {
        this.step(id).done();
        await settle();
      }
    },
  };
}

export async function openScheduler(
  setUp: (tasks: ReturnType<typeof createTasks>) => Partial<WorkSource<Task>> | undefined,
  inFlightMax = 1,
) {
  const clock = createClock();
  const tasks = createTasks(clock, inFlightMax);
  Object.assign(tasks.source, setUp(tasks));
  const scheduler: Scheduler = startScheduler(tasks.source, clock);
  onTestFinished(async () => {
    const stopped = scheduler.stop();
    for (const step of tasks.inFlight.values()) step.done();
    await stopped;
  });
  await settle();
  return { clock, tasks, scheduler, log: tasks.log };
}
