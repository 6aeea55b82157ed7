// Career Monitor jobs and their findings over HTTP (docs/rules.md, "Career Monitor").
import { z } from 'zod';
import { monitorCharges } from '../accounts.ts';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { rowsExample } from '../examples.ts';
import { TimestampSchema } from '../ids.ts';
import { matchReasons, ProvenanceSchema } from '../jobs/job.ts';
import type { LayerCode } from '../jobs/layers.ts';
import { ListFormSchema, SubmitBodySchema } from '../jobs/submission.ts';
import { monitorPageLimitDefault } from '../limits/monitors.ts';
import { approvalKey, idempotencyKey, keyRefusals, resultRefusals } from '../operation-docs.ts';
import { limitText, PageQuerySchema } from '../whole-number.ts';

export const monitorLayers: readonly LayerCode[] = ['L1', 'L3'];

export const monitorJobStatuses = ['Queued', 'Running', 'Completed', 'Failed'] as const;
export type MonitorJobStatus = (typeof monitorJobStatuses)[number];

/** Outcome of a record. The order is the code stored in findings. */
export const findingStatuses = ['changed', 'left', 'unchanged', 'no_match', 'failed'] as const;
export type FindingStatus = (typeof findingStatuses)[number];

export const watchedFields = ['company_name', 'title', 'email'] as const;
export type WatchedField = (typeof watchedFields)[number];

export const MonitorJobsQuerySchema = PageQuerySchema.extend({
  limit: limitText(monitorPageLimitDefault),
});

const summaryExample = {
  job_id: 12,
  title: 'Customers',
  status: 'Completed',
  total_records: 2,
  processed_records: 2,
  submitted_at: '2026-11-20T09:00:00.000Z',
  started_at: '2026-11-20T09:00:00.120Z',
  completed_at: '2026-11-20T09:00:01.480Z',
  total_credits_charged: 2,
  credit_charge_failed: false,
  credit_charge_failure_reason: null,
};

export const MonitorSummarySchema = z
  .object({
    job_id: z.int(),
    title: z.string(),
    status: z.enum(monitorJobStatuses),
    total_records: z.int(),
    processed_records: z.int(),
    submitted_at: TimestampSchema,
    started_at: TimestampSchema.nullable().describe('null before it starts.'),
    completed_at: TimestampSchema.nullable().describe('null until it ends.'),
    total_credits_charged: z.number(),
    credit_charge_failed: z.boolean(),
    credit_charge_failure_reason: z.string().nullable(),
  })
  .meta({ id: 'MonitorJobSummary', examples: [summaryExample] });
export type MonitorSummary = z.infer<typeof MonitorSummarySchema>;

const pageOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.object({
    count: z.int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(entry),
  });

const MonitorSummaryPageSchema = pageOf(MonitorSummarySchema).meta({
  id: 'MonitorJobsPage',
  examples: [{ count: 1, next: null, previous: null, results: [summaryExample] }],
});

const StartedMonitorJobSchema = z
  .object({ job_id: z.int() })
  .meta({ id: 'StartedMonitorJob', examples: [{ job_id: 12 }] });
export type StartedMonitorJob = z.infer<typeof StartedMonitorJobSchema>;

const NewMonitorJobSchema = SubmitBodySchema.pick({ title: true, rows: true }).meta({
  id: 'NewMonitorJob',
  examples: [{ title: 'Customers', rows: rowsExample }],
});

const MonitorFormSchema = ListFormSchema.pick({
  file: true,
  title: true,
  mapping: true,
}).meta({
  id: 'MonitorForm',
  examples: [{ file: 'First Name,Work Email\nAda,ada@engines.example\n', title: 'Customers' }],
});

export const MonitorParamsSchema = z.object({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .meta({ examples: ['12'] })
    .transform(Number),
});

export const FindingChangeSchema = z.object({
  field: z.enum(watchedFields),
  old_value: z.string().describe('The value in the row, or in the last paid check of its monitor.'),
  new_value: z.string().describe('Empty if the value is no longer known, as after a departure.'),
  source: z.string(),
  observed_at: z.string().describe('The day on which the source saw the new value.'),
});

const toldExample = { source: 'crm.csv', observed_at: '2026-11-02' };
const findingExample = {
  row_index: 0,
  client_reference_id: 'CRM-7',
  upstream_contact_uuid: '0c2b8c5e-6f3e-5d5b-9d5c-1f0a8c1d2e3f',
  first_name: 'Ada',
  last_name: 'Lovelace',
  status: 'changed',
  reason: '',
  confidence: 0.98,
  changes: [{ field: 'company_name', old_value: 'Acme Inc.', new_value: 'Globex', ...toldExample }],
  current: { 'Current company name': 'Globex', 'Employment status': 'Changed' },
  provenance: { 'Current company name': { ...toldExample, confidence: 0.8 } },
};

