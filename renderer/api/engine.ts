/** Requests about jobs, one function each. */
import { z } from 'zod';
import {
  CancelDataSchema,
  type JobStatus,
  JobsPageSchema,
  LayersDataSchema,
  StatusDataSchema,
  SubmitDataSchema,
} from '../../engine/contract/jobs/job.ts';
import { NetworkCheckSchema } from '../../engine/contract/jobs/offline.ts';
import { call } from './client.ts';
import { jobPath, queryOf } from './transport/first-requests.ts';

const post = (body: unknown = {}) => ({ method: 'POST' as const, body });
/** The account's layers with prices. */
export const readLayers = () => call(LayersDataSchema, '/app/v1/layers');

/** Deletes an upload that is not used for a job. */
export const dropUpload = (uploadId: string) =>
  call(z.unknown(), `/app/v1/uploads/${uploadId}`, { method: 'DELETE' });

export const readJobs = (page: { limit: number; offset: number; status?: JobStatus | null }) =>
  call(JobsPageSchema, `/app/v1/jobs?${queryOf(page)}`);

export const readJob = (jobId: string) => call(StatusDataSchema, jobPath(jobId));

/** Cancels a job and releases its hold. */
export const cancelJob = (jobId: string) =>
  call(CancelDataSchema, `/app/v1/jobs/${jobId}/cancel`, post());

/** Lets a job that waits for the network go on without data services. */
export const leaveOutOffline = (jobId: string) =>
  call(StatusDataSchema, `/app/v1/jobs/${jobId}/when-offline`, {
    method: 'PUT',
    body: { when_offline: 'leave_out' },
  });

/** Makes waiting jobs look for the network now. */
export const checkNetwork = () => call(NetworkCheckSchema, '/app/v1/network', post());

/** Retries the failed rows. May return a new job. */
export const retryJob = (jobId: string) =>
  call(SubmitDataSchema, `/app/v1/jobs/${jobId}/retry`, post());
