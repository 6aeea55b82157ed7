// Sends an event to the app for each change by the writer.
import type { ErrorMessage } from '../../contract/errors.ts';
import type { AppEvent } from '../../contract/events.ts';
import type { JobRow } from '../../jobs/job.table.ts';
import type { JobKinds } from '../../jobs/job-kind.ts';
import { followJob } from '../../jobs/job-progress.ts';
import type { JobEvents } from '../../jobs/run-jobs.ts';
import { presentWallet } from '../../ledger/present-wallet.ts';
import { describeWait } from '../../platform/scheduler/explain-failure.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';

export interface WriterEvent {
  /** Null for an event that concerns all accounts. */
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
