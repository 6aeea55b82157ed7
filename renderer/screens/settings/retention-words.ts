// How Settings describe retention.
import type {
  DueItems,
  EffectiveRetention,
  KeptReason,
  Retention,
  RetentionKind,
  RetentionRun,
} from '../../../engine/contract/retention/retention.ts';
import {
  retentionKindNames,
  retentionKinds,
} from '../../../engine/contract/retention/retention.ts';
import { countOf, showBytes, showCount, showDate, showTime } from '../../components/numbers.ts';

export const kindContents: Readonly<Record<RetentionKind, string>> = {
  jobs: 'Lists, results and reviews, from the end of the job or its last decision.',
  pipelines: 'Contacts, and their emails and phones; what is owned stays owned.',
  validations: 'Addresses and verdicts.',
  monitor_jobs: 'Results and changes. The last answers stay while their monitor exists.',
  webhook_deliveries: 'What was sent, and each attempt.',
  tool_activity: 'Calls of assistants, and the arguments of requests that needed an approval.',
  provider_answers: 'Stored answers, which later jobs then ask and pay for again. Costs stay.',
  backups: 'Backup files, and folders that a restore or an empty start kept aside.',
  uploads: 'Files that were chosen and never submitted.',
};

/** 30 → "30 days". */
export const showDays = (days: number | null): string =>
  days === null ? 'forever' : countOf(days, 'day');

/** What decides the days of a kind besides the account; '' if nothing does. */
export function describeSource({ source, days, days_max: max, is_fixed }: EffectiveRetention) {
  if (source === 'product' && is_fixed) return `Always ${showDays(days)}.`;
  if (source === 'organisation')
    return is_fixed
      ? `${showDays(days)}, set by your organisation.`
      : `At most ${showDays(max)}, set by your organisation.`;
  return max === null ? '' : `At most ${showDays(max)}.`;
}

const keptWords: Readonly<Record<KeptReason, string>> = {
  needed_by_job: 'an unfinished job needs them',
  open_review: 'their review has started and has open rows',
  open_approval: 'an approval is open',
  needed_by_monitor: 'a monitor needs them',
  open_work: 'unfinished work uses them',
  changed_file: 'they were changed or are in use',
};

export function describeDue({ items, bytes, oldest, newest }: DueItems): string {
  if (items === 0) return 'nothing';
  const size = bytes === null || bytes === 0 ? '' : `, about ${showBytes(bytes)}`;
  const days = [oldest, newest].map((time) => (time ? showDate(time) : ''));
  const span = days[0] === days[1] ? days[0] : days.join(' to ');
  return `${showCount(items)}${size}${span ? `, ${span}` : ''}`;
}

/** Why something of a kind stays; '' if nothing does. */
export const describeKept = ({ kept }: DueItems): string =>
  kept.map(({ reason, items }) => `${showCount(items)} stay: ${keptWords[reason]}.`).join(' ');

function describeDeleted({ deleted }: RetentionRun): string {
  const parts = retentionKindNames.flatMap((kind) => {
    const count = deleted[kind] ?? 0;
    return count === 0 ? [] : `${retentionKinds[kind].label.toLowerCase()} ${showCount(count)}`;
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

export function describeRun(run: RetentionRun): string {
  if (run.started_at === null) return 'Nothing has been deleted yet.';
  if (run.state === 'shrinking') return 'Returning free space to the disk …';
  if (run.ended_at === null) return `Deleting … So far: ${describeDeleted(run)}.`;
  const shrunk =
    run.shrunk_bytes > 0 ? ` The files are ${showBytes(run.shrunk_bytes)} smaller.` : '';
  return `Last run ${showTime(run.ended_at)}: ${describeDeleted(run)} deleted.${shrunk}`;
}

/** Why nothing is deleted while the clock waits for a confirmation. */
export const describeClockStop = ({
  last_at: lastAt,
  now,
}: NonNullable<Retention['clock_stop']>): string =>
  `The clock of this computer shows ${showDate(now)}. The app last ran on this data on ` +
  `${showDate(lastAt)}. If the date is wrong, correct it; nothing is lost.`;
