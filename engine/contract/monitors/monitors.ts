// Monitors of the app: lists that are checked again on a schedule, at /app/v1/monitors.
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { ExportAnswerSchema, ExportRequestSchema } from '../jobs/app-jobs.ts';
import { titleCharactersMax } from '../limits/jobs.ts';
import { ColumnMappingSchema } from '../uploads.ts';
import {
  FindingsPageSchema,
  FindingsQuerySchema,
  findingStatuses,
  MonitorJobPageSchema,
  MonitorJobSchema,
  MonitorJobsQuerySchema,
  MonitorParamsSchema,
} from './career-monitor.ts';

export const monitorRhythms = ['daily', 'weekly', 'monthly'] as const;
export type MonitorRhythm = (typeof monitorRhythms)[number];

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

export const MonitorScheduleSchema = z.object({
  rhythm: z.enum(monitorRhythms),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'send a time such as 09:00')
    .describe('Local time in the time zone.'),
  weekday: z
    .int()
    .min(1)
    .max(7)
    .default(1)
    .describe('1 (Monday) to 7 (Sunday), for weekly monitors.'),
  month_day: z
    .int()
    .min(1)
    .max(31)
    .default(1)
    .describe('For monthly monitors. If the month is shorter, its last day.'),
  time_zone: z.string().refine(isTimeZone, 'send an IANA time zone such as Europe/Berlin'),
});
export type MonitorSchedule = z.infer<typeof MonitorScheduleSchema>;

const title = z.string().trim().min(1).max(titleCharactersMax);

/** A list that is checked again on a schedule. */
const MonitorSchema = z.object({
  id: z.int(),
  title: z.string(),
  file_name: z.string().nullable(),
  total_records: z.int(),
  schedule: MonitorScheduleSchema,
  paused: z.boolean(),
  next_run_at: TimestampSchema.nullable().describe('null while it is paused.'),
  price_per_record: CreditsSchema.describe('Of today.'),
  most_credits: CreditsSchema.describe('The most one run costs at the current price.'),
  problem: z.string().nullable().describe('Why the last due run did not start.'),
  last_job: MonitorJobSchema.nullable(),
  created_at: TimestampSchema,
});
export type Monitor = z.infer<typeof MonitorSchema>;

const NewMonitorSchema = z
  .object({
    title,
    schedule: MonitorScheduleSchema,
    upload_id: UuidSchema.optional(),
    mapping: ColumnMappingSchema.optional(),
    job_id: UuidSchema.optional(),
    run_now: z.boolean().default(false),
  })
  .refine((body) => (body.upload_id === undefined) !== (body.job_id === undefined), {
    message: 'send either upload_id or job_id',
  });
const MonitorChangeSchema = z.object({
  title: title.optional(),
  schedule: MonitorScheduleSchema.optional(),
  paused: z.boolean().optional(),
});
export type MonitorChange = z.infer<typeof MonitorChangeSchema>;

export const monitors = endpoints('monitors', {
  /** Newest first. */
  list: { app: 'GET /app/v1/monitors', answer: z.array(MonitorSchema) },
  create: {
    app: 'POST /app/v1/monitors',
    body: NewMonitorSchema,
    answer: MonitorSchema,
    statuses: [201],
  },
  get: { app: 'GET /app/v1/monitors/:id', params: MonitorParamsSchema, answer: MonitorSchema },
  change: {
    app: 'PATCH /app/v1/monitors/:id',
    params: MonitorParamsSchema,
    body: MonitorChangeSchema,
    answer: MonitorSchema,
  },
  /** The findings of its runs stay. */
  remove: {
    app: 'DELETE /app/v1/monitors/:id',
    params: MonitorParamsSchema,
    answer: z.object({ id: z.string() }),
  },
  run: {
    app: 'POST /app/v1/monitors/:id/run',
    params: MonitorParamsSchema,
    answer: MonitorJobSchema,
    statuses: [202],
  },
  jobs: {
    app: 'GET /app/v1/monitors/:id/jobs',
    params: MonitorParamsSchema,
    query: MonitorJobsQuerySchema,
    answer: MonitorJobPageSchema,
    isLong: true,
  },
});

export const monitorJobs = endpoints('monitorJobs', {
  list: {
    app: 'GET /app/v1/monitor-jobs',
    query: MonitorJobsQuerySchema,
    answer: MonitorJobPageSchema,
    isLong: true,
  },
  get: {
    app: 'GET /app/v1/monitor-jobs/:id',
    params: MonitorParamsSchema,
    answer: MonitorJobSchema,
  },
  /** Pays for locked findings. A repeat does not pay twice. */
  pay: {
    app: 'POST /app/v1/monitor-jobs/:id/pay',
    params: MonitorParamsSchema,
    answer: MonitorJobSchema,
  },
  /** Stops an unfinished job without a charge. */
  stop: {
    app: 'POST /app/v1/monitor-jobs/:id/stop',
    params: MonitorParamsSchema,
    answer: MonitorJobSchema,
  },
  findings: {
    app: 'GET /app/v1/monitor-jobs/:id/findings',
    params: MonitorParamsSchema,
    query: FindingsQuerySchema,
    answer: FindingsPageSchema,
    isLong: true,
  },
  exportFindings: {
    app: 'POST /app/v1/monitor-jobs/:id/export',
    params: MonitorParamsSchema,
    body: ExportRequestSchema.extend({ status: z.enum(findingStatuses).optional() }),
    answer: ExportAnswerSchema,
  },
});
