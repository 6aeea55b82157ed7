// The app's list of jobs: pages by key, names, counts by status.
import { type JobStatus, jobStatuses } from '../../contract/jobs/job.ts';
import type { JobListQuery } from '../../contract/jobs/job-list.ts';
import { foldText } from '../../directory/normalize/fold-text.ts';
import type { ReadableDatabase, WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';
import { changeJob, getJobById, isShown, type JobRow } from '../job.table.ts';

interface NamedJob {
  readonly id: number;
  readonly title: string;
  readonly fileName: string | null;
}

/** The names of an account's jobs, newest first, read one by one. */
function readNames(
  database: ReadableDatabase,
  accountId: number,
  { status, before = Number.MAX_SAFE_INTEGER }: Pick<JobListQuery, 'status' | 'before'>,
): IterableIterator<NamedJob> {
  const ofStatus = status === undefined ? '' : 'AND status = @status';
  return statement<NamedJob>(
    database,
    `SELECT id, title, file_name AS fileName FROM job
     WHERE account_id = @accountId AND ${isShown} ${ofStatus} AND id < @before ORDER BY id DESC`,
  ).iterate({ accountId, before, ...(status !== undefined && { status }) });
}

/**
 * A page of an account's jobs, newest first, and the key of the next page: null on the last one.
 * The search reads the names from the newest on until the page is full.
 */
export function listJobPage(
  database: ReadableDatabase,
  accountId: number,
  query: JobListQuery,
): { readonly jobs: readonly JobRow[]; readonly next: number | null } {
  const wanted = foldText(query.search.trim());
  const fits = (text: string | null) => text !== null && foldText(text).includes(wanted);
  const ids: number[] = [];
  for (const { id, title, fileName } of readNames(database, accountId, query)) {
    if (wanted !== '' && !fits(title) && !fits(fileName)) continue;
    ids.push(id);
    if (ids.length > query.limit) break;
  }
  const shown = ids.slice(0, query.limit);
  const jobs = shown.flatMap((id) => getJobById(database, id) ?? []);
  return { jobs, next: ids.length > query.limit ? (shown.at(-1) ?? null) : null };
}

export function countJobs(
  database: ReadableDatabase,
  accountId: number,
): Record<JobStatus, number> {
  const counted = statement<{ status: JobStatus; count: number }>(
    database,
    `SELECT status, count(*) AS count FROM job WHERE account_id = ? AND ${isShown} GROUP BY status`,
  ).all(accountId);
  const counts = new Map(counted.map(({ status, count }) => [status, count]));
  const entries = jobStatuses.map((status) => [status, counts.get(status) ?? 0] as const);
  return Object.fromEntries(entries) as Record<JobStatus, number>;
}

export const listTitles = (
  database: ReadableDatabase,
  accountId: number,
  start: string,
): string[] =>
  statement<{ title: string }>(
    database,
    `SELECT title FROM job WHERE account_id = @accountId AND ${isShown}
       AND substr(title, 1, length(@start)) = @start`,
  )
    .all({ accountId, start })
    .map(({ title }) => title);

/** Changes the title. Throws 'job_not_shown'. */
export const setTitle = (database: WritableDatabase, id: number, title: string): void =>
  changeJob(
    database,
    'job_not_shown',
    `UPDATE job SET title = ? WHERE id = ? AND ${isShown}`,
    title,
    id,
  );
