// Pipelines of the app at /app/v1/pipelines: of people from a search, or of a spreadsheet.
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { UuidSchema } from '../ids.ts';
import { ExportAnswerSchema, ExportRequestSchema } from '../jobs/app-jobs.ts';
import { searchLimitDefault } from '../limits/directory.ts';
import { pipelineContactsMax } from '../limits/pipelines.ts';
import { idempotencyKey, keyRefusals, resultRefusals } from '../operation-docs.ts';
import { SearchPeopleSchema } from '../records/record-search.ts';
import { ColumnMappingSchema } from '../uploads.ts';
import { PageQuerySchema } from '../whole-number.ts';
import {
  CancelledPipelineSchema,
  NewPipelineSchema,
  PipelineContactSchema,
  PipelinePageSchema,
  PipelineResultSchema,
  PipelineSchema,
  StartedPipelineSchema,
} from './pipeline.ts';
import { PipelineProgressSchema } from './pipeline-progress.ts';

const { uuids, title, unlock, verify_emails } = NewPipelineSchema.shape;

const about = {
  filters: SearchPeopleSchema.omit({ offset: true, after: true })
    .extend({ limit: z.int().min(1).max(pipelineContactsMax).default(searchLimitDefault) })
    .optional()
    .describe('The first people of a search of the Directory screen.'),
  uuids,
  upload_id: UuidSchema.optional(),
  mapping: ColumnMappingSchema.optional(),
  unlock,
  verify_emails,
};
interface About {
  readonly filters?: unknown;
  readonly uuids?: unknown;
  readonly upload_id?: string | undefined;
  readonly unlock: readonly string[];
  readonly verify_emails: boolean;
}

function checkAbout(body: About, context: z.core.$RefinementCtx<About>): void {
  const sources = [body.filters, body.uuids, body.upload_id];
  if (sources.filter((source) => source !== undefined).length !== 1)
    context.addIssue({ code: 'custom', message: 'Send one of filters, uuids and upload_id' });
  if (body.verify_emails && !body.unlock.includes('email'))
    context.addIssue({
      code: 'custom',
      message: 'only unlocked emails can be verified: add "email" to unlock',
      path: ['verify_emails'],
    });
}

/** A repeat with the same Idempotency-Key starts nothing. */
const NewAppPipelineSchema = z.strictObject({ title, ...about }).superRefine(checkAbout);
export type NewAppPipeline = z.output<typeof NewAppPipelineSchema>;
/** The same without a title. */
const PipelineQuestionSchema = z.strictObject(about).superRefine(checkAbout);

export const pipelinePriceCodes = ['email', 'phone', 'email_validation'] as const;

/** An estimate charges, holds and stores nothing. */
const PipelineEstimateSchema = z.object({
  contacts: z.int().describe('Number of contacts of the pipeline.'),
  credits_most: CreditsSchema.describe('The cost if every value is found and none is owned.'),
  available_credits: CreditsSchema,
  sufficient: z.boolean().describe('Whether credits_most are available.'),
  breakdown: z.array(
    z.object({ code: z.enum(pipelinePriceCodes), price: CreditsSchema, subtotal: CreditsSchema }),
  ),
  preview: z.object({
    sampled: z.int().describe('Number of contacts sampled, spread over the list.'),
    matched: z.int(),
    with_email: z.int(),
    with_phone: z.int(),
    owned_values: z.int().describe('Emails and phones in the sample that the account owns.'),
    expected_credits: CreditsSchema.describe(
      'Expected cost of the whole list, extrapolated from the sample.',
    ),
  }),
});
export type PipelineEstimate = z.infer<typeof PipelineEstimateSchema>;
export type PipelinePreview = PipelineEstimate['preview'];

const PipelineGridRowSchema = z.object({
  input: z.array(z.string()).describe('Empty unless the contacts came from a spreadsheet.'),
  contact: PipelineContactSchema,
});
const PipelineGridPageSchema = z.object({
  headers: z.array(z.string()),
  count: z.int(),
  offset: z.int(),
  rows: z.array(PipelineGridRowSchema),
});
export type PipelineGridPage = z.infer<typeof PipelineGridPageSchema>;

