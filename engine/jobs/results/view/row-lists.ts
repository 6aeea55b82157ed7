// Keeps the row numbers of views, so that each page of a view is read by number. A view with an
// origin, a search or an order is listed on a thread, once for all pages that ask for it.
import { EngineError } from '../../../contract/errors.ts';
import type { RowView } from '../../../contract/jobs/row-view.ts';
import { rowListsBytesMax } from '../../../contract/limits/jobs.ts';
import type { ReadableDatabase } from '../../../platform/sqlite/open-database.ts';
import { readVersion } from '../../../suppression/suppression.table.ts';
import type { JobRow } from '../../job.table.ts';
import type { JobReads } from '../../job-reads.ts';
import { readResultVersion } from '../job-batch.table.ts';
import { filterRows } from './list-rows.ts';

export interface RowLists {
  /**
   * Row numbers of a view, in its order. Throws `not_ready` for an origin, a search or an order of
   * a job that is not completed, and what `JobReads.listRows` throws. Stops when no caller waits
   * any more.
   */
  read(job: JobRow, view: RowView, signal: AbortSignal): Promise<Uint32Array>;
}

interface Pending {
  readonly rows: Promise<Uint32Array>;
  readonly stop: AbortController;
  waiting: number;
}

/** Whether a view needs more than the facts of the rows. */
const needsThread = ({ origin, search, sort }: RowView): boolean =>
  origin !== undefined || Boolean(search) || sort !== undefined;

/** Whether a view is all rows, or those of a status, in the order of the list. */
export const isStatusAlone = ({ status: _status, direction: _direction, ...rest }: RowView) =>
  Object.values(rest).every((value) => value === undefined || value === '');

/** The lists that were used last, up to a number of bytes. */
function createListCache() {
  const lists = new Map<string, Uint32Array>();
  let bytes = 0;
  const drop = (key: string) => {
    bytes -= lists.get(key)?.byteLength ?? 0;
    lists.delete(key);
  };
  return {
    get(key: string): Uint32Array | undefined {
      const rows = lists.get(key);
      if (!rows) return undefined;
      lists.delete(key);
      lists.set(key, rows);
      return rows;
    },
    keep(key: string, rows: Uint32Array): void {
      drop(key);
      lists.set(key, rows);
      bytes += rows.byteLength;
      for (const oldest of lists.keys())
        if (bytes > rowListsBytesMax && oldest !== key) drop(oldest);
    },
  };
}

/** Waits for a list, unless the caller leaves first. */
async function waitFor(pending: Pending, signal: AbortSignal): Promise<Uint32Array> {
  pending.waiting += 1;
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener('abort', leave);
  try {
    if (signal.aborted) leave();
    return await Promise.race([pending.rows, left.promise]);
  } finally {
    signal.removeEventListener('abort', leave);
    pending.waiting -= 1;
    if (pending.waiting === 0) pending.stop.abort(signal.reason);
  }
}

/** Creates the lists of an environment, which may not be open yet. */
export function createRowLists(environment: {
  readonly database: ReadableDatabase;
  readonly reader: Pick<JobReads, 'listRows'>;
}): RowLists {
  const cache = createListCache();
  const pendings = new Map<string, Pending>();
  const start = (key: string, job: JobRow, view: RowView): Pending => {
    const stop = new AbortController();
    const command = { accountId: job.accountId, jobId: job.uuid, view };
    const rows = environment.reader.listRows(command, stop.signal);
    const pending: Pending = { rows, stop, waiting: 0 };
    pendings.set(key, pending);
    const end = () => pendings.get(key) === pending && pendings.delete(key);
    rows.then((list) => {
      cache.keep(key, list);
      end();
    }, end);
    return pending;
  };
  return {
    async read(job, view, signal) {
      const { database } = environment;
      if (needsThread(view) && job.status !== 'completed')
        throw new EngineError(
          'not_ready',
          'A job that is not completed cannot be searched, sorted or filtered by an import. Wait ' +
            'until it has finished.',
        );
      const version = readResultVersion(database, job.id);
      const key = JSON.stringify([job.uuid, version, readVersion(database), view]);
      const known = cache.get(key);
      if (known) return known;
      if (needsThread(view)) {
        const pending = pendings.get(key);
        const usable = pending && !pending.stop.signal.aborted ? pending : start(key, job, view);
        return waitFor(usable, signal);
      }
      const rows = filterRows(database, job.id, view);
      cache.keep(key, rows);
      return rows;
    },
  };
}
