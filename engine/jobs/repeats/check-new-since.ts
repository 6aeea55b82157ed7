// Checks the job whose people a new job excludes.
import { invalid } from '../../contract/errors.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { getJob, noSuchJob } from '../job.table.ts';

/** Throws `validation_error` unless `new_since` is a completed job of the account, or absent. */
export function checkNewSince(
  database: ReadableDatabase,
  accountId: number,
  newSince: string | undefined,
): void {
  if (newSince === undefined) return;
  const job = getJob(database, accountId, newSince);
  if (!job) throw invalid(`new_since: ${noSuchJob().detail}`);
  if (job.status !== 'completed')
    throw invalid(`new_since: the job is ${job.status}. Name a completed job.`);
}
