// The scheduler: which step starts when, failures, and the stop.
import { setImmediate as yieldThread } from 'node:timers/promises';
import { SqliteError } from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { EngineError } from '../../../engine/contract/errors.ts';
import {
  failedWorkRestMs,
  schedulerSleepMaxMs,
  storageRetryMs,
} from '../../../engine/contract/limits/platform.ts';
import { startScheduler } from '../../../engine/platform/scheduler/scheduler.ts';
import { createClock, openScheduler, settle } from './scheduler-fixture.ts';

const diskIsFull = () => new SqliteError('database or disk is full', 'SQLITE_FULL');

type GoOn = (open: Awaited<ReturnType<typeof openScheduler>>) => Promise<void>;

const wakeUp: GoOn = async ({ scheduler }) => {
  scheduler.wake();
  await settle();
};

/** The log output of a test, one string per call. */
function watchLog(): string[] {
  const lines: string[] = [];
  const log = vi
    .spyOn(console, 'error')
    .mockImplementation((...words) => void lines.push(words.map(String).join(' ')));
  onTestFinished(() => log.mockRestore());
  return lines;
}

test('work that an earlier run of the engine left starts immediately', async () => {
  const { log, clock } = await openScheduler(({ add }) => {
    add(1, { inMs: -3_600_000 });
  });
  expect(log).toEqual(['begin 1']);
  expect(clock.waits()).toEqual([]);
});

test('items take turns of one step, and an added item joins them', async () => {
  const { tasks, scheduler, log } = await openScheduler(({ add }) => {
    for (const id of [1, 2, 3]) add(id, { steps: 2 });
  });
  await tasks.finish(1, 2);
  tasks.add(4);
  scheduler.wake();
  await tasks.finish(3, 4, 1, 2, 3);
  expect(log).toEqual([1, 2, 3, 4, 1, 2, 3].map((id) => `begin ${id}`));
  expect(tasks.left()).toEqual([]);
});

test('as many steps are in flight as the source allows, one of each item', async () => {
  const { tasks, scheduler, log } = await openScheduler(({ add }) => {
    for (const id of [1, 2, 3, 4]) add(id, { steps: 2 });
  }, 3);
  expect([...tasks.inFlight.keys()]).toEqual([1, 2, 3]);
  scheduler.wake();
  await tasks.finish(2);
  expect([...tasks.inFlight.keys()]).toEqual([1, 3, 4]);
  await tasks.finish(4);
  expect([...tasks.inFlight.keys()].sort()).toEqual([1, 2, 3]);
  expect(log).toEqual([1, 2, 3, 4, 2].map((id) => `begin ${id}`));
});

test('a step that waits for an answer from outside leaves its room to other items until then', async () => {
  const { tasks, log } = await openScheduler(({ add }) => {
    for (const id of [1, 2, 3]) add(id);
  });
  const answer = Promise.withResolvers<string>();
  const waiting = tasks.inFlight.get(1)?.turn.waitOutside(answer.promise);
  await settle();
  expect([...tasks.inFlight.keys()]).toEqual([1, 2]);
  answer.resolve('answered');
  expect(await waiting).toBe('answered');
  await tasks.finish(2);
  // The step that waited is in flight again, so nothing else begins.
  expect(log).toEqual(['begin 1', 'begin 2']);
  await tasks.finish(1, 3);
  expect(tasks.left()).toEqual([]);
});

test('one timer runs until the next due time, for half a minute at most', async () => {
  const { tasks, clock, log } = await openScheduler(({ add }) => {
    add(1, { inMs: 5_000 });
    add(2, { inMs: 2 * 3_600_000 });
  });
  expect(clock.waits()).toEqual([5_000]);
  await clock.pass(4_999);
  expect(log).toEqual([]);
  await clock.pass(1);
  await tasks.finish(1);
  expect(clock.waits()).toEqual([schedulerSleepMaxMs]);
  // The machine slept for hours, and its timers did not advance.
  clock.set(4 * 3_600_000);
  await clock.pass(schedulerSleepMaxMs);
  await tasks.finish(2);
  expect(log).toEqual(['begin 1', 'begin 2']);
  expect(clock.waits()).toEqual([]);
});

test('a wake polls the source again, leaves one timer, and does nothing after a stop', async () => {
  const { tasks, clock, scheduler, log } = await openScheduler(() => undefined);
  expect(clock.waits()).toEqual([]);
  tasks.add(1, { inMs: 10_000 });
  scheduler.wake();
  scheduler.wake();
  await settle();
  expect(clock.waits()).toEqual([10_000]);
  await scheduler.stop();
  tasks.add(2);
  scheduler.wake();
  await settle();
  expect(log).toEqual([]);
  expect(clock.waits()).toEqual([]);
});

