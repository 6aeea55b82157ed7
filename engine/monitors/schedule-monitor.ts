/**
 * When a monitor runs next: a pure rule over its schedule, in the local time of its zone.
 *
 * A month without the wanted day runs on its last one. A local time that a clock change skips runs
 * as much later as the clock was put forward; one that comes twice runs the first time alone.
 */
import type { MonitorSchedule } from '../contract/monitors/monitors.ts';

const dayMs = 86_400_000;
const daysPerWeek = 7;
/** Days to look at until even a monthly schedule has come up twice. */
const lookAheadDays = 64;

const formats = new Map<string, Intl.DateTimeFormat>();

/** The zone's wall clock at a moment, as if it were UTC: milliseconds since 1970. */
function readWallMs(timeZone: string, atMs: number): number {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(timeZone, format);
  }
  const parts = Object.fromEntries(
    format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The moment at which the zone's wall clock shows a time; the first where it does so twice. */
function findMomentMs(timeZone: string, wallMs: number): number {
  const offsetBefore = readWallMs(timeZone, wallMs - dayMs) - (wallMs - dayMs);
  const offsetAfter = readWallMs(timeZone, wallMs + dayMs) - (wallMs + dayMs);
  const early = wallMs - Math.max(offsetBefore, offsetAfter);
  const late = wallMs - Math.min(offsetBefore, offsetAfter);
  if (readWallMs(timeZone, early) === wallMs) return early;
  // Skipped times are read by the clock of before: later by what was skipped.
  return readWallMs(timeZone, late) === wallMs ? late : wallMs - offsetBefore;
}

/** Whether a day of the calendar is one of the schedule's; `dayStartMs` is its midnight as UTC. */
function isWanted(schedule: MonitorSchedule, dayStartMs: number): boolean {
  const day = new Date(dayStartMs);
  if (schedule.rhythm === 'daily') return true;
  if (schedule.rhythm === 'weekly') return (day.getUTCDay() || daysPerWeek) === schedule.weekday;
  const lastDay = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  return day.getUTCDate() === Math.min(schedule.month_day, lastDay);
}

/** The first `count` times of a schedule after a moment, which itself is not one of them. */
function listNextRuns(schedule: MonitorSchedule, after: Date, count: number): Date[] {
  const [hours = 0, minutes = 0] = schedule.time.split(':').map(Number);
  const wallMs = readWallMs(schedule.time_zone, after.getTime());
  const today = Math.floor(wallMs / dayMs) * dayMs;
  const runs: Date[] = [];
  // From yesterday on: a skipped hour at midnight moves a run over the end of its day.
  for (let day = -1; day <= lookAheadDays && runs.length < count; day += 1) {
    const dayStartMs = today + day * dayMs;
    if (!isWanted(schedule, dayStartMs)) continue;
    const timeMs = dayStartMs + (hours * 60 + minutes) * 60_000;
    const run = new Date(findMomentMs(schedule.time_zone, timeMs));
    if (run > after) runs.push(run);
  }
  return runs;
}

/** The first time of a schedule after a moment. */
export function findNextRun(schedule: MonitorSchedule, after: Date): Date {
  const [next] = listNextRuns(schedule, after, 1);
  if (!next) throw new Error('a schedule has no next run');
  return next;
}

/**
 * The latest time that a right clock can have set: a monitor that waits for a later one was set by
 * a clock that ran ahead, and is set anew.
 */
export function findLatestNextRun(schedule: MonitorSchedule, now: Date): Date {
  const second = listNextRuns(schedule, now, 2)[1];
  if (!second) throw new Error('a schedule has no second run');
  return second;
}
