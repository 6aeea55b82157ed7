// Data enrichment jobs over HTTP: submit, estimate, status, jobs, result (docs/api.md).
import { z } from 'zod';
import { CreditsSchema, creditUnits, formatCredits, parseCredits } from '../credits.ts';
import { importKinds } from '../directory.ts';
import { endpoints } from '../endpoints.ts';
import {
  estimateExample,
  jobIdExample,
  resultRowExample,
  statusExample,
  submittedExample,
} from '../examples.ts';
import { CrmExportSchema, crmNames } from '../exports/crm-export.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { approvalKey, keyRefusals } from '../operation-docs.ts';
import { PageQuerySchema } from '../whole-number.ts';
import { expectedPriceShape } from './expected-price.ts';
import { InferredEmailSchema } from './inferred-email.ts';
import { InputRepairSchema, inputRepairRules } from './input-repairs.ts';
import { LayerCodeSchema, layerCodes, layerStatuses, layers } from './layers.ts';
import { offlineShape, WhenOfflineSchema } from './offline.ts';
import { repeatCountsShape, repeatShape } from './repeats.ts';

/** queued → running → completed | failed | cancelled. */
export const jobStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof jobStatuses)[number];
/** The final states; `ready` is true in each. */
export const endStatuses: readonly JobStatus[] = ['completed', 'failed', 'cancelled'];

/** Outcome of a row. The order is the code stored in results. */
export const rowStatuses = ['enriched', 'skipped', 'failed'] as const;
export type RowStatus = (typeof rowStatuses)[number];

/** Why matching did not enrich a row; '' if it did. */
export const matchReasons = [
  '',
  'no_match',
  'ambiguous',
  'too_little_data',
  'suppressed',
  'source_error',
  'conflicting_evidence',
  'not_a_person',
] as const;
export type MatchReason = (typeof matchReasons)[number];

/** Why a row is not enriched; '' if it is. The order is the code stored in results. */
export const reasons = [...matchReasons, 'known_from_earlier_job', 'source_uncertain'] as const;
export type Reason = (typeof reasons)[number];

/** Fields that can decide a match. The order is the bit stored in results. */
export const matchFields = [
  'profile_url',
  'email',
  'first_name',
  'last_name',
  'company_name',
  'company_domain',
  'title',
  'phone',
  'country',
  'client_reference_id',
] as const;
export type MatchField = (typeof matchFields)[number];

/** The order is the code stored in results; '' means no person. */
export const employmentStatuses = ['', 'Current', 'Changed', 'Left'] as const;
/** Still there, now elsewhere, or left for an unknown employer. */
export type EmploymentStatus = (typeof employmentStatuses)[number];

/** The statuses of an email address (also those of validate_emails). */
export const emailStatuses = [
  'valid',
  'invalid',
  'catch_all',
  'disposable',
  'role',
  'unknown',
] as const;
export type EmailStatus = (typeof emailStatuses)[number];

export const SubmitDataSchema = z
  .object({
    job_id: UuidSchema,
    title: z.string(),
    status: z.enum(jobStatuses),
    ready: z.boolean(),
    selected_layers: z.array(LayerCodeSchema),
    total_rows: z.int(),
    price_per_row: CreditsSchema,
    credits_held: CreditsSchema,
    created_at: TimestampSchema,
  })
  .meta({ id: 'SubmittedJob', examples: [submittedExample] });
export type SubmitData = z.infer<typeof SubmitDataSchema>;

export const StatusDataSchema = z
  .object({
    job_id: UuidSchema,
    title: z.string(),
    status: z.enum(jobStatuses),
    ready: z.boolean(),
    selected_layers: z.array(LayerCodeSchema),
    total_rows: z.int(),
    processed_rows: z.int(),
    enriched_rows: z.int(),
    skipped_rows: z.int(),
    failed_rows: z.int(),
    ...repeatCountsShape,
    infer_emails: z.boolean().describe('Whether the job infers work emails that it does not find.'),
    ...offlineShape,
    credits_held: CreditsSchema,
    credits_charged: CreditsSchema,
    credits_released: CreditsSchema,
    error: z.string().nullable(),
    error_detail: z.string().nullable(),
    retry_of: UuidSchema.nullable(),
    created_at: TimestampSchema,
    started_at: TimestampSchema.nullable(),
    completed_at: TimestampSchema.nullable(),
  })
  .meta({ id: 'JobStatus', examples: [statusExample] });
export type StatusData = z.infer<typeof StatusDataSchema>;

export const JobsQuerySchema = PageQuerySchema.extend({ status: z.enum(jobStatuses).optional() });
export const JobsPageSchema = z
  .object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(StatusDataSchema),
  })
  .meta({ id: 'JobsPage' });

/** Source of a value: the source's name, the day it was observed, and its confidence (0 to 1). */
export const ProvenanceSchema = z
  .object({
    source: z.string(),
    observed_at: z.string(),
    confidence: z.number().min(0).max(1),
  })
  .meta({ id: 'Provenance' });
export type Provenance = z.infer<typeof ProvenanceSchema>;

