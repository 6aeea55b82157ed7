// The app's list of jobs at /app/v1: search, rename, delete with undo, the queue, run again.
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { jobsChangedMax, jobsPage, titleCharactersMax } from '../limits/jobs.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';
import { JobParamsSchema, jobStatuses, StatusDataSchema, SubmitDataSchema } from './job.ts';

const JobListQuerySchema = z.object({
  limit: limitText(jobsPage.default, jobsPage.max),
  status: z.enum(jobStatuses).optional(),
  search: z
    .string()
    .max(titleCharactersMax)
    .default('')
    .describe('Text in the name of the job or of its file, in any case and without accents.'),
  before: wholeNumberText(1).optional().describe('`next` of the page before.'),
});
export type JobListQuery = z.infer<typeof JobListQuerySchema>;

/** Answer of GET /app/v1/job-list: jobs that are not deleted, newest first. */
const JobListSchema = z.object({
  jobs: z.array(StatusDataSchema),
  /** Null on the last page. */
  next: z.int().nullable(),
  counts: z.record(z.enum(jobStatuses), z.int()),
});
export type JobList = z.infer<typeof JobListSchema>;

const JobChangeSchema = z.strictObject({
  title: z.string().trim().min(1).max(titleCharactersMax),
});

const JobIdsSchema = z.array(UuidSchema.toLowerCase()).min(1).max(jobsChangedMax);

const JobDeletionSchema = z.strictObject({
  job_ids: JobIdsSchema,
  cancel: z.boolean().default(false).describe('Cancel those that have not ended.'),
});

const JobsDeletedSchema = z.object({
  deleted: z.int(),
  undo_until: TimestampSchema.describe('Until then, an undo restores them.'),
});
export type JobsDeleted = z.infer<typeof JobsDeletedSchema>;

const JobRestorationSchema = z.strictObject({ job_ids: JobIdsSchema });

const JobsRestoredSchema = z.object({ restored: z.int() });

const JobQueueSchema = z.array(
  z.object({
    job: StatusDataSchema,
    rows_ahead: z.int().describe('Rows of all accounts that are processed before its first.'),
  }),
);
export type JobQueue = z.infer<typeof JobQueueSchema>;

const JobMoveSchema = z.strictObject({
  place: z.int().min(1).describe('Its new place among the queued jobs of the account, from 1.'),
});

export const rerunRows = ['all', 'failed', 'unmatched'] as const;
export type RerunRows = (typeof rerunRows)[number];

const RerunOfferSchema = z.object({
  title: z.string().describe('The name of the new job.'),
  choices: z.array(
    z.object({
      rows: z.enum(rerunRows),
      row_count: z.int(),
      credits_needed: CreditsSchema.describe('The most that the new job costs.'),
      sufficient: z.boolean(),
    }),
  ),
  price_per_row: CreditsSchema,
  available_credits: CreditsSchema,
  free_repeat_days: z
    .int()
    .describe('Days within which people that a job paid for are not charged again.'),
  imports_since: z.int().describe('Imports into the directory since the job started.'),
  problem: z.string().nullable().describe('Why it cannot run again, or null.'),
});
export type RerunOffer = z.infer<typeof RerunOfferSchema>;

const RerunSchema = z.strictObject({ rows: z.enum(rerunRows) });

export const jobList = endpoints('jobList', {
  read: {
    app: 'GET /app/v1/job-list',
    query: JobListQuerySchema,
    answer: JobListSchema,
    isLong: true,
  },
  rename: {
    app: 'PATCH /app/v1/jobs/:job_id',
    params: JobParamsSchema,
    body: JobChangeSchema,
    answer: StatusDataSchema,
  },
  remove: { app: 'POST /app/v1/job-deletions', body: JobDeletionSchema, answer: JobsDeletedSchema },
  restore: {
    app: 'POST /app/v1/job-restorations',
    body: JobRestorationSchema,
    answer: JobsRestoredSchema,
  },
  queue: { app: 'GET /app/v1/job-queue', answer: JobQueueSchema, isLong: true },
  move: {
    app: 'POST /app/v1/jobs/:job_id/move',
    params: JobParamsSchema,
    body: JobMoveSchema,
    answer: JobQueueSchema,
    isLong: true,
  },
  offerRerun: {
    app: 'GET /app/v1/jobs/:job_id/rerun',
    params: JobParamsSchema,
    answer: RerunOfferSchema,
  },
  rerun: {
    app: 'POST /app/v1/jobs/:job_id/rerun',
    params: JobParamsSchema,
    body: RerunSchema,
    answer: SubmitDataSchema,
    statuses: [202],
  },
});