/** The id in a pipeline's path, in any case. */
const PipelineParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

export const pipelines = endpoints('pipelines', {
  start: {
    api: 'POST /api/v1/pipeline/',
    body: NewPipelineSchema,
    largeBody: 'pipeline',
    answer: StartedPipelineSchema,
    statuses: [202, 200],
    docs: {
      id: 'startPipeline',
      tag: 'Pipelines',
      summary: 'Start a pipeline over a search, UUIDs or row inputs',
      description:
        'Costs 1 credit per unlocked email, 5 per unlocked phone, and the price of an email ' +
        'validation per verified email; owned values are free. After all contacts are looked ' +
        'up, the price of the known values is held, up to the available credits. Values that ' +
        'the hold does not cover stay locked. The end settles the hold and releases the ' +
        'rest. The key’s limits for one request apply to the maximum cost.',
      refusals: ['not_ready', ...keyRefusals, 'idempotency_conflict'],
      headers: idempotencyKey,
      answers: {
        200: 'The same request under the same Idempotency-Key: the pipeline that it started.',
        202: 'The pipeline was started.',
      },
    },
  },
  list: {
    api: 'GET /api/v1/pipeline/',
    app: 'GET /app/v1/pipelines',
    query: PageQuerySchema,
    answer: PipelinePageSchema,
    isLong: true,
    docs: { id: 'listPipelines', tag: 'Pipelines', summary: 'List pipelines, newest first' },
  },
  get: {
    api: 'GET /api/v1/pipeline/:id',
    app: 'GET /app/v1/pipelines/:id',
    params: PipelineParamsSchema,
    answer: PipelineSchema,
    docs: {
      id: 'getPipeline',
      tag: 'Pipelines',
      summary: 'Get a pipeline',
      description: 'Poll it until `ready` is true. Webhook events have the same record.',
    },
  },
  result: {
    api: 'GET /api/v1/pipeline/:id/result',
    app: 'GET /app/v1/pipelines/:id/result',
    params: PipelineParamsSchema,
    query: PageQuerySchema,
    answer: PipelineResultSchema,
    isLong: true,
    docs: {
      id: 'getPipelineResult',
      tag: 'Pipelines',
      summary: 'List the contacts of a completed pipeline',
      refusals: resultRefusals,
    },
  },
  cancel: {
    api: 'POST /api/v1/pipeline/:id/cancel',
    app: 'POST /app/v1/pipelines/:id/cancel',
    params: PipelineParamsSchema,
    answer: CancelledPipelineSchema,
    docs: {
      id: 'cancelPipeline',
      tag: 'Pipelines',
      summary: 'Cancel a pipeline',
      description:
        'Unlocked values stay owned and are charged; the rest of the hold is released. ' +
        'Webhooks receive no event.',
      refusals: ['already_finished'],
    },
  },
  estimate: {
    app: 'POST /app/v1/pipelines/estimate',
    isRepeatable: true,
    body: PipelineQuestionSchema,
    answer: PipelineEstimateSchema,
  },
  startHere: {
    app: 'POST /app/v1/pipelines',
    isRepeatable: true,
    body: NewAppPipelineSchema,
    answer: StartedPipelineSchema,
    statuses: [202, 200],
  },
  progress: {
    app: 'GET /app/v1/pipelines/:id/progress',
    params: PipelineParamsSchema,
    answer: PipelineProgressSchema,
  },
  rows: {
    app: 'GET /app/v1/pipelines/:id/rows',
    params: PipelineParamsSchema,
    query: PageQuerySchema,
    answer: PipelineGridPageSchema,
    isLong: true,
  },
  exportRows: {
    app: 'POST /app/v1/pipelines/:id/export',
    isRepeatable: true,
    params: PipelineParamsSchema,
    body: ExportRequestSchema,
    answer: ExportAnswerSchema,
  },
});
