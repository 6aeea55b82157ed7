// Checks the job whose people a new job excludes.
import { invalid } from '../../contract/errors.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { getJob } from '../job.table.ts';

/** Throws `validation_error` unless `new_since` is a completed job of the account, or absent. */
export function checkNewSince(
  database: ReadableDatabase,
  accountId: number,
  newSince: string | undefined,
): void {
  if (newSince === undefined) return;
  const status = getJob(database, accountId, newSince)?.status;
  if (status === 'completed') return;
  const why = status === undefined ? 'the account has no such job' : `the job is ${status}`;
  throw invalid(`new_since: ${why}. Name a completed job.`);
}
