/** The clock of monitors: one timer, by a clock that the test sets. */
import { expect, test } from 'vitest';
import { monitorClockMaxMs } from '../../../engine/contract/limits/monitors.ts';
import { startMonitorClock } from '../../../engine/platform/scheduler/due-clock.ts';

/** A clock over a list of due times; `fire` is the timer's end, at whatever time it then is. */
function openClock(start: string, ...due: string[]) {
  const timers: { work: () => void; ms: number }[] = [];
  const state = { now: new Date(start), due: due.map((at) => new Date(at)), fails: false };
  const ran: string[] = [];
  const realigned: string[] = [];
  const errors: unknown[] = [];
  const clock = startMonitorClock(
    {
      nextDueAt: () => state.due[0] ?? null,
      runDue(at) {
        if (state.fails) throw new Error('the disk is full');
        while (state.due[0] && state.due[0] <= at) ran.push(state.due.shift()!.toISOString());
      },
      realign: (at) => void realigned.push(at.toISOString()),
    },
    () => state.now,
    (error) => errors.push(error),
    (work, ms) => {
      const timer = { work, ms };
      timers.push(timer);
      return () => void timers.splice(0, timers.length, ...timers.filter((one) => one !== timer));
    },
  );
  const fire = (at: string) => {
    state.now = new Date(at);
    timers.shift()?.work();
  };
  return { clock, state, timers, ran, realigned, errors, fire };
}

test('what came due while no engine ran is started at once', () => {
  const { ran } = openClock('2026-11-20T10:00:00Z', '2026-11-20T09:00:00Z');
  expect(ran).toEqual(['2026-11-20T09:00:00.000Z']);
});

test('one timer waits for the next monitor, at most half a minute at a time', () => {
  const desk = openClock('2026-11-20T10:00:00Z', '2026-11-20T10:00:05Z', '2026-11-20T12:00:00Z');
  expect(desk.timers.map(({ ms }) => ms)).toEqual([5_000]);
  desk.fire('2026-11-20T10:00:05Z');
  expect(desk.ran).toHaveLength(1);
  expect(desk.timers.map(({ ms }) => ms)).toEqual([monitorClockMaxMs]);
  // The machine slept: the timer ends two hours late, and the monitor runs once.
  desk.fire('2026-11-20T14:00:00Z');
  expect(desk.ran).toHaveLength(2);
  expect(desk.timers).toEqual([]);
});

test('a change of a monitor looks anew, and leaves one timer', () => {
  const desk = openClock('2026-11-20T10:00:00Z');
  expect(desk.timers).toEqual([]);
  desk.state.due = [new Date('2026-11-20T10:00:10Z')];
  desk.clock.look();
  desk.clock.look();
  expect(desk.timers.map(({ ms }) => ms)).toEqual([10_000]);
  desk.clock.stop();
  desk.clock.look();
  expect(desk.timers).toEqual([]);
});

test('a clock that went back sets anew what it had put off', () => {
  const desk = openClock('2026-11-20T10:00:00Z', '2030-01-01T00:00:00Z');
  expect(desk.realigned).toHaveLength(1);
  desk.fire('2026-11-20T10:00:30Z');
  expect(desk.realigned).toHaveLength(1);
  desk.fire('2026-11-20T09:00:00Z');
  expect(desk.realigned).toEqual(['2026-11-20T10:00:00.000Z', '2026-11-20T09:00:00.000Z']);
});

test('a failure is told, and it looks again', () => {
  const desk = openClock('2026-11-20T10:00:00Z', '2026-11-20T10:00:05Z');
  desk.state.fails = true;
  desk.fire('2026-11-20T10:00:05Z');
  expect(desk.errors).toHaveLength(1);
  desk.state.fails = false;
  desk.fire('2026-11-20T10:00:35Z');
  expect(desk.ran).toHaveLength(1);
});
