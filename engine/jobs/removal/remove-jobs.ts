// Deletes jobs in the name of an account, with an undo: a deleted job is hidden at once, and its
// rows are deleted once it can no longer be restored. The ledger is unchanged.
import { recordAudit } from '../../audit/record-audit.ts';
import type { AuditAction } from '../../contract/audit/actions.ts';
import { EngineError, notFound } from '../../contract/errors.ts';
import { endStatuses } from '../../contract/jobs/job.ts';
import type { JobsDeleted } from '../../contract/jobs/job-list.ts';
import { jobUndoMs } from '../../contract/limits/jobs.ts';
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { inTransaction } from '../../platform/sqlite/transaction.ts';
import { releaseAndCancel } from '../cancel-job.ts';
import { type DeleteDeps, deleteJob } from '../delete-job.ts';
import { listNeedingJobs } from '../deleted-job.table.ts';
import { getJob, getJobById, type JobRow, noSuchJob } from '../job.table.ts';
import { getRemoved, markRemoved, nextRemoved, unmarkRemoved } from './removed-job.table.ts';

interface OwnJobs {
  readonly accountId: number;
  readonly jobIds: readonly string[];
}

const nameJob = ({ title }: JobRow): string => (title ? `“${title}”` : 'An untitled job');

/** Throws `not_ready` if a job that is not deleted itself still needs the rows. */
function checkUnneeded(
  database: WritableDatabase,
  job: JobRow,
  removed: ReadonlySet<number>,
): void {
  const id = listNeedingJobs(database, job.uuid).find((one) => !removed.has(one));
  const needing = id === undefined ? null : getJobById(database, id);
  if (needing)
    throw new EngineError(
      'not_ready',
      `${nameJob(needing)} still needs the rows of ${nameJob(job)}. Delete both, or wait until ` +
        'it has completed.',
    );
}

/** The jobs to delete; those that have not ended are cancelled. */
function endJobs(
  database: WritableDatabase,
  { accountId, jobIds, cancel }: OwnJobs & { readonly cancel: boolean },
  at: string,
): JobRow[] {
  return [...new Set(jobIds)].map((jobId) => {
    const job = getJob(database, accountId, jobId);
    if (!job) throw noSuchJob();
    if (endStatuses.includes(job.status)) return job;
    if (!cancel)
      throw new EngineError(
        'not_ready',
        `${nameJob(job)} has not finished. Cancel it first, or delete it with \`cancel\`.`,
      );
    releaseAndCancel(database, job, at);
    return job;
  });
}

const record = (
  database: WritableDatabase,
  action: AuditAction & `job_${string}`,
  at: string,
  job: { readonly uuid: string; readonly accountId: number; readonly totalRows: number },
): void =>
  recordAudit(database, {
    action,
    at,
    accountId: job.accountId,
    subject: job.uuid,
    rows: job.totalRows,
  });

/**
 * Deletes jobs, all of them or none. Throws `not_found`, and `not_ready` for a job that has not
 * ended, unless it may be cancelled, or whose rows another job needs.
 */
export function removeJobs(
  database: WritableDatabase,
  command: OwnJobs & { readonly cancel: boolean },
  now: Date,
): JobsDeleted {
  const at = now.toISOString();
  return inTransaction(database, () => {
    const jobs = endJobs(database, command, at);
    const ids = new Set(jobs.map(({ id }) => id));
    for (const job of jobs) {
      checkUnneeded(database, job, ids);
      markRemoved(database, job.id, at);
      record(database, 'job_deleted', at, job);
    }
    return { deleted: jobs.length, undo_until: new Date(now.getTime() + jobUndoMs).toISOString() };
  });
}

/** Undoes deletions, all of them or none. Throws `not_found` if it is too late. */
export function restoreJobs(
  database: WritableDatabase,
  { accountId, jobIds }: OwnJobs,
  now: Date,
): number {
  return inTransaction(database, () => {
    const ids = [...new Set(jobIds)];
    for (const jobId of ids) {
      const job = getRemoved(database, accountId, jobId);
      if (!job)
        throw notFound('This job cannot be restored: it is not deleted, or its rows are gone.');
      unmarkRemoved(database, job.id);
      record(database, 'job_restored', now.toISOString(), job);
    }
    return ids.length;
  });
}

/** Deletes the jobs that can no longer be restored; yields after each transaction. */
export function* deleteRemoved(deps: DeleteDeps): Generator<void> {
  const { database, at } = deps;
  const findDue = () => {
    const next = nextRemoved(database);
    return next && next.dueAt.toISOString() <= at ? next.job : null;
  };
  for (let job = findDue(); job; job = findDue()) {
    const { id, uuid, accountId } = job;
    const isFree = () => getRemoved(database, accountId, uuid) !== null;
    yield* deleteJob(deps, { id, uuid, accountId }, { isFree, onDeleted: () => undefined });
  }
}
