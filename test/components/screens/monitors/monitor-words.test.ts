// What runs of monitors cost per change and per month.
import { expect, onTestFinished, test } from 'vitest';
import { creditUnits } from '../../../../engine/contract/credits.ts';
import type { MonitorJob } from '../../../../engine/contract/monitors/career-monitor.ts';
import { setLocale } from '../../../../renderer/preferences/locale.ts';
import {
  compareCosts,
  costPerChange,
  describeSchedule,
  monthlyCost,
} from '../../../../renderer/screens/monitors/monitor-words.ts';

const runOf = (changed: number, left: number, due: string, status = 'Completed') =>
  ({
    status,
    credits_due: due,
    counts: { changed, left, unchanged: 5, no_match: 0, failed: 0 },
  }) as MonitorJob;

test.each([
  ['a run costs its credits divided by those who changed or left', runOf(3, 1, '10.0000'), 25_000],
  ['hundredths are rounded', runOf(3, 0, '10.0000'), 33_300],
  ['a run without changes has no such cost', runOf(0, 0, '10.0000'), null],
  ['nor has one that runs', runOf(1, 0, '0.0000', 'Running'), null],
])('%s', (_title, job, units) => {
  expect(costPerChange(job)).toBe(units);
});

test.each([
  [20_000, 25_000, '20% less than before'],
  [30_000, 20_000, '50% more than before'],
  [20_000, 20_000, 'as before'],
  [20_000, null, null],
])('%d after %s is %s', (now, before, words) => {
  expect(compareCosts(creditUnits(now), before === null ? null : creditUnits(before))).toBe(words);
});

const daily = {
  rhythm: 'daily',
  time: '09:00',
  weekday: 1,
  month_day: 1,
  time_zone: 'UTC',
} as const;

test('a schedule names its time as the system writes it', () => {
  onTestFinished(() => setLocale());
  setLocale('en-US');
  expect(describeSchedule({ ...daily, rhythm: 'weekly' })).toMatch(/^Every Monday at 9:00\sAM/);
  setLocale('de-DE');
  expect(describeSchedule(daily)).toMatch(/^Every day at 09:00/);
});

test.each([
  ['daily', 26_710_000, 812_000_000],
  ['weekly', 26_710_000, 116_000_000],
  ['monthly', 26_710_000, 26_710_000],
  ['daily', 0, 0],
] as const)('%s runs of %d units cost %d a month', (rhythm, units, month) => {
  expect(monthlyCost(creditUnits(units), { ...daily, rhythm })).toBe(month);
});
