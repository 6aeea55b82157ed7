// Monitors: creating, changing, running by hand or when due, deleting.
//
//   active ──pause──> paused ──resume──> active      (the next run is counted from that moment)
//     │ └─due, or run by hand──> a Career Monitor job
//     └──delete──> deleted       (an unfinished job is stopped; finished ones are kept)
import { randomUUID } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { recordAudit } from '../audit/record-audit.ts';
import { EngineError, invalid, notFound } from '../contract/errors.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import { monitorsMax } from '../contract/limits/monitors.ts';
import type { MonitorChange, MonitorSchedule } from '../contract/monitors/monitors.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inTransaction } from '../platform/sqlite/transaction.ts';
import { adoptInput, dropInput, jobDir } from '../spreadsheet/input-folders.ts';
import {
  deleteMonitor,
  getMonitor,
  insertMonitor,
  listActiveMonitors,
  listMonitors,
  type MonitorRow,
  setMonitorTimes,
  updateMonitor,
} from './monitor.table.ts';
import { getLastMonitorJob, type MonitorJobRow } from './monitor-job.table.ts';
import { type MonitorInput, startMonitorJob, stopMonitorJob } from './start-monitor-job.ts';

// Computes when a monitor runs next from its schedule, in the local time of its time zone. Pure
// functions. In a month without the scheduled day, it runs on the last day. A local time that a
// clock change skips runs later by the length of the gap; one that occurs twice runs only the first
// time. This is the disambiguation `compatible` of Temporal, its default.

const daysPerWeek = 7;

/** The days of a schedule from a day on, without end; monthly ones from the start of the month. */
function* listDays(
  schedule: MonitorSchedule,
  from: Temporal.PlainDate,
): Generator<Temporal.PlainDate, never> {
  if (schedule.rhythm === 'monthly')
    for (let month = from.toPlainYearMonth(); ; month = month.add({ months: 1 }))
      yield month.toPlainDate({ day: schedule.month_day });
  const isWeekly = schedule.rhythm === 'weekly';
  const toFirst = (schedule.weekday - from.dayOfWeek + daysPerWeek) % daysPerWeek;
  const days = isWeekly ? daysPerWeek : 1;
  for (let day = from.add({ days: isWeekly ? toFirst : 0 }); ; day = day.add({ days })) yield day;
}

/** The times of a schedule after a moment (exclusive). */
function* listRuns(schedule: MonitorSchedule, after: Date): Generator<Date, never> {
  const { time, time_zone: timeZone } = schedule;
  const now = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone);
  // Starts with yesterday: if midnight is skipped, a run moves to the next day.
  for (const day of listDays(schedule, now.toPlainDate().subtract({ days: 1 }))) {
    const run = day.toZonedDateTime({ timeZone, plainTime: time });
    if (run.epochMilliseconds > after.getTime()) yield new Date(run.epochMilliseconds);
  }
  throw new Error('the days of a schedule ended');
}

export function findNextRun(schedule: MonitorSchedule, after: Date): Date {
  return listRuns(schedule, after).next().value;
}

/**
 * The latest time that a correct clock can have set. A monitor that waits for a later time was set
 * by a clock that was ahead, and is rescheduled.
 */
export function findLatestNextRun(schedule: MonitorSchedule, now: Date): Date {
  const runs = listRuns(schedule, now);
  runs.next();
  return runs.next().value;
}

export interface MonitorOrder extends MonitorInput {
  readonly schedule: MonitorSchedule;
}

/** The account's monitor. Throws `not_found`. */
export function requireMonitor(
  database: ReadableDatabase,
  accountId: number,
  id: number,
): MonitorRow {
  const monitor = getMonitor(database, accountId, id);
  if (!monitor) throw notFound('This monitor does not exist.');
  return monitor;
}

/** A monitor with a copy of its rows. Throws `validation_error` if there are too many. */
export function createMonitor(
  database: WritableDatabase,
  folder: string,
  order: MonitorOrder,
  now: Date,
): MonitorRow {
  if (listMonitors(database, order.accountId).length >= monitorsMax)
    throw invalid(
      `This account has ${monitorsMax} monitors, which is the maximum. Delete one first.`,
    );
  const uuid = randomUUID();
  adoptInput(folder, uuid, order.dir);
  try {
    const id = insertMonitor(database, {
      uuid,
      accountId: order.accountId,
      title: order.title,
      schedule: order.schedule,
      headers: [...order.headers],
      mapping: order.mapping,
      fileName: order.fileName,
      totalRecords: order.rowCount,
      nextRunAt: findNextRun(order.schedule, now).toISOString(),
      at: now.toISOString(),
    });
    return requireMonitor(database, order.accountId, id);
  } catch (error) {
    dropInput(folder, uuid);
    throw error;
  }
}

const laterOf = (one: Date, other: string): Date => {
  const date = new Date(other);
  return one > date ? one : date;
};

/** What to do about a monitor of which a part cannot be read, as sentences. */
export const describeDamage: Readonly<Record<NonNullable<MonitorRow['damage']>, string>> = {
  schedule:
    'The stored schedule of this monitor is damaged. Set its schedule again, then resume it.',
  columns:
    'The stored columns of this monitor are damaged. Delete it, and create it again from its list.',
};

