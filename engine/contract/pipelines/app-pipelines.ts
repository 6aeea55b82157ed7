/** Pipelines of the app: of people found by a search, or of a spreadsheet, at /app/v1/pipelines. */
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { UuidSchema } from '../ids.ts';
import { ExportRequestSchema } from '../jobs/app-jobs.ts';
import { ColumnMappingSchema } from '../uploads.ts';
import { NewPipelineSchema, PipelineContactSchema } from './pipeline.ts';

const { filters, title, unlock, verify_emails } = NewPipelineSchema.shape;

const about = {
  filters,
  upload_id: UuidSchema.optional(),
  mapping: ColumnMappingSchema.optional(),
  unlock,
  verify_emails,
};
interface About {
  readonly filters?: unknown;
  readonly upload_id?: string | undefined;
  readonly unlock: readonly string[];
  readonly verify_emails: boolean;
}

function checkAbout(body: About, context: z.core.$RefinementCtx<About>): void {
  if ((body.filters === undefined) === (body.upload_id === undefined))
    context.addIssue({ code: 'custom', message: 'Name either filters or upload_id' });
  if (body.verify_emails && !body.unlock.includes('email'))
    context.addIssue({
      code: 'custom',
      message: 'emails are verified that are unlocked: add "email" to unlock',
      path: ['verify_emails'],
    });
}

/** Body of POST /app/v1/pipelines. A repeat under the same Idempotency-Key starts nothing more. */
export const NewAppPipelineSchema = z.strictObject({ title, ...about }).superRefine(checkAbout);
export type NewAppPipeline = z.output<typeof NewAppPipelineSchema>;
/** Body of POST /app/v1/pipelines/estimate: the same without a title. */
export const PipelineQuestionSchema = z.strictObject(about).superRefine(checkAbout);

/** What a contact costs at most. */
export const pipelinePriceCodes = ['email', 'phone', 'email_validation'] as const;

/** Answer of POST /app/v1/pipelines/estimate. Nothing is charged, held or kept for it. */
export const PipelineEstimateSchema = z.object({
  contacts: z.int().describe('Whom the pipeline would be about.'),
  credits_most: CreditsSchema.describe('If everything is found of everybody, and owned of nobody.'),
  available_credits: CreditsSchema,
  sufficient: z.boolean().describe('Whether credits_most are available.'),
  breakdown: z.array(
    z.object({ code: z.enum(pipelinePriceCodes), price: CreditsSchema, subtotal: CreditsSchema }),
  ),
  preview: z.object({
    sampled: z.int().describe('Contacts looked up in the directory, spread over the list.'),
    matched: z.int(),
    with_email: z.int(),
    with_phone: z.int(),
    owned_values: z.int().describe('Emails and phones that the account has paid for before.'),
    expected_credits: CreditsSchema.describe('Of the whole list, if all is like the sample.'),
  }),
});
export type PipelineEstimate = z.infer<typeof PipelineEstimateSchema>;
/** Of a sample, what the directory knows. */
export type PipelinePreview = PipelineEstimate['preview'];

/** One contact of a completed pipeline: what was given beside what became of it. */
export const PipelineGridRowSchema = z.object({
  input: z.array(z.string()).describe('Empty where the contacts were no spreadsheet.'),
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
export const PipelineExportSchema = ExportRequestSchema.omit({ status: true });
