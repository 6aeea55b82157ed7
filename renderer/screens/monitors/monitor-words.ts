/** Labels of monitors: schedules, findings and results of runs. */
import type {
  FindingStatus,
  MonitorJob,
  WatchedField,
} from '../../../engine/contract/monitors/career-monitor.ts';
import type { MonitorSchedule } from '../../../engine/contract/monitors/monitors.ts';
import { countOf, showCount } from '../../components/numbers.ts';
import type { ChipStatus } from '../../components/status-chip.tsx';

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

/** The time zone of this machine. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: 'st', two: 'nd', few: 'rd' };

/** 31 → "31st". */
const showOrdinal = (day: number): string => `${day}${endings[ordinals.select(day)] ?? 'th'}`;

/** "Every Monday at 09:00", with the time zone if it differs from this machine's. */
export function describeSchedule(schedule: MonitorSchedule): string {
  const { rhythm, time, weekday, month_day: day, time_zone: zone } = schedule;
  const days = {
    daily: 'Every day',
    weekly: `Every ${weekdays[weekday - 1] ?? 'week'}`,
    monthly: `On the ${showOrdinal(day)} of each month${day > 28 ? ', or its last day' : ''}`,
  };
  return `${days[rhythm]} at ${time}${zone === ownZone() ? '' : ` (${zone})`}`;
}

/** Each finding's label and description. */
export const findingWords: Record<FindingStatus, string> = {
  changed: 'changed',
  left: 'left',
  unchanged: 'unchanged',
  no_match: 'no match',
  failed: 'failed',
};

/** The column titles of the watched fields. */
export const watchedWords: Record<WatchedField, string> = {
  company_name: 'Employer',
  title: 'Title',
  email: 'Email',
  profile_url: 'Profile URL',
};

/** The chip of a run. Locked findings have their own. */
export function chipOfRun(job: MonitorJob): { status: ChipStatus; label: string } {
  if (job.credit_charge_failed) return { status: 'locked', label: 'locked' };
  const status = job.status.toLowerCase() as 'queued' | 'running' | 'completed' | 'failed';
  return { status, label: status };
}

/** A run's findings in one line: "3 changed, 1 left of 250". */
export function describeRun(job: MonitorJob): string {
  if (job.status === 'Queued') return 'Waiting to start';
  const of = countOf(job.total_records, 'contact');
  if (job.status === 'Running') return `${showCount(job.processed_records)} of ${of}`;
  if (job.status === 'Failed') return job.error_detail ?? 'It failed. Nothing was charged.';
  const { changed, left } = job.counts;
  return `${showCount(changed)} changed, ${showCount(left)} left of ${of}`;
}
