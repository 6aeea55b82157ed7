// Sends an event to the app for each change by the writer, and measures the progress of jobs.
import { formatCredits } from '../../contract/credits.ts';
import type { ErrorMessage } from '../../contract/errors.ts';
import type { AppEvent } from '../../contract/events.ts';
import { endStatuses } from '../../contract/jobs/job.ts';
import { progressEventIntervalMs } from '../../contract/limits/jobs.ts';
import type { JobRow } from '../../jobs/job.table.ts';
import type { JobKinds } from '../../jobs/job-kind.ts';
import { presentJob } from '../../jobs/present-job.ts';
import type { JobEvents } from '../../jobs/run-jobs.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { measureSpeed } from '../../platform/measure-speed.ts';
import { describeWait } from '../../platform/scheduler/explain-failure.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';

export interface WriterEvent {
  readonly accountId: number | null;
  readonly event: AppEvent;
}

/** A shortage or damage that stops the work of a scheduler. */
export interface WriterTrouble {
  readonly trouble: ErrorMessage;
}

export interface WriterEvents extends JobEvents {
  assistants(accountId: number): void;
  /** Jobs were renamed, deleted, restored or moved, which may have changed the balance. */
  jobs(accountId: number): void;
  suppression(): void;
  retention(): void;
  /** Sends an event whose change moved credits, followed by the wallet. */
  withWallet(event: AppEvent, accountId: number): void;
}

/** @param nowMs monotonic clock in milliseconds */
export function createWriterEvents(
  database: WritableDatabase,
  kinds: JobKinds,
  send: (event: WriterEvent) => void,
  nowMs: () => number,
): WriterEvents {
  const wallet = (accountId: number) =>
    send({ accountId, event: { type: 'wallet', wallet: presentWallet(database, accountId) } });
  const follow = () => {
    const measure = followJob(nowMs);
    return (job: JobRow) => {
      const event = measure(job);
      const shown = event && kinds[job.kind].presentProgress(job, event);
      if (shown) send({ accountId: job.accountId, event: shown });
    };
  };
  return {
    wallet,
    assistants: (accountId) => send({ accountId, event: { type: 'assistants' } }),
    jobs(accountId) {
      send({ accountId, event: { type: 'jobs' } });
      wallet(accountId);
    },
    suppression: () => send({ accountId: null, event: { type: 'suppression' } }),
    retention: () => send({ accountId: null, event: { type: 'retention' } }),
    withWallet(event, accountId) {
      send({ accountId, event });
      wallet(accountId);
    },
    job(job) {
      follow()(job);
      wallet(job.accountId);
    },
    followJob: follow,
    waitingJob(job, shortage) {
      const event = followJob(nowMs)(job);
      const shown = event && kinds[job.kind].presentProgress(job, event);
      const waiting = describeWait(shortage);
      if (shown?.type === 'job')
        send({ accountId: job.accountId, event: { ...shown, seconds_left: null, waiting } });
      if (shown?.type === 'monitor-job')
        send({ accountId: job.accountId, event: { ...shown, waiting } });
    },
  };
}

type JobEvent = Extract<AppEvent, { type: 'job' }>;

/**
 * Follows one run of a job: returns the event to send for a committed batch, or null if the last
 * event was sent too recently. The first and last events are always sent, and the one after which
 * the job waits for answers. `nowMs` is a monotonic clock.
 */
function followJob(nowMs: () => number): (job: JobRow) => JobEvent | null {
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
