/**
 * Jobs as a kind of retention: their inputs, results and reviews. A job is kept as long as other
 * work needs it.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { retentionSampleRows } from '../contract/limits/privacy/retention.ts';
import type { KeptReason } from '../contract/retention/retention.ts';
import { deleteJob } from '../jobs/delete-job.ts';
import {
  type EndedJob,
  isUnused,
  listEndedJobs,
  listNeedingJobs,
} from '../jobs/deleted-job.table.ts';
import { getJobById, type JobKind } from '../jobs/job.table.ts';
import { countPicks, countWaiting } from '../jobs/review/review-pick.table.ts';
import { isNeededByMonitor } from '../monitors/needed-monitor-jobs.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import { type FoundItem, type KindRules, sumFound } from './kind-rules.ts';

/** Bytes of the files of an input. */
export function measureInput(folder: string, uuid: string): number {
  const dir = jobDir(folder, uuid);
  try {
    return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
  } catch {
    return 0;
  }
}

/** Bytes of the results of a job, from its first rows. */
function estimateResults(database: ReadableDatabase, job: EndedJob): number {
  const found = statement<{ bytes: number | null }>(
    database,
    `SELECT avg(40 + ifnull(length(fields), 0) + ifnull(length(candidates), 0)
       + ifnull(length(provenance), 0)) AS bytes
     FROM (SELECT * FROM result WHERE id BETWEEN ? AND ? LIMIT ${retentionSampleRows})`,
  ).get(job.resultBase, job.resultBase + job.totalRows - 1);
  return Math.round((found?.bytes ?? 0) * job.processedRows);
}

const hasOpenApproval = (database: ReadableDatabase, job: EndedJob, at: string): boolean =>
  statement(
    database,
    `SELECT 1 FROM approval WHERE account_id = ? AND status IN ('asked', 'allowed')
       AND expires_at > ? AND instr(operation || arguments, ?) > 0`,
  ).get(job.accountId, at, job.uuid) !== undefined;

/** Whether some rows of a job were decided and others wait. */
function hasOpenReview(database: ReadableDatabase, { id }: EndedJob): boolean {
  if (countPicks(database, id) === 0) return false;
  const job = getJobById(database, id);
  return job !== null && countWaiting(database, job) > 0;
}

/**
 * Why a job that is past its days is kept; null if it may be deleted.
 * @param isGone whether a job that needs it is deleted before it
 */
function findReason(
  database: ReadableDatabase,
  job: EndedJob,
  at: string,
  isGone: (id: number) => boolean = () => false,
): KeptReason | null {
  if (job.kind === 'monitor') return isNeededByMonitor(database, job) ? 'needed_by_monitor' : null;
  if (listNeedingJobs(database, job.uuid).some((id) => !isGone(id))) return 'needed_by_job';
  if (hasOpenReview(database, job)) return 'open_review';
  return hasOpenApproval(database, job, at) ? 'open_approval' : null;
}

export const createJobRules = (kind: JobKind): KindRules => ({
  find(database, folder, scope) {
    const gone = new Set<number>();
    // Newest first: a job that needs another one is newer than it.
    const found = listEndedJobs(database, { ...scope, kind }).map((job): FoundItem => {
      const kept = findReason(database, job, scope.at, (id) => gone.has(id));
      if (kept === null) gone.add(job.id);
      const bytes = measureInput(folder, job.uuid) + estimateResults(database, job);
      return { at: job.lastUsedAt, bytes, kept };
    });
    return sumFound(found);
  },
  *remove({ database, folder, kinds, count }, scope) {
    for (const job of listEndedJobs(database, { ...scope, kind })) {
      // A decision or a retry may have come in between.
      const isFree = () =>
        isUnused(database, job.id, scope.before) && findReason(database, job, scope.at) === null;
      if (!isFree()) continue;
      const deps = { database, folder, kinds, at: scope.at };
      yield* deleteJob(deps, job, { isFree, onDeleted: () => count(1) });
    }
  },
});
