/** When jobs that wait for the network look for it, and how they continue. */
import { setImmediate as yieldThread } from 'node:timers/promises';
import { networkCheckMs } from '../../contract/limits/waterfall.ts';
import type { NextWork, Turn } from '../../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { Network } from '../../providers/waterfall/network.ts';
import { type JobRow, nextWaitingJob } from '../job.table.ts';
import type { JobKinds } from '../job-kind.ts';
import { rewindJob } from './rewind-job.ts';

/** Whether all rows of a job are written and some wait for the network. */
export const isWaiting = ({ waitingRows, processedRows, totalRows }: JobRow): boolean =>
  waitingRows > 0 && processedRows === totalRows;

/** Dependencies of waiting jobs. */
interface WaitingJobsDeps {
  readonly database: WritableDatabase;
  readonly kinds: JobKinds;
  readonly network: Pick<Network, 'check'>;
  now(): Date;
}

/** Creates the order of waiting jobs. The first check is due at once. */
export function createWaitingJobs({ database, kinds, network, now }: WaitingJobsDeps) {
  let checkAt: Date | null = null;
  let signals = 0;
  return {
    /** The job to continue or to check for, or the time of the next check; null if none waits. */
    next(at: Date): NextWork<{ readonly id: string; readonly job: JobRow }> {
      const job = nextWaitingJob(database);
      if (!job) return null;
      const leftMs = checkAt === null ? 0 : checkAt.getTime() - at.getTime();
      // A longer time is left only if the clock was set back.
      const isDue = job.whenOffline === 'leave_out' || leftMs <= 0 || leftMs > networkCheckMs;
      return isDue ? { item: { id: job.uuid, job } } : { dueAt: checkAt ?? at };
    },
    /** Takes back the rows that wait if there is a network. Returns whether the job can be run. */
    async resume(job: JobRow, { isStopping }: Pick<Turn, 'isStopping'>): Promise<boolean> {
      if (job.whenOffline === 'leave_out') return true;
      const before = signals;
      if (!(await network.check())) {
        // A signal during the check may be newer than its result: the next check is due at once.
        if (signals === before) checkAt = new Date(now().getTime() + networkCheckMs);
        return false;
      }
      const options = { reason: 'waiting' as const, isStopping, pause: yieldThread };
      await rewindJob(database, kinds, job.id, options);
      return true;
    },
    /** Makes the next check due. */
    checkNetwork() {
      checkAt = null;
      signals += 1;
    },
  };
}
