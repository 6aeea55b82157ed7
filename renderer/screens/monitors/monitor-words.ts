// Labels of monitors: schedules, findings and results of runs.
import { type CreditUnits, creditUnits } from '../../../engine/contract/credits.ts';
import type {
  FindingStatus,
  MonitorJob,
  WatchedField,
} from '../../../engine/contract/monitors/career-monitor.ts';
import type { MonitorSchedule } from '../../../engine/contract/monitors/monitors.ts';
import { describeAhead } from '../../components/jobs/job-words.ts';
import { countOf, showCount, showShare, unitsOf } from '../../components/numbers.ts';
import type { ChipStatus } from '../../components/status-chip.tsx';
import { inLocale } from '../../preferences/locale.ts';

/** The days of the week, Monday first. */
export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** 31 → "31st". */
const showOrdinal = (day: number): string => `${day}${endings[ordinals.select(day)] ?? 'th'}`;

/** "09:00" as the reader's system writes it; the day does not matter. */
const showTimeOfDay = (time: string): string =>
  inLocale().timeOfDay(new Date(`2026-01-01T${time}`));

/** "Every Monday at 9:00 AM", with the time zone if it differs from this machine's. */
export function describeSchedule(schedule: MonitorSchedule): string {
  const { rhythm, time, weekday, month_day: day, time_zone: zone } = schedule;
  const days = {
    daily: 'Every day',
    weekly: `Every ${weekdays[weekday - 1] ?? 'week'}`,
    monthly: `On the ${showOrdinal(day)} of each month${day > 28 ? ', or its last day' : ''}`,
  };
  return `${days[rhythm]} at ${showTimeOfDay(time)}${zone === ownZone() ? '' : ` (${zone})`}`;
}

export const findingWords: Record<FindingStatus, string> = {
  changed: 'changed',
  left: 'left',
  unchanged: 'unchanged',
  no_match: 'no match',
  failed: 'failed',
};

export const watchedWords: Record<WatchedField, string> = {
  company_name: 'Employer',
  title: 'Title',
  email: 'Email',
};

/** The chip of a run. Locked findings have their own. */
export function chipOfRun(job: MonitorJob): { status: ChipStatus; label: string } {
  if (job.credit_charge_failed) return { status: 'locked', label: 'locked' };
  const status = job.status.toLowerCase() as 'queued' | 'running' | 'completed' | 'failed';
  return { status, label: status };
}

/** A run's findings in one line: "3 changed, 1 left of 250". */
export function describeRun(job: MonitorJob): string {
  if (job.status === 'Queued') return describeAhead(job.rows_ahead).replace(/\. $/, '');
  const of = countOf(job.total_records, 'contact');
  if (job.status === 'Running') return `${showCount(job.processed_records)} of ${of}`;
  if (job.status === 'Failed') return job.error_detail ?? 'It failed. Nothing was charged.';
  const { changed, left } = job.counts;
  return `${showCount(changed)} changed, ${showCount(left)} left of ${of}`;
}

/** What a run cost for each contact that changed or left; null without any, or before its end. */
export function costPerChange(job: MonitorJob): CreditUnits | null {
  const changes = job.counts.changed + job.counts.left;
  if (job.status !== 'Completed' || changes === 0) return null;
  return roundCredits(unitsOf(job.credits_due) / changes);
}

/** "12% less than before"; null without an earlier cost. */
export function compareCosts(units: CreditUnits, before: CreditUnits | null): string | null {
  if (before === null || before === 0) return null;
  const share = units / before - 1;
  if (Math.abs(share) < 0.005) return 'as before';
  return `${showShare(Math.abs(share))} ${share < 0 ? 'less' : 'more'} than before`;
}

const runsPerMonth = { daily: 365 / 12, weekly: 365 / 7 / 12, monthly: 1 } as const;

/** What runs cost in a month at most, rounded to three digits. */
export function monthlyCost(perRun: CreditUnits, { rhythm }: MonitorSchedule): CreditUnits {
  const units = perRun * runsPerMonth[rhythm];
  const size = Math.max(100, 10 ** Math.max(0, Math.floor(Math.log10(units || 1)) - 2));
  return rhythm === 'monthly' ? perRun : creditUnits(Math.round(units / size) * size);
}

const roundCredits = (units: number): CreditUnits => creditUnits(Math.round(units / 100) * 100);
