/** The price of an upload, a free trial of it, and its job. */
import type { z } from 'zod';
import { AppEstimateSchema } from '../../engine/contract/jobs/app-estimate.ts';
import type { SubmitUploadSchema, UploadJobSchema } from '../../engine/contract/jobs/app-jobs.ts';
import { SubmitDataSchema } from '../../engine/contract/jobs/job.ts';
import { type NewTrialSchema, TrialSchema } from '../../engine/contract/jobs/trials.ts';
import { call } from './client.ts';

/** Exact price and dry run of an upload. Charges and stores nothing. */
export const estimateUpload = (body: z.input<typeof UploadJobSchema>, signal: AbortSignal) =>
  call(AppEstimateSchema, '/app/v1/estimate', { method: 'POST', body, signal });

/** Answers ten rows of an upload from the directory. Charges and stores nothing. */
export const tryRows = (body: z.input<typeof NewTrialSchema>, signal: AbortSignal) =>
  call(TrialSchema, '/app/v1/trials', { method: 'POST', body, signal });

/** Holds the credits and starts the job. */
export const submitUpload = (body: z.input<typeof SubmitUploadSchema>) =>
  call(SubmitDataSchema, '/app/v1/jobs', { method: 'POST', body });
