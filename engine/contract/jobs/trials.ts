/** A trial of the app (/app/v1/trials): a few rows of an upload, answered free and not stored. */
import { z } from 'zod';
import { UploadJobSchema } from './app-jobs.ts';
import { reasons, rowStatuses } from './job.ts';
import type { DisplayName } from './layers.ts';

/** Body of POST /app/v1/trials. */
export const NewTrialSchema = UploadJobSchema.omit({ new_since: true });

/** Found values that a trial names but does not show: those that the search hides as well. */
export const trialHiddenFields: readonly DisplayName[] = [
  'Email',
  'New email',
  'Profile URL',
  'Mobile phone',
  'Direct phone',
];

/** Answer of POST /app/v1/trials. */
export const TrialSchema = z.object({
  columns: z.array(z.string()).describe('The labels of the columns that were matched.'),
  rows: z.array(
    z.object({
      row_index: z.int(),
      given: z.array(z.string()).describe('The cells of these columns.'),
      status: z.enum(rowStatuses),
      reason: z.enum(reasons),
      found: z.record(z.string(), z.string()),
      hidden: z.array(z.string()).describe('Fields that have a value, which only a job returns.'),
    }),
  ),
  remaining: z.int().describe('Trials that the account may still run now.'),
});
export type Trial = z.infer<typeof TrialSchema>;