test('a wake during a poll is not lost', async () => {
  const { tasks, scheduler, log } = await openScheduler(({ add, source }) => {
    const { next } = source;
    let polls = 0;
    return {
      next(poll) {
        polls += 1;
        const found = next(poll);
        // Work that is added just after nothing was found.
        if (polls === 2) {
          add(1);
          scheduler.wake();
        }
        return found;
      },
    };
  });
  scheduler.wake();
  await settle();
  expect(log).toEqual(['begin 1']);
  await tasks.finish(1);
});

test('a source whose due work cannot start is polled again after half a minute', async () => {
  let polls = 0;
  const { clock } = await openScheduler(() => ({
    next({ at }) {
      polls += 1;
      return { dueAt: at };
    },
  }));
  expect(polls).toBe(1);
  expect(clock.waits()).toEqual([schedulerSleepMaxMs]);
});

test('onWake is called at every wake before the stop, and tidy at every poll', async () => {
  const calls: string[] = [];
  const { scheduler } = await openScheduler(() => ({
    onWake: () => void calls.push('wake'),
    tidy: (at) => void calls.push(at.toISOString()),
  }));
  scheduler.wake();
  await settle();
  await scheduler.stop();
  scheduler.wake();
  const at = '2026-11-20T10:00:00.000Z';
  expect(calls).toEqual([at, 'wake', at]);
});

test('due times from a clock that was ahead are corrected at the start and when the clock is set back', async () => {
  const realigned: string[] = [];
  const { clock } = await openScheduler(({ add }) => {
    add(1, { inMs: 10 * 365 * 24 * 3_600_000 });
    return { realign: (at) => void realigned.push(at.toISOString()) };
  });
  expect(realigned).toEqual(['2026-11-20T10:00:00.000Z']);
  await clock.pass(schedulerSleepMaxMs);
  expect(realigned).toHaveLength(1);
  clock.set(-3_600_000);
  await clock.pass(schedulerSleepMaxMs);
  expect(realigned.slice(1)).toEqual(['2026-11-20T09:01:00.000Z']);
});

test('commands run between steps that do not wait', async () => {
  const clock = createClock();
  let steps = 0;
  const scheduler = startScheduler(
    {
      name: 'task',
      inFlightMax: 1,
      next: () => ({ item: { id: 1 } }),
      async run() {
        steps += 1;
      },
      fail: () => undefined,
    },
    clock,
  );
  const before = steps;
  await yieldThread();
  await yieldThread();
  expect(steps - before).toBeLessThanOrEqual(2);
  await scheduler.stop();
});

test.each([
  ['a refusal', new EngineError('upstream_error'), 'upstream_error', 0],
  ['a damaged file', new SqliteError('it is', 'SQLITE_CORRUPT'), 'database_damaged', 0],
  ['a bug', new TypeError('x is not a function'), 'internal_error', 1],
])('%s ends its item, and the next one starts', async (_what, error, code, logged) => {
  const lines = watchLog();
  const { tasks, log } = await openScheduler(({ add }) => {
    for (const id of [1, 2]) add(id);
  });
  tasks.step(1).throws(error);
  await settle();
  expect(log).toEqual(['begin 1', `fail 1 ${code}`, 'begin 2']);
  expect(lines).toHaveLength(logged);
});

test('a bug is logged under the id in its item’s failure', async () => {
  const lines = watchLog();
  const details: string[] = [];
  const { tasks } = await openScheduler(({ add }) => {
    add(7);
    return { fail: (_item, { detail }) => void details.push(detail) };
  });
  tasks.step(7).throws(new TypeError('x is not a function'));
  await settle();
  const [, id] = details[0]?.match(/^Internal error \(([0-9a-f-]{36})\)\.$/) ?? [];
  expect(lines).toEqual([`bug ${id} in task 7 TypeError: x is not a function`]);
});

test.each<[string, GoOn]>([
  ['after its rest', async ({ clock }) => clock.pass(failedWorkRestMs)],
  ['with a wake', wakeUp],
])(
  'an item that its failure does not end rests, delays no other, and continues %s',
  async (_when, goOn) => {
    watchLog();
    const open = await openScheduler(({ add }) => {
      add(1);
      add(2, { steps: 2 });
      return { fail: () => undefined };
    });
    const { tasks, clock, log } = open;
    tasks.step(1).throws(new EngineError('secrets_unavailable'));
    await settle();
    await tasks.finish(2, 2);
    await clock.pass(failedWorkRestMs - 1);
    expect(log).toEqual(['begin 1', 'begin 2', 'begin 2']);
    await goOn(open);
    expect(log.slice(3)).toEqual(['begin 1']);
  },
);

