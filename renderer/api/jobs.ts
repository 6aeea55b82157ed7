/** Requests of the list of jobs. */

import {
  type JobStatus,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../engine/contract/jobs/job.ts';
import {
  JobListSchema,
  JobQueueSchema,
  JobsDeletedSchema,
  JobsRestoredSchema,
  RerunOfferSchema,
  type RerunRows,
} from '../../engine/contract/jobs/job-list.ts';
import { call } from './client.ts';

/** A page of the jobs whose names contain a text, newest first. */
export function readJobList(
  page: { status: JobStatus | null; search: string; before: number | null },
  signal: AbortSignal,
) {
  const query = new URLSearchParams({ search: page.search });
  if (page.status) query.set('status', page.status);
  if (page.before !== null) query.set('before', String(page.before));
  return call(JobListSchema, `/app/v1/job-list?${query}`, { signal });
}

/** The jobs that wait to start, in order. */
export const readJobQueue = () => call(JobQueueSchema, '/app/v1/job-queue');

/** Moves a queued job to a place, from 1. */
export const moveJob = ({ jobId, place }: { jobId: string; place: number }) =>
  call(JobQueueSchema, `/app/v1/jobs/${jobId}/move`, { method: 'POST', body: { place } });

/** Renames a job. */
export const renameJob = ({ jobId, title }: { jobId: string; title: string }) =>
  call(StatusDataSchema, `/app/v1/jobs/${jobId}`, { method: 'PATCH', body: { title } });

/** Deletes jobs; until a time, `restoreJobs` undoes it. */
export const deleteJobs = (body: { job_ids: readonly string[]; cancel: boolean }) =>
  call(JobsDeletedSchema, '/app/v1/job-deletions', { method: 'POST', body });

/** Undoes a deletion. */
export const restoreJobs = (jobIds: readonly string[]) =>
  call(JobsRestoredSchema, '/app/v1/job-restorations', {
    method: 'POST',
    body: { job_ids: jobIds },
  });

/** What running a job again would cost. */
export const readRerunOffer = (jobId: string) =>
  call(RerunOfferSchema, `/app/v1/jobs/${jobId}/rerun`);

/** Runs rows of a job again, as a new job. */
export const rerunJob = ({ jobId, rows }: { jobId: string; rows: RerunRows }) =>
  call(SubmitDataSchema, `/app/v1/jobs/${jobId}/rerun`, { method: 'POST', body: { rows } });
