// One colour, icon and label per status.
import {
  IconArrowRight,
  IconCheck,
  IconClock,
  IconDoorExit,
  IconDots,
  IconEqual,
  IconEyeOff,
  IconLock,
  IconLockOpen2,
  IconMinus,
  IconPlayerPause,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { memo } from 'react';
import type { EmploymentStatus, JobStatus, ResultRow } from '../../engine/contract/jobs/job.ts';
import classes from './status-chip.module.css';

const looks = {
  enriched: { tone: 'enriched', Icon: IconCheck },
  completed: { tone: 'enriched', Icon: IconCheck },
  skipped: { tone: 'skipped', Icon: IconMinus },
  cancelled: { tone: 'skipped', Icon: IconMinus },
  undone: { tone: 'skipped', Icon: IconMinus },
  ambiguous: { tone: 'ambiguous', Icon: IconQuestionMark },
  suppressed: { tone: 'skipped', Icon: IconEyeOff },
  failed: { tone: 'failed', Icon: IconX },
  running: { tone: 'running', Icon: IconDots },
  queued: { tone: 'skipped', Icon: IconClock },
  waiting: { tone: 'skipped', Icon: IconClock },
  paused: { tone: 'skipped', Icon: IconPlayerPause },
  unlocked: { tone: 'enriched', Icon: IconLockOpen2 },
  locked: { tone: 'ambiguous', Icon: IconLock },
  changed: { tone: 'running', Icon: IconArrowRight },
  left: { tone: 'ambiguous', Icon: IconDoorExit },
  unchanged: { tone: 'enriched', Icon: IconEqual },
  no_match: { tone: 'skipped', Icon: IconMinus },
} as const;

export type ChipStatus = keyof typeof looks | JobStatus;

export const toneOfStatus = (status: ChipStatus): string => looks[status].tone;

/** The icon of a status alone, of one width, with its words on hover and for screen readers. */
export const StatusIcon = memo(function StatusIcon({
  status,
  label,
}: {
  status: ChipStatus;
  label: string;
}) {
  const { tone, Icon } = looks[status];
  return (
    <span className={`${classes.chip} ${classes.icon}`} data-tone={tone} title={label}>
      <Icon size={13} stroke={2.4} aria-hidden />
      <span className={classes.words}>{label}</span>
    </span>
  );
});

function Chip({ status, label }: { status: ChipStatus; label?: string }) {
  const { tone, Icon } = looks[status];
  return (
    <span className={classes.chip} data-tone={tone}>
      <Icon size={13} stroke={2.4} aria-hidden />
      {label ?? status}
    </span>
  );
}

/** A status. While a grid scrolls, most rows have the status of the row before them. */
export const StatusChip = memo(Chip);

const leftStatus: EmploymentStatus = 'Left';

/** Whether the found values say that the person left, and so has no company, title or email. */
export const hasLeft = (fields: Readonly<Record<string, string>>): boolean =>
  fields['Employment status'] === leftStatus;

/** A row's chip. Ambiguous and suppressed rows differ from other skipped ones. */
export const chipOfRow = (
  result: Pick<ResultRow, 'status' | 'reason' | 'enriched_fields'> | null,
): ChipStatus => {
  if (!result) return 'waiting';
  const { reason, status, enriched_fields: fields } = result;
  if (reason === 'ambiguous' || reason === 'suppressed') return reason;
  return hasLeft(fields) ? 'left' : status;
};
