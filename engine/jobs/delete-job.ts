// Deletes an ended job of either kind, in steps that each leave the thread to others and that a
// kill does not interrupt: the next call continues with what is left.
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { inRepeatableTransaction, inTransaction } from '../platform/sqlite/transaction.ts';
import { dropInput } from '../spreadsheet/input-folders.ts';
import {
  clearBatch,
  type EndedJob,
  endClearing,
  markJobDeleted,
  nextClearingJob,
} from './deleted-job.table.ts';
import type { JobKinds } from './job-kind.ts';
import { indexPeople } from './repeats/index-people.ts';
import { mustRemember } from './repeats/paid-person.table.ts';

export interface DeleteDeps {
  readonly database: WritableDatabase;
  readonly folder: string;
  readonly kinds: JobKinds;
  /** The time of the deletion, ISO 8601 in UTC. */
  readonly at: string;
}

/**
 * Deletes a job; yields after each transaction. The job is hidden by one transaction; its rows are
 * deleted afterwards.
 * @param isFree whether it may be deleted, asked in the transaction that hides it
 * @param onDeleted called in that transaction
 */
export function* deleteJob(
  deps: DeleteDeps,
  job: Pick<EndedJob, 'id' | 'uuid' | 'accountId'>,
  { isFree, onDeleted }: { isFree(): boolean; onDeleted(): void },
): Generator<void> {
  const { database, at } = deps;
  // Until its rows are deleted, later jobs find the people in the index.
  if (mustRemember(database, job.id, at)) {
    const sources = { accountId: job.accountId, since: null, jobIds: [job.uuid] };
    yield* indexPeople(database, sources);
  }
  const isDeleted = inTransaction(database, () => {
    if (!isFree()) return false;
    markJobDeleted(database, job.id, at);
    onDeleted();
    return true;
  });
  yield;
  if (isDeleted) yield* clearDeletedJobs(deps);
}

/** Deletes the rows of deleted jobs; yields after each transaction. */
export function* clearDeletedJobs({ database, folder, kinds, at }: DeleteDeps): Generator<void> {
  for (let job = nextClearingJob(database); job; job = nextClearingJob(database)) {
    const current = job;
    // The job is hidden on disk by now, so a kill cannot leave one without its input.
    dropInput(folder, current.uuid);
    const { clear } = kinds[current.kind];
    const clearNext = () =>
      clearBatch(database, current, mustRemember(database, current.id, at), clear);
    while (inRepeatableTransaction(database, clearNext)) yield;
    inTransaction(database, () => endClearing(database, current.id));
    yield;
  }
}
