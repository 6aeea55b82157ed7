/** Changes the name of a job. */
import { EngineError } from '../../contract/errors.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { getJob } from '../job.table.ts';
import { setTitle } from './job-list.table.ts';

/** Renames a job of an account. Throws `not_found`. */
export function renameJob(
  database: WritableDatabase,
  { accountId, jobId, title }: { accountId: number; jobId: string; title: string },
): void {
  inTransaction(database, () => {
    const job = getJob(database, accountId, jobId);
    if (!job) throw new EngineError('not_found', 'This job does not exist.');
    setTitle(database, job.id, title);
  });
}