/** One of up to three people that a skipped row may mean. */
export const CandidateSchema = z
  .object({
    upstream_contact_uuid: z.string(),
    name: z.string(),
    title: z.string(),
    company_name: z.string(),
    score: z.number(),
  })
  .meta({ id: 'Candidate' });
export type Candidate = z.infer<typeof CandidateSchema>;

/** Who decided about a row that matching left open, and when. */
export const DecisionSchema = z
  .object({
    decided_by: z.string().describe('The label of the API key; "app" for the app itself.'),
    decided_at: TimestampSchema,
  })
  .meta({ id: 'Decision' });
export type Decision = z.infer<typeof DecisionSchema>;

const ReviewedSchema = DecisionSchema.extend({
  remembered: z
    .boolean()
    .describe('True: a person decided about the same contact in an earlier job.'),
}).meta({ id: 'Reviewed' });
export type Reviewed = z.infer<typeof ReviewedSchema>;

export const OwnEntrySchema = z
  .object({
    list: z.string().describe('The source of the import.'),
    kind: z.enum(importKinds),
    id: z.string().describe('The id of the record in the list; empty if the list has none.'),
    other_ids: z
      .array(z.string())
      .optional()
      .describe('Further ids of the record in the list, if the list has it more than once.'),
    fields: z.record(z.string(), z.string()).describe('The kept columns, as they are.'),
  })
  .meta({ id: 'OwnEntry' });

export const ResultRowSchema = z
  .object({
    row_index: z.int(),
    upstream_contact_uuid: z.string(),
    client_reference_id: z.string(),
    status: z.enum(rowStatuses),
    layer_status: z.partialRecord(LayerCodeSchema, z.enum(layerStatuses)),
    enriched_fields: z.record(z.string(), z.string()),
    error_message: z.string(),
    credits_charged: CreditsSchema,
    charge_decision: z.enum(['used', 'released', '']),
    created_at: TimestampSchema,
    updated_at: TimestampSchema,
    reason: z.enum(reasons),
    confidence: z.number().min(0).max(1),
    matched_on: z.array(z.enum(matchFields)),
    candidates: z.array(CandidateSchema),
    provenance: z.record(z.string(), ProvenanceSchema),
    review: ReviewedSchema.nullable().describe('Null: no person decided about this row.'),
    ...repeatShape,
    input_repairs: z.array(InputRepairSchema).describe('How cells of the row were read.'),
    inferred_email: InferredEmailSchema.nullable().describe(
      'A probable work email of an enriched row without one; never verified, always free.',
    ),
    own_records: z
      .array(OwnEntrySchema)
      .default([])
      .describe('What the own lists of the directory say of the contact and of the employer.'),
  })
  .meta({ id: 'ResultRow', examples: [resultRowExample] });
export type ResultRow = z.infer<typeof ResultRowSchema>;

const flagText = z.enum(['true', 'false']).optional();

export const ResultQuerySchema = PageQuerySchema.extend({
  status: z.enum(rowStatuses).optional(),
  format: z.enum(['json', 'csv']).default('json'),
  preset: z
    .enum(crmNames)
    .optional()
    .describe('Of a CSV: only what this CRM imports, under its column names.'),
  record_id: CrmExportSchema.shape.record_id,
  id_list: CrmExportSchema.shape.id_list,
  records: CrmExportSchema.shape.records,
  list_columns: flagText.describe(CrmExportSchema.shape.list_columns.description ?? ''),
  own_lists: flagText.describe(
    'Of a CSV: add the ids and the kept columns of own lists; with a preset the default is true.',
  ),
  sources: flagText.describe(
    'Of a CSV: add the source, the day and the confidence of each found value.',
  ),
}).superRefine((query, context) => {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  for (const name of ['preset', 'own_lists', 'sources'] as const)
    if (query[name] !== undefined && query.format !== 'csv')
      refuse(name, 'it decides the columns of a CSV; send format=csv with it');
  for (const name of ['record_id', 'id_list', 'records', 'list_columns'] as const)
    if (query[name] !== undefined && query.preset === undefined)
      refuse(name, 'it belongs to a preset; send preset with it');
});
export const ResultPageSchema = z
  .object({
    job_id: UuidSchema,
    status: z.enum(jobStatuses),
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(ResultRowSchema),
  })
  .meta({
    id: 'ResultPage',
    examples: [
      {
        job_id: jobIdExample,
        status: 'completed',
        count: 1,
        next: null,
        previous: null,
        results: [resultRowExample],
      },
    ],
  });

export const CancelDataSchema = z
  .object({
    job_id: UuidSchema,
    status: z.literal('cancelled'),
    credits_released: CreditsSchema,
  })
  .meta({ id: 'CancelledJob' });

