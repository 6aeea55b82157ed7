// Monitors under the scheduler: each due monitor starts a job on time.
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failedWorkRestMs, schedulerSleepMaxMs } from '../../engine/contract/limits/platform.ts';
import type { MonitorChange, MonitorSchedule } from '../../engine/contract/monitors/monitors.ts';
import {
  changeMonitor,
  createMonitor,
  requireMonitor,
  runMonitor,
} from '../../engine/monitors/monitors.ts';
import { createMonitorSource } from '../../engine/monitors/run-monitors.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { createClock, settle } from '../platform/scheduler/scheduler-fixture.ts';

const daily = (time: string): MonitorSchedule => ({
  rhythm: 'daily',
  time,
  time_zone: 'UTC',
  weekday: 1,
  month_day: 1,
});

/** A fixture at ten o'clock with a monitor for each time, and the scheduler that runs them. */
async function openMonitors(...times: string[]) {
  const { database, folder, account } = await openJobFixture();
  const clock = createClock('2026-11-20T10:00:00.000Z');
  const ids = times.map((time) => {
    const dir = join(folder, `upload ${time}`);
    const headers = ['First name', 'Last name'];
    const { rowCount } = writeRowsTable({ headers, rows: [['Ada', 'Byron']], targetDir: dir });
    const mapping = { first_name: 0, last_name: 1 };
    const order = { accountId: account.id, title: time, fileName: null, headers, mapping };
    const schedule = daily(time);
    return createMonitor(database, folder, { ...order, schedule, dir, rowCount }, clock.now()).id;
  });
  const sent: (string | null)[] = [];
  const wakes: string[] = [];
  const start = () => {
    const started = startScheduler(
      createMonitorSource({
        database,
        folder,
        send: (event) => void sent.push(event.type === 'monitor-job' ? event.job.title : null),
        wakeJobs: () => void wakes.push('jobs'),
      }),
      clock,
    );
    onTestFinished(started.stop);
    return started;
  };
  const scheduler = start();
  await settle();
  const restart = async () => {
    await scheduler.stop();
    start();
    await settle();
  };
  return {
    database,
    folder,
    account,
    clock,
    scheduler,
    ids,
    sent,
    wakes,
    restart,
    read: (id: number) => requireMonitor(database, account.id, id),
  };
}

test('a due monitor starts a job and wakes the job scheduler; the timer is set to its next run', async () => {
  const { clock, ids, sent, wakes, read } = await openMonitors('10:01', '13:00');
  expect(clock.waits()).toEqual([schedulerSleepMaxMs]);
  await clock.pass(60_000);
  expect(sent).toEqual(['10:01']);
  expect(wakes).toEqual(['jobs']);
  expect(read(ids[0]!).nextRunAt).toBe('2026-11-21T10:01:00.000Z');
  // The machine sleeps until the next day.
  clock.set(24 * 3_600_000);
  await clock.pass(schedulerSleepMaxMs);
  expect(sent).toEqual(['10:01', '13:00']);
  expect(read(ids[0]!).problem).toMatch(/had not finished/);
});

test('a rescheduled monitor starts its job at the new time, and a paused one never', async () => {
  const { clock, scheduler, database, account, ids, sent } = await openMonitors('09:00');
  const command = { accountId: account.id, id: ids[0]! };
  changeMonitor(database, { ...command, change: { schedule: daily('10:01') } }, clock.now());
  scheduler.wake();
  await clock.pass(60_000);
  expect(sent).toEqual(['09:00']);
  changeMonitor(database, { ...command, change: { paused: true } }, clock.now());
  scheduler.wake();
  await settle();
  expect(clock.waits()).toEqual([]);
});

test('a monitor without its rows is logged and retried, and delays no other', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const { clock, folder, ids, sent, read } = await openMonitors('10:01', '10:02');
  const rows = jobDir(folder, read(ids[0]!).uuid);
  renameSync(rows, join(folder, 'gone'));
  await clock.pass(120_000);
  expect(sent).toEqual(['10:02']);
  expect(String(log.mock.calls[0]?.[0])).toMatch(/^bug \S+ in monitor 1$/);
  renameSync(join(folder, 'gone'), rows);
  await clock.pass(failedWorkRestMs);
  expect(sent).toEqual(['10:02', '10:01']);
});

test.each([
  ['cannot be parsed', '{"rhy'],
  ['has another form', '{}'],
  [
    'has a time zone that no longer exists',
    JSON.stringify({ ...daily('10:01'), time_zone: 'Mars/Base' }),
  ],
])(
  'a monitor whose schedule %s is paused with a remedy, and delays no other',
  async (_what, text) => {
    const { clock, database, account, ids, sent, read, restart } = await openMonitors(
      '10:01',
      '10:02',
    );
    database.pragma('ignore_check_constraints = ON');
    database.prepare('UPDATE monitor SET schedule = ? WHERE id = ?').run(text, ids[0]);
    await restart();
    await clock.pass(120_000);
    expect(sent).toEqual(['10:02']);
    expect(read(ids[0]!)).toMatchObject({ nextRunAt: null, damage: 'schedule' });
    expect(read(ids[0]!).problem).toMatch(/Set its schedule again, then resume it/);
    const command = { accountId: account.id, id: ids[0]! };
    const change = (change: MonitorChange) =>
      changeMonitor(database, { ...command, change }, clock.now());
    expect(() => change({ paused: false })).toThrow(/Set its schedule again/);
    change({ schedule: daily('11:00') });
    expect(change({ paused: false })).toMatchObject({ problem: null, damage: null });
    expect(read(ids[0]!).nextRunAt).toBe('2026-11-20T11:00:00.000Z');
  },
);

test('a monitor whose columns are damaged starts no job, and delays no other', async () => {
  const { clock, database, folder, account, ids, sent, read } = await openMonitors(
    '10:01',
    '10:02',
  );
  database.prepare('UPDATE monitor SET mapping = ? WHERE id = ?').run('{"email":"A"}', ids[0]);
  await clock.pass(120_000);
  expect(sent).toEqual(['10:02']);
  expect(read(ids[0]!)).toMatchObject({ nextRunAt: null, damage: 'columns' });
  const command = { accountId: account.id, id: ids[0]! };
  expect(() => runMonitor(database, folder, command, clock.now())).toThrow(/create it again/);
});