/** Throws `database_damaged` if a part of a monitor that is needed cannot be read. */
function requireParts({ damage }: MonitorRow, needed: readonly MonitorRow['damage'][]): void {
  if (damage !== null && needed.includes(damage))
    throw new EngineError('database_damaged', describeDamage[damage]);
}

/** Renames, reschedules, pauses or resumes a monitor. Throws `not_found`, `database_damaged`. */
export function changeMonitor(
  database: WritableDatabase,
  command: { accountId: number; id: number; change: MonitorChange },
  now: Date,
): MonitorRow {
  const { accountId, id, change } = command;
  return inTransaction(database, () => {
    const before = requireMonitor(database, accountId, id);
    if (change.paused === false)
      requireParts(before, change.schedule ? ['columns'] : ['schedule', 'columns']);
    updateMonitor(database, id, { title: change.title, schedule: change.schedule });
    const isPaused = change.paused ?? before.nextRunAt === null;
    if (isPaused !== (before.nextRunAt === null) || change.schedule) {
      const schedule = change.schedule ?? before.schedule;
      // A time that was already handled is not due again, whatever the clock says now.
      const next = isPaused ? null : findNextRun(schedule, laterOf(now, before.answeredTo));
      const { answeredTo } = before;
      const isRepaired = before.damage === 'schedule' && change.schedule !== undefined;
      const problem = isRepaired ? null : before.problem;
      setMonitorTimes(database, id, {
        nextRunAt: next?.toISOString() ?? null,
        answeredTo,
        problem,
      });
    }
    return requireMonitor(database, accountId, id);
  });
}

const isUnfinished = (job: MonitorJobRow | null): job is MonitorJobRow =>
  job !== null && !endStatuses.includes(job.status);

/**
 * Deletes a monitor and its rows. An unfinished job of it is stopped without a charge; findings of
 * finished jobs are kept. Throws `not_found`.
 */
export function removeMonitor(
  database: WritableDatabase,
  folder: string,
  command: { accountId: number; id: number },
  now: Date,
): void {
  const monitor = requireMonitor(database, command.accountId, command.id);
  inTransaction(database, () => {
    const last = getLastMonitorJob(database, monitor.id);
    if (isUnfinished(last))
      stopMonitorJob(database, { accountId: command.accountId, id: last.id }, now);
    const at = now.toISOString();
    deleteMonitor(database, monitor.id, at);
    const { accountId, id, totalRecords: rows } = monitor;
    const note = { action: 'monitor_removed', at, accountId, subject: String(id), rows } as const;
    recordAudit(database, note);
  });
  dropInput(folder, monitor.uuid);
}

const start = (database: WritableDatabase, folder: string, monitor: MonitorRow, now: Date) =>
  startMonitorJob(
    database,
    folder,
    {
      accountId: monitor.accountId,
      monitorId: monitor.id,
      keyId: null,
      title: monitor.title,
      fileName: monitor.fileName,
      headers: monitor.headers,
      mapping: monitor.mapping,
      dir: jobDir(folder, monitor.uuid),
      rowCount: monitor.totalRecords,
    },
    now,
  );

/** Keeps the schedule. Throws `not_found`, `validation_error`, `database_damaged`. */
export function runMonitor(
  database: WritableDatabase,
  folder: string,
  command: { accountId: number; id: number },
  now: Date,
): MonitorJobRow {
  const monitor = requireMonitor(database, command.accountId, command.id);
  requireParts(monitor, ['columns']);
  if (isUnfinished(getLastMonitorJob(database, monitor.id)))
    throw invalid('This monitor is already running. Wait until it has finished.');
  return start(database, folder, monitor, now);
}

/**
 * Runs a due monitor once, even if several runs were missed. Its next run is counted from now.
 * Returns the job, or null if none was created; the monitor then shows the reason. A damaged one is
 * paused: without its schedule it has no next run.
 */
export function runDueMonitor(
  database: WritableDatabase,
  folder: string,
  monitor: MonitorRow,
  now: Date,
): MonitorJobRow | null {
  const answeredTo = laterOf(now, monitor.answeredTo);
  if (monitor.damage !== null) {
    setMonitorTimes(database, monitor.id, {
      nextRunAt: null,
      answeredTo: answeredTo.toISOString(),
      problem: describeDamage[monitor.damage],
    });
    return null;
  }
  const next = findNextRun(monitor.schedule, answeredTo).toISOString();
  const settle = (problem: string | null) =>
    setMonitorTimes(database, monitor.id, {
      nextRunAt: next,
      answeredTo: answeredTo.toISOString(),
      problem,
    });
  if (isUnfinished(getLastMonitorJob(database, monitor.id))) {
    settle(
      'The previous run had not finished when the next one was due, so the next one was skipped.',
    );
    return null;
  }
  try {
    return inTransaction(database, () => {
      settle(null);
      return start(database, folder, monitor, now);
    });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    settle(error.detail);
    return null;
  }
}

/** After the clock was ahead: no monitor waits beyond its second run from now. */
export function realignMonitors(database: WritableDatabase, now: Date): void {
  for (const monitor of listActiveMonitors(database)) {
    if (monitor.damage !== null) continue;
    const latest = findLatestNextRun(monitor.schedule, now).toISOString();
    if (monitor.nextRunAt === null || monitor.nextRunAt <= latest) continue;
    const { problem } = monitor;
    const answeredTo = now.toISOString();
    setMonitorTimes(database, monitor.id, { nextRunAt: latest, answeredTo, problem });
  }
}
