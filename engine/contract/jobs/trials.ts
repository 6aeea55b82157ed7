/** A trial of the app (/app/v1/trials): a few rows of an upload, answered free and not stored. */
import { z } from 'zod';
import { UploadJobSchema } from './app-jobs.ts';
import { reasons, rowStatuses } from './job.ts';

/** Body of POST /app/v1/trials. */
export const NewTrialSchema = UploadJobSchema.omit({ new_since: true });

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
    }),
  ),
});
export type Trial = z.infer<typeof TrialSchema>;
