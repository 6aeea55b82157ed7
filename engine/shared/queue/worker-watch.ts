// Whether a worker works on the queue. A worker keeps the row of its batch locked while it matches,
// so the queue itself shows it, for any version of the worker and any owner: no worker answers if
// no row is locked, and the oldest batch has waited for long.
import { sharedWorkerMs } from '../../contract/shared/limits.ts';
import type { SharedConnection } from '../connection/open-connection.ts';
import { queueFormat } from './answer-bytes.ts';

type Connection = Pick<SharedConnection, 'use'>;

export interface WorkerWatch {
  noteWorker(): void;
  /** Whether no worker answers; a recent look at the queue counts. Rejects with SharedFailure. */
  isSilent(connection: Connection): Promise<boolean>;
  /**
   * Whether a job that waits for a worker may go on: one holds a batch, has answered one of the
   * job, or the job has no batch any more. Rejects with SharedFailure.
   */
  mayGoOn(connection: Connection, jobUuid: string): Promise<boolean>;
}

/** Looks at the queue within the time after which no worker counts as there. */
const looks = 6;

/**
 * Locks what is free for the moment of the query. The lock is one that owners share, so that two
 * who look at the same time do not take each other for a worker.
 */
const signsSql = `
  WITH free AS (
    SELECT created_at FROM match_batch WHERE format = ${queueFormat} FOR KEY SHARE SKIP LOCKED)
  SELECT (SELECT count(*) FROM match_batch WHERE format = ${queueFormat})
      > (SELECT count(*) FROM free) AS "isHeld",
    (SELECT extract(epoch FROM clock_timestamp() - min(created_at)) * 1000 FROM free)::float8
      AS "waitedMs"`;

/** A batch of another format was written before an update of this engine. */
const goOnSql = `
  SELECT EXISTS (SELECT FROM match_answer WHERE job_uuid = $1)
    OR NOT EXISTS (
      SELECT FROM match_batch WHERE job_uuid = $1 AND format = ${queueFormat}) AS "mayGoOn"`;

interface Signs {
  readonly isHeld: boolean;
  /** How long the oldest batch that is free has waited, by the server's clock; null without one. */
  readonly waitedMs: number | null;
}

const readSigns = (connection: Connection): Promise<Signs> =>
  connection.use(async (client) => {
    const { rows } = await client.query<Signs>(signsSql);
    return rows[0] ?? { isHeld: false, waitedMs: null };
  });

export function createWorkerWatch(patienceMs: number = sharedWorkerMs): WorkerWatch {
  const pauseMs = patienceMs / looks;
  /** Since when no look found a worker, by the clock of this engine. */
  let silentSinceMs: number | null = null;
  let lookAtMs = 0;
  let last: Promise<boolean> = Promise.resolve(false);
  const noteWorker = () => {
    silentSinceMs = null;
    last = Promise.resolve(false);
    lookAtMs = performance.now() + pauseMs;
  };
  const look = async (connection: Connection): Promise<boolean> => {
    const { isHeld, waitedMs } = await readSigns(connection);
    if (isHeld) {
      noteWorker();
      return false;
    }
    const nowMs = performance.now();
    silentSinceMs ??= nowMs;
    // Both clocks: a batch may be older than this engine, and one look may miss a worker.
    const hasWaited = waitedMs !== null && waitedMs >= patienceMs;
    return hasWaited && nowMs - silentSinceMs >= patienceMs;
  };
  return {
    noteWorker,
    isSilent(connection) {
      const nowMs = performance.now();
      if (nowMs >= lookAtMs) {
        lookAtMs = nowMs + pauseMs;
        last = look(connection);
        // A server that was lost is looked at again as soon as it is back.
        last.catch(() => {
          lookAtMs = 0;
        });
      }
      return last;
    },
    async mayGoOn(connection, jobUuid) {
      const goesOn = await connection.use(async (client) => {
        const { rows } = await client.query<{ mayGoOn: boolean }>(goOnSql, [jobUuid]);
        return rows[0]?.mayGoOn === true;
      });
      if (!goesOn && !(await readSigns(connection)).isHeld) return false;
      noteWorker();
      return true;
    },
  };
}
