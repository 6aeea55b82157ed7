// Jobs of the app at /app/v1: submitting an upload, pages of rows, exports.
import { z } from 'zod';
import { importKinds } from '../directory.ts';
import { endpoints } from '../endpoints.ts';
import { CrmExportSchema } from '../exports/crm-export.ts';
import { exportFormats } from '../exports/export-formats.ts';
import { UuidSchema } from '../ids.ts';
import { titleCharactersMax } from '../limits/jobs.ts';
import { JobProvidersSchema } from '../providers.ts';
import { CorrectionsSchema, LeaveOutSchema } from '../reading/reading.ts';
import { ColumnMappingSchema } from '../uploads.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';
import {
  EstimateDataSchema,
  JobParamsSchema,
  PreviewSchema,
  ResultRowSchema,
  reasons,
  rowStatuses,
  StatusDataSchema,
  SubmitDataSchema,
} from './job.ts';
import { LayerCodeSchema } from './layers.ts';
import { WhenOfflineSchema } from './offline.ts';
import { OutcomesSchema, rowViewShape } from './row-view.ts';

const UploadJobSchema = z.object({
  upload_id: UuidSchema,
  selected_layers: z.array(z.string()).min(1),
  mapping: ColumnMappingSchema.optional(),
  leave_out: LeaveOutSchema.default([]).describe('Rows of the upload that are not in the job.'),
  corrections: CorrectionsSchema.default([]).describe('Cells that replace those of the upload.'),
  new_since: UuidSchema.toLowerCase()
    .optional()
    .describe('A completed job of the account; rows about its people are skipped.'),
});

export const JobOptionsSchema = z.object({
  new_since: UploadJobSchema.shape.new_since,
  use_providers: z
    .boolean()
    .default(true)
    .describe('False: the data services are not asked. Their stored answers are still used.'),
  when_offline: WhenOfflineSchema.default('wait'),
});
export type JobOptions = z.output<typeof JobOptionsSchema>;
export type ChosenOptions = z.input<typeof JobOptionsSchema>;

const SubmitUploadSchema = UploadJobSchema.extend(JobOptionsSchema.shape).extend({
  title: z.string().max(titleCharactersMax).optional(),
  idempotency_key: z.string().max(255).optional(),
});

const AppPreviewSchema = PreviewSchema.extend({
  found_layers: z
    .partialRecord(LayerCodeSchema, z.number().min(0).max(1))
    .describe('Share of the sample in which each selected layer returned data.'),
});
export type AppPreview = z.infer<typeof AppPreviewSchema>;

const AppEstimateSchema = EstimateDataSchema.extend({ preview: AppPreviewSchema.optional() });
export type AppEstimate = z.infer<typeof AppEstimateSchema>;

const TrialSchema = z.object({
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

export const newJobs = endpoints('newJobs', {
  estimate: {
    app: 'POST /app/v1/estimate',
    body: UploadJobSchema,
    answer: AppEstimateSchema,
    isRepeatable: true,
  },
  tryRows: {
    app: 'POST /app/v1/trials',
    body: UploadJobSchema.omit({ new_since: true }),
    answer: TrialSchema,
  },
  /**
   * The newest job of the same rows and options that has not failed and was not cancelled. Refused
   * if the rows cannot be written for the preset.
   */
  findSame: {
    app: 'POST /app/v1/same-jobs',
    isRepeatable: true,
    body: SubmitUploadSchema.extend({ preset: CrmExportSchema.optional() }),
    answer: z.object({
      job: StatusDataSchema.nullable(),
      is_unsaved: z.boolean().describe('Whether it is completed and its result was never saved.'),
    }),
  },
  submit: {
    app: 'POST /app/v1/jobs',
    isRepeatable: true,
    body: SubmitUploadSchema,
    answer: SubmitDataSchema,
    statuses: [202, 200],
  },
});

export const GridRowSchema = z.object({
  input: z.array(z.string()),
  result: ResultRowSchema.nullable().describe('null until the row is processed.'),
  same: z
    .array(z.int())
    .optional()
    .describe('Columns with the name of the found company, perhaps without its legal form.'),
  shared_phone: z
    .literal(true)
    .optional()
    .describe('A phone of the person is left out, because other people or a company have it too.'),
});

export type GridRow = z.infer<typeof GridRowSchema>;

/** Answer of GET /app/v1/jobs/{id}/rows: any slice, even while the job runs. */
export const GridPageSchema = z.object({
  job: StatusDataSchema,
  headers: z.array(z.string()),
  /** Columns that name a row, by group, best first. The first group with a value names it. */
  identity: z.array(z.array(z.int())),
  /** The found fields that correspond to a column of the caller, best first. */
  correspondences: z
    .array(
      z.object({
        column: z.int(),
        fields: z.array(z.string()),
        is_full_name: z.boolean().default(false).describe('The values of all fields together.'),
      }),
    )
    .default([]),
  own_columns: z
    .array(
      z.object({
        name: z.string().describe('As an export names the column.'),
        kind: z.enum(importKinds),
        list: z.string(),
        header: z.string().nullable().describe('A kept column; null for the id of the record.'),
        is_of_rows: z
          .boolean()
          .default(true)
          .describe('Whether the list is of what the rows are about: people, or companies.'),
      }),
    )
    .default([])
    .describe('The columns of `own_records`. Only the first page has them.'),
  count: z.int(),
  offset: z.int(),
  rows: z.array(GridRowSchema),
});

export type GridPage = z.infer<typeof GridPageSchema>;

const GridQuerySchema = z.object({
  limit: limitText(100),
  offset: wholeNumberText(0).default(0),
  ...rowViewShape,
});

export const jobRows = endpoints('jobRows', {
  read: {
    app: 'GET /app/v1/jobs/:job_id/rows',
    params: JobParamsSchema,
    query: GridQuerySchema,
    answer: GridPageSchema,
    isLong: true,
  },
  outcomes: {
    app: 'GET /app/v1/jobs/:job_id/outcomes',
    params: JobParamsSchema,
    answer: OutcomesSchema,
  },
  providers: {
    app: 'GET /app/v1/jobs/:job_id/providers',
    params: JobParamsSchema,
    answer: JobProvidersSchema,
  },
});

export const ExportRequestSchema = z.object({
  path: z
    .string()
    .min(1)
    .optional()
    .describe('Write the file to this path. If omitted, return a download URL.'),
  format: z.enum(exportFormats).default('csv'),
  for_excel: z.boolean().default(false).describe('Of a CSV: UTF-8 with BOM.'),
  protect_all: z
    .boolean()
    .default(false)
    .describe('Of a CSV: protect the caller’s cells from formulas too.'),
});

export const ExportAnswerSchema = z.object({
  path: z.string().nullable(),
  download_url: z.string().nullable().describe('One-time URL, valid for one minute.'),
  file_name: z.string(),
  rows: z.int(),
});

export type ExportAnswer = z.infer<typeof ExportAnswerSchema>;
