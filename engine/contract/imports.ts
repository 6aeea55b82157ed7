// Imports into the directory, and matching of companies.
import { z } from 'zod';
import { ImportOptionsSchema, ImportReportSchema } from './directory.ts';
import { endpoints, type Named } from './endpoints.ts';
import { TimestampSchema } from './ids.ts';
import { ListReadingSchema, OtherLineSchema } from './reading/reading.ts';
import { ImportPreviewRequestSchema, ImportPreviewSchema } from './records/import-preview.ts';
import { wholeNumberText } from './whole-number.ts';

export const ImportPathsSchema = ImportOptionsSchema.extend({
  people_path: z.string().min(1).optional(),
  companies_path: z.string().min(1).optional(),
  began_at: TimestampSchema.optional().describe(
    'When the caller first sent the request. If the same import completed since, its report is ' +
      'the answer.',
  ),
});

const TaskStartedSchema = z.object({ task: z.literal('import') });

/** With `wait=1` the answer is the final report. */
export const WaitQuerySchema = z.object({ wait: z.enum(['0', '1']).default('0') });

const MatchCompaniesSchema = z.object({
  path: z.string().min(1),
  out_path: z.string().min(1),
  mapping: ImportOptionsSchema.shape.mapping,
  reading: ListReadingSchema.optional(),
});

const MatchedCompaniesSchema = z.object({
  rows: z.int(),
  matched: z.int(),
  not_read: z.array(OtherLineSchema).describe('The first lines that were left out as no rows.'),
  not_read_count: z.int(),
  columns_not_read: z
    .array(z.string())
    .describe('Headers of the columns that say nothing of a company; they stay in the file.'),
});
export type MatchedCompanies = z.infer<typeof MatchedCompaniesSchema>;

const StartedOrDoneSchema = z.union([ImportReportSchema, TaskStartedSchema]);

export const imports = endpoints('imports', {
  start: {
    app: 'POST /app/v1/directory/imports',
    isRepeatable: true,
    query: WaitQuerySchema,
    body: ImportPathsSchema,
    isReadByHandler: true,
    answer: StartedOrDoneSchema,
    statuses: [200, 202],
  },
  preview: {
    app: 'POST /app/v1/directory/import-previews',
    body: ImportPreviewRequestSchema,
    answer: ImportPreviewSchema,
  },
  undo: {
    app: 'POST /app/v1/directory/imports/:import_id/undo',
    params: z.object({ import_id: wholeNumberText(1) }),
    answer: ImportReportSchema,
  },
  addSample: {
    app: 'POST /app/v1/directory/sample',
    query: WaitQuerySchema,
    answer: StartedOrDoneSchema,
    statuses: [200, 202],
  },
  removeSample: { app: 'DELETE /app/v1/directory/sample', answer: ImportReportSchema },
  matchCompanies: {
    app: 'POST /app/v1/directory/match-companies',
    isRepeatable: true,
    body: MatchCompaniesSchema,
    answer: MatchedCompaniesSchema,
  },
});

/** A call that imports, for a caller who sends `wait: '1'`. */
export const toItsEnd = <Call extends Named>(call: Call) =>
  ({ ...call, answer: ImportReportSchema }) as Omit<Call, 'answer'> & {
    readonly answer: typeof ImportReportSchema;
  };
