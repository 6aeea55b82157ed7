/** Requests to the directory at /app/v1: imports from paths, and matching of companies. */

import { z } from 'zod';
import { ImportOptionsSchema } from './directory.ts';
import { ListReadingSchema, OtherLineSchema } from './reading/reading.ts';

/** Body of POST /app/v1/directory/imports: paths on this machine. */
export const ImportPathsSchema = ImportOptionsSchema.extend({
  people_path: z.string().min(1).optional(),
  companies_path: z.string().min(1).optional(),
});

/** Answer of POST /app/v1/directory/imports and /sample: the task continues and sends events. */
export const TaskStartedSchema = z.object({ task: z.literal('import') });

/** Query of a task: with `wait=1` the answer is the final report. */
export const WaitQuerySchema = z.object({ wait: z.enum(['0', '1']).default('0') });

/** Body of POST /app/v1/directory/match-companies: paths on this machine. */
export const MatchCompaniesSchema = z.object({
  path: z.string().min(1),
  out_path: z.string().min(1),
  mapping: ImportOptionsSchema.shape.mapping,
  reading: ListReadingSchema.optional(),
});

/** Answer of POST /app/v1/directory/match-companies. */
export const MatchedCompaniesSchema = z.object({
  rows: z.int(),
  matched: z.int(),
  not_read: z.array(OtherLineSchema).describe('The first lines that were left out as no rows.'),
  not_read_count: z.int(),
});
export type MatchedCompanies = z.infer<typeof MatchedCompaniesSchema>;
