/**
 * Computes when a monitor runs next from its schedule, in the local time of its zone.
 *
 * In a month without the scheduled day, the monitor runs on the last day. If a clock change skips
 * the local time, it runs later by the length of the gap; if the time occurs twice, it runs at the
 * first. This is `compatible`, the default disambiguation of Temporal.
 */
import { Temporal } from 'temporal-polyfill';
import type { MonitorSchedule } from '../contract/monitors/monitors.ts';

const daysPerWeek = 7;

/** Yields the days of a schedule from a day on, or from the start of its month if it is monthly. */
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

/** Yields the times of a schedule that are later than a moment. */
function* listRuns(schedule: MonitorSchedule, after: Date): Generator<Date, never> {
  const { time, time_zone: timeZone } = schedule;
  const now = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timeZone);
  // From yesterday on: a skipped hour at midnight moves a run over the end of its day.
  for (const day of listDays(schedule, now.toPlainDate().subtract({ days: 1 }))) {
    const run = day.toZonedDateTime({ timeZone, plainTime: time });
    if (run.epochMilliseconds > after.getTime()) yield new Date(run.epochMilliseconds);
  }
  throw new Error('the days of a schedule ended');
}

/** Finds the first time of a schedule that is later than a moment. */
export function findNextRun(schedule: MonitorSchedule, after: Date): Date {
  return listRuns(schedule, after).next().value;
}

/**
 * Finds the latest next run that a correct clock can have set. A clock that ran ahead set any later
 * one, which is then corrected.
 */
export function findLatestNextRun(schedule: MonitorSchedule, now: Date): Date {
  const runs = listRuns(schedule, now);
  runs.next();
  return runs.next().value;
}