/** Result of a dry run of up to 1,000 rows. */
export const PreviewSchema = z
  .object({
    sampled: z.int(),
    duplicate_rows: z
      .int()
      .describe('Rows of the whole list with the same text as an earlier row; free.'),
    enriched: z.int(),
    expected_match_rate: z.number().min(0).max(1),
    expected_credits: CreditsSchema,
    ...expectedPriceShape,
    fill_rate: z.record(z.string(), z.number().min(0).max(1)),
    reasons: z.record(z.string(), z.number().min(0).max(1)),
    open_fields: z
      .record(z.string(), z.number().min(0).max(1))
      .describe('Share of the sample that data services may be asked about, by their field.'),
    input_repairs: z
      .partialRecord(z.enum(inputRepairRules), z.int())
      .describe('Rows of the sample that have a repair of the kind.'),
    repaired_rows: z
      .array(z.object({ row_index: z.int(), input_repairs: z.array(InputRepairSchema) }))
      .describe('The first rows of the sample that have repairs.'),
  })
  .meta({ id: 'EstimatePreview' });
export type Preview = z.infer<typeof PreviewSchema>;

export const EstimateDataSchema = z
  .object({
    selected_layers: z.array(LayerCodeSchema),
    row_count: z.int(),
    price_per_row: CreditsSchema,
    credits_needed: CreditsSchema,
    available_credits: CreditsSchema,
    sufficient: z.boolean(),
    breakdown: z.array(
      z.object({
        code: LayerCodeSchema,
        label: z.string(),
        price: CreditsSchema,
        subtotal: CreditsSchema,
      }),
    ),
    preview: PreviewSchema.optional(),
  })
  .meta({ id: 'Estimate', examples: [estimateExample] });
export type EstimateData = z.infer<typeof EstimateDataSchema>;

const fullPriceUnits = creditUnits(
  layers.reduce((sum, { defaultPrice }) => sum + (parseCredits(defaultPrice) ?? 0), 0),
);

export const LayersDataSchema = z
  .object({
    layers: z.array(
      z.object({
        code: LayerCodeSchema,
        label: z.string(),
        description: z.string(),
        active: z.boolean(),
        requires: z.array(LayerCodeSchema),
        fields: z.array(z.string()),
        price: CreditsSchema,
      }),
    ),
    full: z.object({ selected_layers: z.array(LayerCodeSchema), price_per_row: CreditsSchema }),
  })
  .meta({
    id: 'Layers',
    examples: [
      {
        layers: layers.map(({ code, label, description, requires, fields, defaultPrice }) => ({
          code,
          label,
          description,
          active: true,
          requires,
          fields,
          price: defaultPrice,
        })),
        full: { selected_layers: layerCodes, price_per_row: formatCredits(fullPriceUnits) },
      },
    ],
  });
export type LayersData = z.infer<typeof LayersDataSchema>;

/** The id in a job's path, in any case. */
export const JobParamsSchema = z.object({ job_id: UuidSchema.toLowerCase() });

/** The calls about jobs that every part of the page may make. */
export const jobs = endpoints('jobs', {
  layers: {
    api: 'GET /api/v1/data-enrichment/layers',
    app: 'GET /app/v1/layers',
    answer: LayersDataSchema,
    docs: {
      id: 'listLayers',
      tag: 'Data enrichment',
      summary: 'List layers and the account’s current rate card',
    },
  },
  list: {
    api: 'GET /api/v1/data-enrichment/jobs',
    app: 'GET /app/v1/jobs',
    query: JobsQuerySchema,
    answer: JobsPageSchema,
    isLong: true,
    docs: { id: 'listJobs', tag: 'Data enrichment', summary: 'List jobs, newest first' },
  },
  status: {
    api: 'GET /api/v1/data-enrichment/status/:job_id',
    app: 'GET /app/v1/jobs/:job_id',
    params: JobParamsSchema,
    answer: StatusDataSchema,
    docs: {
      id: 'getJobStatus',
      tag: 'Data enrichment',
      summary: 'Get the status of a job',
      description: 'Poll it until `ready` is true, as in every final status.',
    },
  },
  cancel: {
    api: 'POST /api/v1/data-enrichment/cancel/:job_id',
    app: 'POST /app/v1/jobs/:job_id/cancel',
    params: JobParamsSchema,
    answer: CancelDataSchema,
    docs: {
      id: 'cancelJob',
      tag: 'Data enrichment',
      summary: 'Cancel a job and release its whole hold',
      refusals: ['already_finished'],
    },
  },
  retry: {
    api: 'POST /api/v1/data-enrichment/retry/:job_id',
    app: 'POST /app/v1/jobs/:job_id/retry',
    params: JobParamsSchema,
    answer: SubmitDataSchema,
    statuses: [202],
    docs: {
      id: 'retryJob',
      tag: 'Data enrichment',
      summary: 'Retry a failed job, or the failed rows of a completed one',
      refusals: ['nothing_to_retry', 'input_damaged', 'insufficient_credits', ...keyRefusals],
      headers: approvalKey,
    },
  },
  /** Changes what a job does without a network. */
  setWhenOffline: {
    app: 'PUT /app/v1/jobs/:job_id/when-offline',
    params: JobParamsSchema,
    body: z.object({ when_offline: WhenOfflineSchema }),
    answer: StatusDataSchema,
  },
  checkNetwork: {
    app: 'POST /app/v1/network',
    answer: z.object({ checking: z.literal(true) }),
  },
});
