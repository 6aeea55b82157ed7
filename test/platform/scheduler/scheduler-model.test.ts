// The scheduler under random sequences of events.
import { SqliteError } from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { EngineError } from '../../../engine/contract/errors.ts';
import { schedulerSleepMaxMs } from '../../../engine/contract/limits/platform.ts';
import { startScheduler } from '../../../engine/platform/scheduler/scheduler.ts';
import { createClock, createTasks, settle } from './scheduler-fixture.ts';

/** The longest postponement of a task. */
const delayMaxMs = 90_000;

const errors = {
  shortage: () => new SqliteError('database or disk is full', 'SQLITE_FULL'),
  refusal: () => new EngineError('secrets_unavailable'),
  bug: () => new TypeError('x is not a function'),
};

type Event =
  | { readonly kind: 'add'; readonly id: number; readonly inMs: number }
  | { readonly kind: 'pass' | 'set'; readonly ms: number }
  | { readonly kind: 'end'; readonly nth: number; readonly how: keyof typeof errors | 'done' }
  | { readonly kind: 'wake' | 'stop' };

const anyId = fc.integer({ min: 0, max: 5 });
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    id: anyId,
    inMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: delayMaxMs })),
  }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 70_000 }) }),
  fc.record({
    kind: fc.constant('set' as const),
    ms: fc.integer({ min: -2 * delayMaxMs, max: 2 * delayMaxMs }),
  }),
  fc.record({
    kind: fc.constant('end' as const),
    nth: anyId,
    how: fc.constantFrom('done', 'done', 'shortage', 'refusal', 'bug' as const),
  }),
  fc.record({ kind: fc.constant('wake' as const) }),
);
const anyHistory = fc.record({
  inFlightMax: fc.integer({ min: 1, max: 4 }),
  events: fc.array(anyEvent, { maxLength: 40 }),
});

/** Runs a scheduler over tasks, and checks the invariants after each event. */
function play(inFlightMax: number) {
  const clock = createClock();
  const tasks = createTasks(clock, inFlightMax);
  const { source } = tasks;
  // A task that a failure does not end rests.
  source.fail = () => undefined;
  source.realign = () => tasks.bringForward(delayMaxMs);
  const scheduler = startScheduler(source, clock);
  const apply = async (event: Event): Promise<void> => {
    if (event.kind === 'add' && !tasks.left().includes(event.id)) tasks.add(event.id, event);
    if (event.kind === 'add' || event.kind === 'wake') scheduler.wake();
    if (event.kind === 'pass') await clock.pass(event.ms);
    if (event.kind === 'set') clock.set(event.ms);
    if (event.kind === 'end') {
      const step = [...tasks.inFlight.values()].at(event.nth % Math.max(1, tasks.inFlight.size));
      if (event.how === 'done') step?.done();
      else step?.throws(errors[event.how]());
    }
    await settle();
    expect(tasks.inFlight.size).toBeLessThanOrEqual(inFlightMax);
    expect(tasks.log.filter((line) => line.endsWith('twice'))).toEqual([]);
    // One for the sleep, one for the pause.
    expect(clock.waits().length).toBeLessThanOrEqual(2);
  };
  /** Ends every step successfully for the longest delay, rest and sleep together. */
  const drain = async () => {
    for (let rounds = 0; rounds < 20 && tasks.left().length > 0; rounds += 1) {
      for (const step of tasks.inFlight.values()) step.done();
      await settle();
      await clock.pass(schedulerSleepMaxMs);
    }
  };
  return { clock, tasks, scheduler, apply, drain };
}

test('no due item is forgotten, and no item has two steps in flight', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(anyHistory, async ({ inFlightMax, events }) => {
      const { tasks, scheduler, clock, apply, drain } = play(inFlightMax);
      for (const event of events) await apply(event);
      await drain();
      expect(tasks.left()).toEqual([]);
      await scheduler.stop();
      expect(clock.waits()).toEqual([]);
    }),
    { numRuns: 150 },
  );
  log.mockRestore();
});

test('after a stop at any time no step starts, no timer is left, and steps in flight end', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  await fc.assert(
    fc.asyncProperty(anyHistory, anyHistory, async ({ inFlightMax, events }, after) => {
      const { tasks, scheduler, clock, apply } = play(inFlightMax);
      for (const event of events) await apply(event);
      const stopped = scheduler.stop();
      const begun = tasks.log.length;
      for (const event of after.events) await apply(event);
      for (const step of tasks.inFlight.values()) step.done();
      await stopped;
      expect(tasks.log.length).toBe(begun);
      expect(clock.waits()).toEqual([]);
    }),
    { numRuns: 100 },
  );
  log.mockRestore();
});
