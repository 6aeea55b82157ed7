// Exports of a job's result (/app/v1/jobs/{id}/exports).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { ExportAnswerSchema, ExportRequestSchema } from '../jobs/app-jobs.ts';
import { JobParamsSchema } from '../jobs/job.ts';
import { type RowView, rowViewNames, rowViewShape } from '../jobs/row-view.ts';
import { exportColumnsMax } from '../limits/exports.ts';
import { CrmExportSchema } from './crm-export.ts';
import { RecordCountsSchema, RecordIdsSchema } from './crm-presets.ts';
import { OverwriteDiffSchema, OverwriteSchema } from './overwrite.ts';

const rowsShape = {
  rows: z
    .enum(['all', 'shown'])
    .default('all')
    .describe('`shown`: only the rows of the view that the other members select, in its order.'),
  ...rowViewShape,
};

function requireShown(
  { rows, ...body }: RowView & { rows: 'all' | 'shown' },
  context: z.RefinementCtx,
): void {
  if (rows === 'shown') return;
  for (const name of rowViewNames)
    if (body[name] !== undefined)
      context.addIssue({
        code: 'custom',
        path: [name],
        message: `a ${name} selects the rows "shown"; send rows: "shown" with it`,
      });
}

/** Refuses a byte order mark, which the importer of a CRM reads as part of the first header. */
function requirePlain(
  body: { readonly preset?: unknown; readonly for_excel: boolean },
  context: z.RefinementCtx,
): void {
  if (body.preset !== undefined && body.for_excel)
    context.addIssue({
      code: 'custom',
      path: ['for_excel'],
      message: 'a file for a CRM has no byte order mark; leave it out with a preset',
    });
}

function requireColumnsAlone(
  body: { readonly columns?: unknown; readonly overwrite?: unknown; readonly preset?: unknown },
  context: z.RefinementCtx,
): void {
  if (body.columns === undefined || (body.overwrite ?? body.preset) === undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['columns'],
    message: 'columns cannot be chosen together with overwrite or preset; send one of them',
  });
}

/** Writes a file on this machine, or returns a download URL. */
export const JobExportSchema = ExportRequestSchema.extend({
  ...rowsShape,
  overwrite: OverwriteSchema.optional().describe(
    'Replace the user’s own values by these rules. If omitted, they stay unchanged.',
  ),
  preset: CrmExportSchema.optional().describe(
    'Only what a CRM imports. If omitted, the file has every column.',
  ),
  own_lists: z
    .boolean()
    .optional()
    .describe(
      'Add what own lists say of each matched contact: its id there, and the kept columns. If ' +
        'omitted, only with a preset.',
    ),
  sources: z
    .boolean()
    .default(false)
    .describe('Add the source, the day and the confidence of each found value.'),
  columns: z
    .array(z.string().max(300))
    .min(1)
    .max(exportColumnsMax)
    .optional()
    .describe(
      'The columns of the file, in their order: `input:N` (column N of the sheet, from 0), ' +
        '`found:FIELD`, `own:NAME` (a column of an own list), `reason` or `guess`. If omitted, ' +
        'the file has every column.',
    ),
})
  .superRefine(requireShown)
  .superRefine(requirePlain)
  .superRefine(requireColumnsAlone);

const JobExportAnswerSchema = ExportAnswerSchema.extend({
  diff: OverwriteDiffSchema.nullable().describe('What the rules change; null without rules.'),
  records: RecordCountsSchema.nullable()
    .default(null)
    .describe('What the rows became; null without a preset.'),
  suppressed: z
    .int()
    .default(0)
    .describe(
      'Rows of suppressed people, whose cells are empty; not counted for the download of a CSV ' +
        'with every column, one of which says so.',
    ),
});
export type JobExportAnswer = z.infer<typeof JobExportAnswerSchema>;

const ExportPreviewSchema = z
  .object({ ...rowsShape, overwrite: OverwriteSchema.prefault({}) })
  .superRefine(requireShown);

const CountRecordsSchema = z
  .object({ ...rowsShape, preset: CrmExportSchema })
  .superRefine(requireShown);

export const jobExports = endpoints('jobExports', {
  preview: {
    app: 'POST /app/v1/jobs/:job_id/exports/preview',
    isRepeatable: true,
    params: JobParamsSchema,
    body: ExportPreviewSchema,
    answer: OverwriteDiffSchema,
  },
  countRecords: {
    app: 'POST /app/v1/jobs/:job_id/exports/records',
    params: JobParamsSchema,
    body: CountRecordsSchema,
    answer: RecordCountsSchema,
  },
  write: {
    app: 'POST /app/v1/jobs/:job_id/exports',
    isRepeatable: true,
    params: JobParamsSchema,
    body: JobExportSchema,
    answer: JobExportAnswerSchema,
  },
  /** Refuses what a file cannot be, which does not depend on the result: the job may still run. */
  check: {
    app: 'POST /app/v1/jobs/:job_id/exports/check',
    isRepeatable: true,
    params: JobParamsSchema,
    body: z.object({
      preset: CrmExportSchema.optional(),
      overwrite: OverwriteSchema.optional(),
    }),
    answer: z.object({}),
  },
  recordIds: {
    app: 'GET /app/v1/jobs/:job_id/exports/record-ids',
    params: JobParamsSchema,
    answer: RecordIdsSchema,
  },
  countLeftOut: {
    app: 'GET /app/v1/jobs/:job_id/left-out',
    params: JobParamsSchema,
    answer: z.object({ count: z.int() }),
  },
  writeLeftOut: {
    app: 'POST /app/v1/jobs/:job_id/left-out/exports',
    params: JobParamsSchema,
    body: ExportRequestSchema,
    answer: ExportAnswerSchema,
  },
});
