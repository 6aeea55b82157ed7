/** Rows of a job. Not needed before the first screen. */
import { GridPageSchema } from '../../engine/contract/jobs/app-jobs.ts';
import { OutcomesSchema, type RowView } from '../../engine/contract/jobs/row-view.ts';
import { call } from './client.ts';
import { jobRowsPath, outcomesPath } from './transport/first-requests.ts';

/** A range of a job's rows: input and output side by side. */
export const readRows = (
  jobId: string,
  page: RowView & { limit: number; offset: number },
  signal: AbortSignal,
) => call(GridPageSchema, jobRowsPath(jobId, page), { signal });

/** How many finished rows of a job have each outcome. */
export const readOutcomes = (jobId: string, signal: AbortSignal) =>
  call(OutcomesSchema, outcomesPath(jobId), { signal });
