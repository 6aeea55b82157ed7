/** Pipelines of the app at /app/v1/pipelines: of people from a search, or of a spreadsheet. */
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { UuidSchema } from '../ids.ts';
import { ExportRequestSchema } from '../jobs/app-jobs.ts';
import { searchLimitDefault } from '../limits/directory.ts';
import { pipelineContactsMax } from '../limits/pipelines.ts';
import { SearchPeopleSchema } from '../records/record-search.ts';
import { ColumnMappingSchema } from '../uploads.ts';
import { NewPipelineSchema, PipelineContactSchema } from './pipeline.ts';

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

/** Body of POST /app/v1/pipelines. A repeat with the same Idempotency-Key starts nothing. */
export const NewAppPipelineSchema = z.strictObject({ title, ...about }).superRefine(checkAbout);
export type NewAppPipeline = z.output<typeof NewAppPipelineSchema>;
/** Body of POST /app/v1/pipelines/estimate: the same without a title. */
export const PipelineQuestionSchema = z.strictObject(about).superRefine(checkAbout);

/** Rates that a contact can cost. */
export const pipelinePriceCodes = ['email', 'phone', 'email_validation'] as const;

/** Answer of POST /app/v1/pipelines/estimate. An estimate charges, holds and stores nothing. */
export const PipelineEstimateSchema = z.object({
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
/** Preview of an estimate, from a sample of the contacts. */
export type PipelinePreview = PipelineEstimate['preview'];

/** One contact of a completed pipeline: its input and its outcome. */
export const PipelineGridRowSchema = z.object({
  input: z.array(z.string()).describe('Empty unless the contacts came from a spreadsheet.'),
  contact: PipelineContactSchema,
});
/** Answer of GET /app/v1/pipelines/{id}/rows. */
export const PipelineGridPageSchema = z.object({
  headers: z.array(z.string()),
  count: z.int(),
  offset: z.int(),
  rows: z.array(PipelineGridRowSchema),
});
export type PipelineGridPage = z.infer<typeof PipelineGridPageSchema>;

/** Body of POST /app/v1/pipelines/{id}/export. */
export const PipelineExportSchema = ExportRequestSchema;
