/** When jobs that wait look for what they wait for, and how they continue. */
import { setImmediate as yieldThread } from 'node:timers/promises';
import { teamFailures } from '../../contract/jobs/offline.ts';
import { networkCheckMs } from '../../contract/limits/waterfall.ts';
import type { NextWork, Turn } from '../../platform/scheduler/work-source.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import type { JobRow } from '../job.table.ts';
import type { JobKinds } from '../job-kind.ts';
import { nextWaitingFor } from '../job-states.ts';
import { rewindJob } from './rewind-job.ts';

/** Whether all rows of a job are written and some wait. */
export const isWaiting = ({ waitingRows, processedRows, totalRows }: JobRow): boolean =>
  waitingRows > 0 && processedRows === totalRows;

/** What jobs wait for: data services alone, the server of the team's directory, or its workers. */
const reasons = [null, ...teamFailures] as const;

interface WaitingJobsDeps {
  readonly database: WritableDatabase;
  readonly kinds: JobKinds;
  /** Whether what a job waits for can be reached. */
  readonly network: { check(job: JobRow): Promise<boolean> };
  now(): Date;
}

/**
 * Creates the order of waiting jobs. The first check is due at once. Jobs that wait for one thing
 * do not hold up those that wait for another.
 */
export function createWaitingJobs({ database, kinds, network, now }: WaitingJobsDeps) {
  const checksAt = new Map<JobRow['teamFailure'], Date>();
  let signals = 0;
  return {
    /** The job to continue or to check for, or the time of the next check; null if none waits. */
    next(at: Date): NextWork<{ readonly id: string; readonly job: JobRow }> {
      let dueAt: Date | null = null;
      for (const reason of reasons) {
        const job = nextWaitingFor(database, reason);
        if (!job) continue;
        const checkAt = checksAt.get(reason) ?? at;
        const leftMs = checkAt.getTime() - at.getTime();
        // A longer time is left only if the clock was set back.
        const isDue = job.whenOffline === 'leave_out' || leftMs <= 0 || leftMs > networkCheckMs;
        if (isDue) return { item: { id: job.uuid, job } };
        if (dueAt === null || checkAt < dueAt) dueAt = checkAt;
      }
      return dueAt && { dueAt };
    },
    /** Takes back the rows that wait if there is a network. Returns whether the job can be run. */
    async resume(job: JobRow, { isStopping }: Pick<Turn, 'isStopping'>): Promise<boolean> {
      if (job.whenOffline === 'leave_out') return true;
      const before = signals;
      if (!(await network.check(job))) {
        // A signal during the check may be newer than its result: the next check is due at once.
        if (signals === before)
          checksAt.set(job.teamFailure, new Date(now().getTime() + networkCheckMs));
        return false;
      }
      const options = { reason: 'waiting' as const, isStopping, pause: yieldThread };
      await rewindJob(database, kinds, job.id, options);
      return true;
    },
    /** Makes the next check due. */
    checkNetwork() {
      checksAt.clear();
      signals += 1;
    },
  };
}
