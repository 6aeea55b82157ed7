/** Monitors under the scheduler: each due monitor starts a job on time. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failedWorkRestMs, schedulerSleepMaxMs } from '../../engine/contract/limits/platform.ts';
import type { MonitorSchedule } from '../../engine/contract/monitors/monitors.ts';
import { changeMonitor, createMonitor, requireMonitor } from '../../engine/monitors/monitors.ts';
import { createMonitorSource } from '../../engine/monitors/run-monitors.ts';
import { startScheduler } from '../../engine/platform/scheduler/scheduler.ts';
import { jobDir } from '../../engine/spreadsheet/input-folders.ts';
import { writeRowsTable } from '../../engine/spreadsheet/write-rows-table.ts';
import { openJobFixture } from '../jobs/job-fixture.ts';
import { createClock, settle } from '../platform/scheduler/scheduler-fixture.ts';

const daily = (time: string): MonitorSchedule => ({
  rhythm: 'daily',
  ...{ time, time_zone: 'UTC', weekday: 1, month_day: 1 },
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
  const scheduler = startScheduler(
    createMonitorSource({
      ...{ database, folder },
      send: (event) => void sent.push(event.type === 'monitor-job' ? event.job.title : null),
      wakeJobs: () => void wakes.push('jobs'),
    }),
    clock,
  );
  onTestFinished(scheduler.stop);
  await settle();
  return {
    ...{ database, folder, account, clock, scheduler, ids, sent, wakes },
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
