// The next run of a monitor: by a table of zones and clock changes, and by general rules.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MonitorSchedule } from '../../engine/contract/monitors/monitors.ts';
import { findLatestNextRun, findNextRun } from '../../engine/monitors/monitors.ts';

const daily = (time: string, time_zone = 'UTC'): MonitorSchedule => ({
  rhythm: 'daily',
  time,
  time_zone,
  weekday: 1,
  month_day: 1,
});
const weekly = (weekday: number, time: string, time_zone = 'UTC'): MonitorSchedule => ({
  ...daily(time, time_zone),
  rhythm: 'weekly',
  weekday,
});
const monthly = (month_day: number, time: string, time_zone = 'UTC'): MonitorSchedule => ({
  ...daily(time, time_zone),
  rhythm: 'monthly',
  month_day,
});

test.each<[string, MonitorSchedule, string, string]>([
  ['daily, later today', daily('09:00'), '2026-11-20T08:59:59Z', '2026-11-20T09:00:00Z'],
  ['daily, never at once again', daily('09:00'), '2026-11-20T09:00:00Z', '2026-11-21T09:00:00Z'],
  [
    'daily, in a zone where it is tomorrow already',
    daily('07:30', 'Asia/Tokyo'),
    '2026-11-20T22:00:00Z',
    '2026-11-20T22:30:00Z',
  ],
  [
    'daily, half an hour off the hour',
    daily('06:00', 'Asia/Kolkata'),
    '2026-11-20T00:30:00Z',
    '2026-11-21T00:30:00Z',
  ],
  ['weekly, Monday', weekly(1, '09:00'), '2026-11-20T12:00:00Z', '2026-11-23T09:00:00Z'],
  ['weekly, Sunday', weekly(7, '09:00'), '2026-11-22T09:00:00Z', '2026-11-29T09:00:00Z'],
  [
    'monthly, the 31st in November',
    monthly(31, '08:00'),
    '2026-11-20T00:00:00Z',
    '2026-11-30T08:00:00Z',
  ],
  [
    'monthly, the 30th in February',
    monthly(30, '08:00'),
    '2027-02-01T00:00:00Z',
    '2027-02-28T08:00:00Z',
  ],
  [
    'monthly, the 29th in a leap year',
    monthly(29, '08:00'),
    '2028-02-01T00:00:00Z',
    '2028-02-29T08:00:00Z',
  ],
  ['monthly, over the year', monthly(1, '08:00'), '2026-12-01T08:00:00Z', '2027-01-01T08:00:00Z'],
  [
    'a skipped hour runs as much later',
    daily('02:30', 'Europe/Berlin'),
    '2027-03-27T12:00:00Z',
    '2027-03-28T01:30:00Z',
  ],
  [
    'an hour that comes twice runs the first time',
    daily('02:30', 'Europe/Berlin'),
    '2026-10-24T12:00:00Z',
    '2026-10-25T00:30:00Z',
  ],
  [
    'and not the second',
    daily('02:30', 'Europe/Berlin'),
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00Z',
  ],
  [
    'the local time stays over a change of clocks',
    daily('09:00', 'America/New_York'),
    '2026-10-31T14:00:00Z',
    '2026-11-01T14:00:00Z',
  ],
  [
    'a midnight that is skipped',
    daily('00:00', 'Africa/Cairo'),
    '2027-04-29T12:00:00Z',
    '2027-04-29T22:00:00Z',
  ],
  [
    'a clock that moves by half an hour',
    daily('02:15', 'Australia/Lord_Howe'),
    '2026-10-03T12:00:00Z',
    '2026-10-03T15:45:00Z',
  ],
  [
    'an offset instead of a zone',
    daily('09:00', '+05:30'),
    '2026-11-20T00:00:00Z',
    '2026-11-20T03:30:00Z',
  ],
])('%s', (_title, schedule, after, next) => {
  expect(findNextRun(schedule, new Date(after))).toEqual(new Date(next));
});

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'America/St_Johns',
  '-03:30',
];
const anySchedule = fc.record({
  rhythm: fc.constantFrom('daily', 'weekly', 'monthly'),
  time: fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(':')),
  weekday: fc.integer({ min: 1, max: 7 }),
  month_day: fc.integer({ min: 1, max: 31 }),
  time_zone: fc.constantFrom(...zones),
}) as fc.Arbitrary<MonitorSchedule>;
const anyMoment = fc.date({
  min: new Date('2024-01-01T00:00:00Z'),
  max: new Date('2030-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const periodDays = { daily: 1, weekly: 7, monthly: 31 };
const hourMs = 3_600_000;

test('the next run is later, within one period, and no other run is between', () => {
  fc.assert(
    fc.property(anySchedule, anyMoment, fc.double({ min: 0, max: 1, noNaN: true }), (...given) => {
      const [schedule, after, share] = given;
      const next = findNextRun(schedule, after);
      expect(next.getTime()).toBeGreaterThan(after.getTime());
      const mostMs = periodDays[schedule.rhythm] * 24 * hourMs + hourMs;
      expect(next.getTime() - after.getTime()).toBeLessThanOrEqual(mostMs);
      const between = after.getTime() + Math.floor((next.getTime() - after.getTime()) * share);
      const same = Math.min(between, next.getTime() - 1);
      expect(findNextRun(schedule, new Date(same))).toEqual(next);
    }),
    { numRuns: 300 },
  );
});

const dayMs = 24 * hourMs;
/** Clock changes of 30 minutes, 1 and 2 hours, at midnight and later, north and south. */
const changingZones = [
  'Europe/Berlin',
  'Europe/Dublin',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'America/New_York',
  'America/St_Johns',
  'America/Havana',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Antarctica/Troll',
];
/** The clock of each zone, read with Intl only, in milliseconds as if it were UTC. */
const clocks = new Map(
  changingZones.map((timeZone) => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    return [timeZone, (ms: number) => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`)];
  }),
);
const readClock = (zone: string, ms: number): number => clocks.get(zone)?.(ms) ?? Number.NaN;
/** The days of five years on which each zone changes its clocks. */
const changes = changingZones.flatMap((zone) => {
  const offsetAt = (ms: number) => readClock(zone, ms) - ms;
  const days = Array.from({ length: 5 * 365 }, (_, day) => Date.UTC(2024, 0, 1) + day * dayMs);
  return days
    .filter((ms) => offsetAt(ms) !== offsetAt(ms + dayMs))
    .map((changeMs) => ({ zone, changeMs }));
});
const timeOf = (wallMs: number): string => new Date(wallMs).toISOString().slice(11, 16);

test('around clock changes a run is at its local time, the first one, or later by the gap', () => {
  expect(new Set(changes.map(({ zone }) => zone)).size).toBe(changingZones.length);
  const anyTime = anySchedule.map(({ time }) => time);
  fc.assert(
    fc.property(
      fc.constantFrom(...changes),
      fc.integer({ min: -dayMs, max: dayMs }),
      anyTime,
      ({ zone, changeMs }, shiftMs, time) => {
        const runMs = findNextRun(daily(time, zone), new Date(changeMs + shiftMs)).getTime();
        const wallMs = readClock(zone, runMs);
        const isSkipped = timeOf(wallMs) !== time;
        // By the clock before the change, a skipped time is the moment of the run.
        const wantedMs = isSkipped ? readClock(zone, runMs - 3 * hourMs) + 3 * hourMs : wallMs;
        expect(timeOf(wantedMs)).toBe(time);
        const earlierMs = [1, 2, 3, 4, 5, 6].map((halves) => runMs - halves * (hourMs / 2));
        const aroundMs = isSkipped ? [...earlierMs, runMs, runMs + hourMs / 2] : earlierMs;
        expect(aroundMs.map((ms) => readClock(zone, ms))).not.toContain(wantedMs);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('the latest next run that a correct clock can set is the second next one', () => {
  fc.assert(
    fc.property(anySchedule, anyMoment, (schedule, now) => {
      const second = findNextRun(schedule, findNextRun(schedule, now));
      expect(findLatestNextRun(schedule, now)).toEqual(second);
    }),
    { numRuns: 100 },
  );
});