export const FindingSchema = z
  .object({
    row_index: z.int(),
    client_reference_id: z.string(),
    upstream_contact_uuid: z.string().describe('Empty if no person matched.'),
    first_name: z.string(),
    last_name: z.string(),
    status: z.enum(findingStatuses),
    reason: z.enum(matchReasons).describe('Why there is no finding; empty if there is one.'),
    confidence: z.number().min(0).max(1),
    changes: z.array(FindingChangeSchema),
    current: z.record(z.string(), z.string()).describe('The fields of L1 and L3, by display name.'),
    provenance: z.record(z.string(), ProvenanceSchema),
  })
  .meta({ id: 'Finding', examples: [findingExample] });
export type Finding = z.infer<typeof FindingSchema>;

export const FindingsQuerySchema = PageQuerySchema.extend({
  status: z.enum(findingStatuses).optional(),
});
export const FindingsPageSchema = pageOf(FindingSchema)
  .extend({
    job_id: z.int(),
    status: z.enum(monitorJobStatuses),
  })
  .meta({
    id: 'FindingsPage',
    examples: [
      {
        job_id: 12,
        status: 'Completed',
        count: 1,
        next: null,
        previous: null,
        results: [findingExample],
      },
    ],
  });

export const MonitorJobSchema = MonitorSummarySchema.extend({
  monitor_id: z.int().nullable().describe('null if the API started it.'),
  file_name: z.string().nullable(),
  price_per_record: CreditsSchema,
  credits_due: CreditsSchema.describe('The cost of the job; 0 until it ends.'),
  charge_rule: z
    .enum(monitorCharges)
    .describe('Whether every answer is charged, or those that are new or changed.'),
  charged_records: z.int().describe('Records that it charges; 0 until it ends.'),
  counts: z.record(z.enum(findingStatuses), z.int()),
  error_detail: z.string().nullable().describe('Why the job failed.'),
  rows_ahead: z
    .int()
    .optional()
    .describe('While it is queued: rows of all work that are processed before its first.'),
});
export type MonitorJob = z.infer<typeof MonitorJobSchema>;
/** A page of Career Monitor jobs, newest first. */
export const MonitorJobPageSchema = pageOf(MonitorJobSchema);

/** The calls of programs. Answers have no envelope; errors do. */
export const careerMonitor = endpoints('careerMonitor', {
  list: {
    api: 'GET /api/v1/career-monitor/jobs',
    query: MonitorJobsQuerySchema,
    answer: MonitorSummaryPageSchema,
    isBare: true,
    docs: {
      id: 'listMonitorJobs',
      tag: 'Career Monitor',
      summary: "List the account's Career Monitor jobs, newest first",
    },
  },
  start: {
    api: 'POST /api/v1/career-monitor/jobs',
    body: NewMonitorJobSchema,
    largeBody: 'submission',
    isReadByHandler: true,
    answer: StartedMonitorJobSchema,
    isBare: true,
    statuses: [202, 200],
    docs: {
      id: 'startMonitorJob',
      tag: 'Career Monitor',
      summary: 'Create a Career Monitor job',
      description:
        'Nothing is held. The end of the job charges the price of L1 per record with an answer. ' +
        'The key’s limits for one request apply to the price of all records.',
      refusals: ['bad_rows', ...keyRefusals, 'idempotency_conflict'],
      form: MonitorFormSchema,
      headers: idempotencyKey,
      answers: {
        200: 'A repeat with the same Idempotency-Key: the job of the first request.',
        202: 'The job was created.',
      },
    },
  },
  get: {
    api: 'GET /api/v1/career-monitor/jobs/:id',
    params: MonitorParamsSchema,
    answer: MonitorSummarySchema,
    isBare: true,
    docs: { id: 'getMonitorJob', tag: 'Career Monitor', summary: 'Get a Career Monitor job' },
  },
  findings: {
    api: 'GET /api/v1/career-monitor/jobs/:id/result',
    params: MonitorParamsSchema,
    query: FindingsQuerySchema,
    answer: FindingsPageSchema,
    isBare: true,
    docs: {
      id: 'getMonitorJobResult',
      tag: 'Career Monitor',
      summary: 'List the findings of a Career Monitor job',
      description: 'Refused with 402 while the charge of the job is unpaid.',
      refusals: [...resultRefusals, 'insufficient_credits'],
    },
  },
  pay: {
    api: 'POST /api/v1/career-monitor/jobs/:id/pay',
    params: MonitorParamsSchema,
    answer: MonitorSummarySchema,
    isBare: true,
    docs: {
      id: 'payMonitorJob',
      tag: 'Career Monitor',
      summary: 'Pay for locked findings',
      refusals: ['not_ready', 'already_finished', 'insufficient_credits', ...keyRefusals],
      bodyOptional: true,
      headers: approvalKey,
    },
  },
});
