// The run under the scheduler: after a change, every day, after a stop, and its record.
import { expect, onTestFinished, test, vi } from 'vitest';
import { retentionIntervalMs } from '../../engine/contract/limits/privacy/retention.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import { createRetentionCommands } from '../../engine/retention/change-retention.ts';
import { endRun, planRun, readRun, startRun } from '../../engine/retention/retention-run.table.ts';
import { createRetentionSource } from '../../engine/retention/run-retention.ts';
import { createClock, settle } from '../platform/scheduler/scheduler-fixture.ts';
import { day, openRetention, person } from './retention-fixture.ts';

/** A desk whose run is scheduled; the clock begins on a day. */
async function openScheduled(today: number) {
  const desk = await openRetention();
  const { database, folder, deps, account } = desk;
  const clock = createClock(day(today).toISOString());
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  let events = 0;
  const source = createRetentionSource({
    database,
    folder,
    kinds: deps.kinds,
    policy: {},
    now: clock.now,
    onProgress: () => {
      events += 1;
    },
  });
  const begin = () => startScheduler(source, clock);
  let scheduler = begin();
  onTestFinished(() => scheduler.stop());
  const commands = createRetentionCommands({
    database,
    policy: {},
    now: clock.now,
    onChange: () => undefined,
    wake: () => scheduler.wake(),
  });
  return {
    ...desk,
    clock,
    log,
    source,
    set: (days: number | null) =>
      commands.changeRetention({ accountId: account.id, days: { jobs: days } }),
    runNow: ({ isClockConfirmed } = { isClockConfirmed: false }) =>
      commands.runRetention({ isClockConfirmed }),
    countEvents: () => events,
    stop: () => scheduler.stop(),
    restart: () => {
      scheduler = begin();
    },
    whenIdle: () =>
      expect
        .poll(() => readRun(database))
        .toMatchObject({ state: 'idle', ended_at: expect.any(String) }),
  };
}

test('without days nothing runs; a change of the days starts a run, and then every day has one', async () => {
  const { database, clock, log, enrich, set, whenIdle, listUuids, countEvents } =
    await openScheduled(20);
  const [old, young] = [await enrich(day(0), [person(1)]), await enrich(day(15), [person(2)])];
  await settle();
  expect(readRun(database).started_at).toBeNull();
  await set(10);
  await whenIdle();
  expect(listUuids()).toEqual([young.uuid]);
  expect(old.uuid).not.toBe(young.uuid);
  expect(readRun(database)).toMatchObject({
    started_at: day(20).toISOString(),
    due_at: day(21).toISOString(),
    deleted: { jobs: 1 },
    items: 1,
  });
  expect(log.mock.calls).toEqual([['retention: deleted jobs 1']]);
  expect(countEvents()).toBeGreaterThan(1);
  for (let passed = 21; passed <= 26; passed += 1) {
    clock.set(retentionIntervalMs);
    await clock.pass(30_000);
    await expect
      .poll(() => readRun(database).started_at?.slice(0, 10))
      .toBe(day(passed).toISOString().slice(0, 10));
    await whenIdle();
  }
  expect(listUuids()).toEqual([]);
});

test('a run that was stopped continues at the next start, with its counts', async () => {
  const { database, enrich, set, stop, restart, whenIdle, listUuids } = await openScheduled(20);
  for (const at of [0, 1, 2]) await enrich(day(at), [person(at)]);
  const deleted = () => Object.values(readRun(database).deleted)[0] ?? 0;
  await set(10);
  await expect.poll(deleted).toBeGreaterThan(0);
  await stop();
  restart();
  await whenIdle();
  expect([listUuids(), readRun(database).deleted]).toEqual([[], { jobs: 3 }]);
});

test('a run can be started at any time; days that are taken back delete nothing', async () => {
  const { database, enrich, set, runNow, whenIdle, listUuids } = await openScheduled(20);
  const { uuid } = await enrich(day(0), [person(1)]);
  await set(30);
  await whenIdle();
  await set(null);
  await runNow();
  await whenIdle();
  expect([listUuids(), readRun(database).deleted]).toEqual([[uuid], {}]);
});

