/**
 * Computes when a monitor runs next from its schedule, in the local time of its time zone. Pure
 * functions.
 *
 * In a month without the scheduled day, it runs on the last day. A local time that a clock change
 * skips runs later by the length of the gap; one that occurs twice runs only the first time. This
 * is the disambiguation `compatible` of Temporal, its default.
 */
import { Temporal } from 'temporal-polyfill';
import type { MonitorSchedule } from '../contract/monitors/monitors.ts';

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

/** Finds the first time of a schedule that is later than a moment. */
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