test.each<[string, GoOn]>([
  ['after its delay', async ({ clock }) => clock.pass(storageRetryMs)],
  ['with a wake', wakeUp],
])('a full disk ends no item: the source pauses, and continues %s', async (_when, goOn) => {
  const lines = watchLog();
  const open = await openScheduler(({ add }) => {
    for (const id of [1, 2, 3]) add(id);
  }, 2);
  const { tasks, clock, log } = open;
  tasks.step(1).throws(diskIsFull());
  await settle();
  await tasks.finish(2);
  await clock.pass(storageRetryMs - 1);
  expect(log).toEqual(['begin 1', 'begin 2', 'wait 1 read_only']);
  await goOn(open);
  expect(log.slice(3)).toEqual(['begin 3', 'begin 1']);
  expect(lines).toEqual([]);
});

test('a write of a step is repeated until the disk has room, and the step is not', async () => {
  const { tasks, clock, log } = await openScheduler(({ add }) => {
    for (const id of [1, 2]) add(id);
  });
  let isFull = true;
  const written: string[] = [];
  const done = tasks.step(1).turn.write(() => {
    if (isFull) throw diskIsFull();
    written.push('answer');
  });
  await clock.pass(3 * storageRetryMs);
  expect(written).toEqual([]);
  isFull = false;
  await clock.pass(storageRetryMs);
  await done;
  await tasks.finish(1);
  expect(written).toEqual(['answer']);
  expect(log).toEqual(['begin 1', 'begin 2']);
  await expect(
    tasks.step(2).turn.write(() => {
      throw new TypeError('a bug');
    }),
  ).rejects.toThrow('a bug');
});

test.each([
  ['a bug is logged', new TypeError('no such column'), schedulerSleepMaxMs, 1],
  ['a full disk is not', diskIsFull(), storageRetryMs, 0],
])('a source whose poll fails is polled again: %s', async (_what, error, ms, logged) => {
  const lines = watchLog();
  let polls = 0;
  const { clock } = await openScheduler(() => ({
    next() {
      polls += 1;
      if (polls === 1) throw error;
      return null;
    },
  }));
  await clock.pass(ms - 1);
  expect(polls).toBe(1);
  expect(lines).toHaveLength(logged);
  await clock.pass(1);
  expect(polls).toBe(2);
});

test.each<['fail' | 'waiting', Error, Error, number, number]>([
  ['fail', new TypeError('a bug'), new TypeError('another'), schedulerSleepMaxMs, 2],
  ['fail', new TypeError('a bug'), diskIsFull(), storageRetryMs, 1],
  ['waiting', diskIsFull(), diskIsFull(), storageRetryMs, 0],
])('an item that can be neither run nor ended is retried: %s', async (name, ...rest) => {
  const [error, second, ms, logged] = rest;
  const lines = watchLog();
  const { tasks, clock, log } = await openScheduler(({ add }) => {
    add(1);
    return {
      [name]: () => {
        throw second;
      },
    };
  });
  tasks.step(1).throws(error);
  await settle();
  await clock.pass(ms - 1);
  expect(log).toEqual(['begin 1']);
  expect(lines).toHaveLength(logged);
  await clock.pass(1);
  expect(log).toEqual(['begin 1', 'begin 1']);
});

test('a stop aborts the waits of steps in flight and waits for their end; no other step starts', async () => {
  const lines = watchLog();
  const abandoned: string[] = [];
  const { tasks, scheduler, log } = await openScheduler(({ add, inFlight }) => {
    for (const id of [1, 2, 3]) add(id);
    return {
      abandon() {
        abandoned.push(...[...inFlight.values()].map(({ turn }) => String(turn.isStopping())));
      },
    };
  }, 2);
  let isStopped = false;
  const stopped = scheduler.stop().then(() => {
    isStopped = true;
  });
  expect(abandoned).toEqual(['true', 'true']);
  await tasks.finish(1);
  expect(isStopped).toBe(false);
  tasks.step(2).throws(new TypeError('what it waited for was closed'));
  await stopped;
  await settle();
  expect(log).toEqual(['begin 1', 'begin 2']);
  expect(lines).toEqual([]);
});

test('a stop ends a pause, and the writes that wait for the disk', async () => {
  const { tasks, clock, scheduler } = await openScheduler(({ add }) => {
    add(1);
  });
  const step = tasks.step(1);
  const write = () =>
    step.turn.write(() => {
      throw diskIsFull();
    });
  const written = Promise.all([write(), write()]);
  await settle();
  expect(clock.waits()).toEqual([storageRetryMs]);
  const stopped = scheduler.stop();
  await written;
  step.done();
  await stopped;
  expect(clock.waits()).toEqual([]);
  expect(await step.turn.write(() => expect.unreachable())).toBeUndefined();
});
