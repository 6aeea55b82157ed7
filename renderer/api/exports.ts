/** Exports of a job's result. Not needed before the first screen. */
import type { z } from 'zod';
import { RecordIdsSchema } from '../../engine/contract/exports/crm-presets.ts';
import {
  type ExportPreviewSchema,
  JobExportAnswerSchema,
  type JobExportSchema,
} from '../../engine/contract/exports/job-exports.ts';
import { OverwriteDiffSchema } from '../../engine/contract/exports/overwrite.ts';
import { call } from './client.ts';

const post = (body: unknown) => ({ method: 'POST' as const, body });

/** Writes the result to a path, or returns a one-time download address. */
export const exportJob = (jobId: string, body: z.input<typeof JobExportSchema>) =>
  call(JobExportAnswerSchema, `/app/v1/jobs/${jobId}/exports`, post(body));

/** The columns of a job's list, and which may hold the ids of a CRM's records. */
export const readRecordIds = (jobId: string) =>
  call(RecordIdsSchema, `/app/v1/jobs/${jobId}/exports/record-ids`);

/** What overwrite rules would change in the user's own columns. */
export const previewExport = (
  jobId: string,
  body: z.input<typeof ExportPreviewSchema>,
  signal: AbortSignal,
) => call(OverwriteDiffSchema, `/app/v1/jobs/${jobId}/exports/preview`, { ...post(body), signal });
