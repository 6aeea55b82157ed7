// The events of /app/v1/events.
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { DirectoryStatsSchema, ImportReportSchema } from './directory.ts';
import { ReadOnlySchema } from './engine.ts';
import { StatusDataSchema } from './jobs/job.ts';
import { WalletSchema } from './ledger.ts';
import { MonitorJobSchema } from './monitors/career-monitor.ts';
import { PipelineSchema } from './pipelines/pipeline.ts';
import { PipelineProgressSchema } from './pipelines/pipeline-progress.ts';

export const TaskProgressSchema = z.object({
  task: z.enum(['import', 'undo', 'index', 'upload', 'export', 'duplicates', 'backup']),
  label: z.string(),
  done: z.number(),
  total: z.number().nullable(),
  unit: z.enum(['rows', 'bytes', 'people']),
});

export type TaskProgress = z.infer<typeof TaskProgressSchema>;

/** An event of /app/v1/events, one `data:` line of JSON each. */
export const AppEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('job'),
    job: StatusDataSchema,
    rows_per_second: z.number(),
    seconds_left: z.number().nullable(),
    charged_so_far: CreditsSchema,
    waiting: z.string().nullable().describe('Why the job is paused and what to do, or null.'),
  }),
  z
    .object({ type: z.literal('jobs') })
    .describe('Jobs were renamed, deleted, restored or moved in the queue.'),
  z.object({ type: z.literal('wallet'), wallet: WalletSchema }),
  z.object({ type: z.literal('directory'), directory: DirectoryStatsSchema }),
  z.object({ type: z.literal('task'), progress: TaskProgressSchema }),
  z.object({ type: z.literal('import'), report: ImportReportSchema }),
  z.object({
    type: z.literal('monitor-job'),
    job: MonitorJobSchema,
    waiting: z.string().optional().describe('As of a job.'),
  }),
  z
    .object({ type: z.literal('authorizations') })
    .describe('An authorization request was made or answered.'),
  z.object({
    type: z.literal('pipeline'),
    pipeline: PipelineSchema,
    progress: PipelineProgressSchema,
    waiting: z.string().optional().describe('As of a job.'),
  }),
  z
    .object({ type: z.literal('assistants') })
    .describe('An assistant called a tool or needs an approval.'),
  z.object({ type: z.literal('duplicates') }).describe('A search for duplicates has ended.'),
  z.object({ type: z.literal('suppression') }).describe('The suppression list has changed.'),
  z
    .object({ type: z.literal('retention') })
    .describe('The days of retention have changed, or a run deletes.'),
  z.object({ type: z.literal('read-only'), read_only: ReadOnlySchema.nullable() }),
  z.object({ type: z.literal('monitors') }).describe('A monitor was created, changed or deleted.'),
]);

export type AppEvent = z.infer<typeof AppEventSchema>;
