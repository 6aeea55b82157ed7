// Removes what ended jobs of this engine left in the queue. A job's batches and answers are deleted
// when it ends; that may fail, the engine may end before, or a job may end while none of its
// batches is asked about. So each is tried again, and the first use after a start looks for more.
import type { SharedConnection } from '../connection/open-connection.ts';
import { createQueueOwner } from './queue-owner.ts';

type Connection = Pick<SharedConnection, 'use'>;

/** What a job, or other work that asks the shared directory, has in the queue. */
export interface EndedJobs {
  open(jobUuid: string): void;
  close(jobUuid: string, end: { readonly isClear: boolean; readonly hasEnded: boolean }): void;
  /** Deletes what is left of ended jobs. Never rejects; what fails is tried again the next time. */
  clear(connection: SharedConnection): Promise<void>;
}

const listJobs = 'SELECT job_uuid FROM match_batch UNION SELECT job_uuid FROM match_answer';

/** @param hasEnded whether a job of this engine has ended; false for another engine's */
export function createEndedJobs(hasEnded: (jobUuid: string) => boolean): EndedJobs {
  /** Jobs that may have left something, and whether they have ended for certain. */
  const left = new Map<string, { readonly hasEnded: boolean }>();
  const running = new Set<string>();
  /** The connection at which others were looked for: a server is asked once. */
  let asked: Connection | null = null;
  let last: Promise<void> = Promise.resolve();
  const clearAll = async (connection: SharedConnection) => {
    if (asked !== connection) {
      const rows = await connection.use(
        async (client) => (await client.query<{ job_uuid: string }>(listJobs)).rows,
      );
      for (const { job_uuid: uuid } of rows) if (hasEnded(uuid)) left.set(uuid, { hasEnded: true });
      asked = connection;
    }
    for (const [uuid, job] of left) {
      if (running.has(uuid) || !(job.hasEnded || hasEnded(uuid))) continue;
      const wait = () => Promise.reject(new Error('nothing is asked'));
      await createQueueOwner({ connection, wait }, uuid).forgetAll();
      if (!running.has(uuid)) left.delete(uuid);
    }
  };
  return {
    open(jobUuid) {
      running.add(jobUuid);
      left.set(jobUuid, { hasEnded: false });
    },
    close(jobUuid, end) {
      running.delete(jobUuid);
      if (end.isClear) left.delete(jobUuid);
      else left.set(jobUuid, { hasEnded: end.hasEnded });
    },
    clear(connection) {
      last = last.then(() => clearAll(connection)).catch(() => undefined);
      return last;
    },
  };
}