test('days that change during a run start another one at once', async () => {
  const { database } = await openRetention();
  startRun(database, '2026-01-02', 1);
  planRun(database, '2026-01-03');
  endRun(database, { at: '2026-01-04', dueAt: '2026-01-05', shrunkBytes: 0 });
  expect(readRun(database)).toMatchObject({ state: 'idle', due_at: '2026-01-03' });
  startRun(database, '2026-01-04', 1);
  endRun(database, { at: '2026-01-04', dueAt: '2026-01-05', shrunkBytes: 0 });
  expect(readRun(database).due_at).toBe('2026-01-05');
});

const pollOnce = async (clock: ReturnType<typeof createClock>) => {
  await clock.pass(30_000);
  await settle();
};

test.each([
  ['while the engine runs', false],
  ['at a start', true],
])('a clock far ahead %s deletes nothing until it is confirmed', async (_when, isRestarted) => {
  const desk = await openScheduled(20);
  const { database, clock, set, runNow, whenIdle, listUuids, enrich, stop, restart } = desk;
  const { uuid } = await enrich(day(15), [person(1)]);
  await set(10);
  await whenIdle();
  const before = readRun(database);
  if (isRestarted) await stop();
  clock.set(3_650 * retentionIntervalMs);
  if (isRestarted) restart();
  for (let polls = 0; polls < 3; polls += 1) await pollOnce(clock);
  await set(9);
  await pollOnce(clock);
  expect([listUuids(), readRun(database).started_at]).toEqual([[uuid], before.started_at]);
  const refusal = expect.objectContaining({
    code: 'not_ready',
    detail: expect.stringMatching(/shows 2036-01-.*on 2026-01-21\..*--confirm-clock/s),
  });
  await expect(runNow()).rejects.toEqual(refusal);
  await runNow({ isClockConfirmed: true });
  await expect.poll(listUuids).toEqual([]);
});

test('after a clock that was ahead is right again, runs continue without a question', async () => {
  const { database, clock, set, whenIdle, listUuids, enrich } = await openScheduled(20);
  const { uuid } = await enrich(day(15), [person(1)]);
  await set(10);
  await whenIdle();
  clock.set(3_650 * retentionIntervalMs);
  await pollOnce(clock);
  clock.set(-3_649 * retentionIntervalMs);
  await pollOnce(clock);
  await expect
    .poll(() => readRun(database).started_at?.slice(0, 10))
    .toBe(day(21).toISOString().slice(0, 10));
  await whenIdle();
  expect(listUuids()).toEqual([uuid]);
});

test('what was made while the clock was far behind is not deleted when it is right again', async () => {
  const { clock, set, whenIdle, listUuids, enrich, runNow } = await openScheduled(20);
  await set(10);
  await whenIdle();
  clock.set(-3_650 * retentionIntervalMs);
  await pollOnce(clock);
  const { uuid } = await enrich(clock.now(), [person(1)]);
  clock.set(3_650 * retentionIntervalMs);
  await pollOnce(clock);
  await expect(runNow()).rejects.toMatchObject({ code: 'not_ready' });
  expect(listUuids()).toEqual([uuid]);
});

test('an engine that runs for months without days notes the clock, so that the first run starts', async () => {
  const { clock, set, whenIdle, listUuids, enrich } = await openScheduled(20);
  await enrich(day(0), [person(1)]);
  await settle();
  for (let days = 0; days < 60; days += 20) {
    clock.set(20 * retentionIntervalMs);
    await pollOnce(clock);
  }
  await set(10);
  await whenIdle();
  expect(listUuids()).toEqual([]);
});

test('after the clock was set back, the next run is due within a day', async () => {
  const { database, clock, source, set, whenIdle } = await openScheduled(20);
  await set(30);
  await whenIdle();
  clock.set(-5 * retentionIntervalMs);
  source.realign?.(clock.now());
  expect(readRun(database).due_at).toBe(
    new Date(clock.now().getTime() + retentionIntervalMs).toISOString(),
  );
});
