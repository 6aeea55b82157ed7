/**
 * When a monitor runs next: a pure rule over its schedule, in the local time of its zone.
 *
 * A month without the wanted day runs on its last one. A local time that a clock change skips runs
 * as much later as the clock was put forward; one that comes twice runs the first time alone. That
 * is the disambiguation `compatible` of Temporal, its default.
 */
import { Temporal } from 'temporal-polyfill';
import type { MonitorSchedule } from '../contract/monitors/monitors.ts';

const daysPerWeek = 7;

/** The days of a schedule from a day on, without end; monthly ones from the start of its month. */
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

/** The times of a schedule after a moment, which itself is not one of them. */
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

/** The first time of a schedule after a moment. */
export function findNextRun(schedule: MonitorSchedule, after: Date): Date {
  return listRuns(schedule, after).next().value;
}

/**
 * The latest time that a right clock can have set: a monitor that waits for a later one was set by
 * a clock that ran ahead, and is then corrected.
 */
export function findLatestNextRun(schedule: MonitorSchedule, now: Date): Date {
  const runs = listRuns(schedule, now);
  runs.next();
  return runs.next().value;
}
