// Speed and remaining time of a running job, as its progress events report them.
import { formatCredits } from '../contract/credits.ts';
import type { AppEvent } from '../contract/events.ts';
import { endStatuses } from '../contract/jobs/job.ts';
import { progressEventIntervalMs } from '../contract/limits/jobs.ts';
import { measureSpeed } from '../platform/measure-speed.ts';
import type { JobRow } from './job.table.ts';
import { presentJob } from './present-job.ts';

export type JobEvent = Extract<AppEvent, { type: 'job' }>;

/**
 * Follows one run of a job: returns the event to send for a committed batch, or null if the last
 * event was sent too recently. The first and last events are always sent, and the one after which
 * the job waits for answers. `nowMs` is a monotonic clock.
 */
export function followJob(nowMs: () => number): (job: JobRow) => JobEvent | null {
  const readSpeed = measureSpeed();
  let lastSentAt = Number.NEGATIVE_INFINITY;
  return (job) => {
    const now = nowMs();
    const speed = readSpeed(now, job.processedRows);
    const ended = endStatuses.includes(job.status);
    const waits = job.unansweredRows > 0 && job.processedRows === job.totalRows;
    if (!ended && !waits && now - lastSentAt < progressEventIntervalMs) return null;
    lastSentAt = now;
    const left = job.totalRows - job.processedRows;
    return {
      type: 'job',
      job: presentJob(job),
      rows_per_second: Math.round(speed),
      seconds_left: ended ? 0 : speed > 0 ? Math.ceil(left / speed) : null,
      charged_so_far: formatCredits(ended ? job.chargedUnits : job.pendingChargeUnits),
      waiting: null,
    };
  };
}
