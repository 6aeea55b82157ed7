// Pipelines over HTTP: contacts, status, outcomes (docs/api.md, "Pipelines").
import { z } from 'zod';
import { omissionReasons } from '../assistants/tools/paying.ts';
import { CreditsSchema } from '../credits.ts';
import { requestErrorCodes } from '../errors.ts';
import { completedAtExample, personIdExample, rowsExample, startedAtExample } from '../examples.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { emailStatuses, matchReasons } from '../jobs/job.ts';
import { RowSchema } from '../jobs/submission.ts';
import { searchLimitDefault } from '../limits/directory.ts';
import { jsonRowsMax, titleCharactersMax } from '../limits/jobs.ts';
import { pipelineContactsMax } from '../limits/pipelines.ts';
import type { OwnedKind } from '../lookup.ts';
import { ContactFiltersSchema, searchedDirectories } from '../search.ts';
import { validationReasons } from '../validations.ts';

/** States of a pipeline: queued → running → completed | failed; both → cancelled. */
export const pipelineStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type PipelineStatus = (typeof pipelineStatuses)[number];
/** Values that a pipeline can unlock, in the order in which credits are spent on a contact. */
export const pipelineKinds = ['email', 'phone'] as const satisfies readonly OwnedKind[];
export type PipelineKind = (typeof pipelineKinds)[number];

export const contactsProblem = `send from 1 to ${jsonRowsMax} row inputs`;
export const uuidsProblem = `send from 1 to ${pipelineContactsMax} UUIDs of contacts`;
const unlockProblem = 'send an array of "email", "phone" or both';
const sources = ['filters', 'uuids', 'contacts'] as const;

/** Unknown fields are refused, because ignoring one could make the pipeline cost more. */
export const NewPipelineSchema = z
  .strictObject({
    title: z
      .string('send a string')
      .max(titleCharactersMax, `at most ${titleCharactersMax} characters`)
      .nullish(),
    filters: ContactFiltersSchema.extend({
      limit: z
        .int()
        .min(1)
        .max(pipelineContactsMax)
        .default(searchLimitDefault)
        .describe('Maximum number of contacts: the first results of the search.'),
      directory: z
        .enum(searchedDirectories)
        .optional()
        .describe('Whose people: those of your own directory (default), or of the team’s.'),
    })
      .optional()
      .describe('Select the people that search_contacts finds with these filters.'),
    uuids: z
      .array(z.guid().toLowerCase(), uuidsProblem)
      .min(1, uuidsProblem)
      .max(pipelineContactsMax, uuidsProblem)
      .optional()
      .describe('UUIDs of contacts, from search_contacts. Duplicates count once.'),
    contacts: z
      .array(RowSchema, contactsProblem)
      .min(1, contactsProblem)
      .max(jsonRowsMax, contactsProblem)
      .optional()
      .describe('Row inputs, matched like the rows of a data enrichment job.'),
    unlock: z
      .array(z.enum(pipelineKinds, unlockProblem), unlockProblem)
      .min(1, unlockProblem)
      .max(pipelineKinds.length, unlockProblem)
      .describe('What to unlock of each contact. The email of a contact is paid for first.'),
    verify_emails: z
      .boolean()
      .default(false)
      .describe('Whether to validate the unlocked emails too.'),
  })
  .superRefine((body, context) => {
    const present = sources.filter((source) => body[source] !== undefined);
    if (present.length !== 1)
      context.addIssue({
        code: 'custom',
        message: 'Send exactly one of filters, uuids and contacts',
        path: present.slice(1, 2),
      });
    if (body.verify_emails && !body.unlock.includes('email'))
      context.addIssue({
        code: 'custom',
        message: 'only unlocked emails can be verified: add "email" to unlock',
        path: ['verify_emails'],
      });
  })
  .meta({
    id: 'NewPipeline',
    examples: [
      { title: 'Spring list', contacts: rowsExample, unlock: ['email'], verify_emails: true },
    ],
  });
export type NewPipeline = z.output<typeof NewPipelineSchema>;

const pipelineIdExample = '5d0f4a0e-6a55-4b69-9f5e-0c1f9a5d7e21';
const PipelineIdSchema = UuidSchema.meta({ examples: [pipelineIdExample] });

export const StartedPipelineSchema = z
  .object({ pipeline_id: PipelineIdSchema, status: z.enum(pipelineStatuses) })
  .meta({
    id: 'StartedPipeline',
    examples: [{ pipeline_id: pipelineIdExample, status: 'queued' }],
  });
export type StartedPipeline = z.infer<typeof StartedPipelineSchema>;

export const CancelledPipelineSchema = z
  .object({
    pipeline_id: PipelineIdSchema,
    status: z.literal('cancelled'),
    credits_charged: CreditsSchema.describe(
      'Cost of what was unlocked and verified; the values stay owned.',
    ),
    credits_released: CreditsSchema,
  })
  .meta({
    id: 'CancelledPipeline',
    examples: [
      {
        pipeline_id: pipelineIdExample,
        status: 'cancelled',
        credits_charged: '6.0000',
        credits_released: '0.0000',
      },
    ],
  });
export type CancelledPipeline = z.infer<typeof CancelledPipelineSchema>;

const pipelineExample = {
  pipeline_id: pipelineIdExample,
  title: 'Spring list',
  status: 'completed' as const,
  ready: true,
  total: 2,
  matched: 1,
  unlocked: 1,
  locked: 0,
  verified: 1,
  credits_held: '1.1000',
  credits_charged: '1.1000',
  credits_released: '0.0000',
  error: null,
  error_detail: null,
  created_at: startedAtExample,
  started_at: startedAtExample,
  completed_at: completedAtExample,
};

export const PipelineSchema = z
  .object({
    pipeline_id: PipelineIdSchema,
    title: z.string(),
    status: z.enum(pipelineStatuses),
    ready: z.boolean().describe('Whether the pipeline has ended.'),
    total: z.int().describe('Number of contacts.'),
    matched: z.int().describe('Contacts that were identified.'),
    unlocked: z.int().describe('Contacts with at least one unlocked value.'),
    locked: z.int().describe('Contacts with a known value that the credits did not cover.'),
    verified: z.int().describe('Emails that were validated with a decided status.'),
    credits_held: CreditsSchema.describe(
      'Reserved after all contacts were looked up: the price of known values that are not ' +
        'owned yet, up to the available credits.',
    ),
    credits_charged: CreditsSchema.describe(
      'Cost of what was unlocked and verified; settled at the end.',
    ),
    credits_released: CreditsSchema.describe('The part of the hold that was released at the end.'),
    error: z.enum(requestErrorCodes).nullable(),
    error_detail: z.string().nullable().describe('Why the pipeline failed.'),
    created_at: TimestampSchema,
    started_at: TimestampSchema.nullable(),
    completed_at: TimestampSchema.nullable(),
  })
  .meta({ id: 'Pipeline', examples: [pipelineExample] });
export type Pipeline = z.infer<typeof PipelineSchema>;

export const pipelineContactStatuses = ['unlocked', 'locked', 'not_found', 'failed'] as const;
/** Why a value of a contact is not shown; '' if all are. */
export const pipelineReasons = [...matchReasons, 'no_value', ...omissionReasons] as const;
export type PipelineReason = (typeof pipelineReasons)[number];

const contactExample = {
  row_index: 0,
  uuid: personIdExample,
  client_reference_id: 'CRM-7',
  status: 'unlocked' as const,
  reason: '' as const,
  error_message: '',
  first_name: 'Ada',
  last_name: 'Lovelace',
  title: 'Chief Engineer',
  company_name: 'Analytical Engines',
  email: 'ada@engines.example',
  email_status: 'valid' as const,
  phone: null,
  locked: [],
  credits_charged: '1.1000',
  verification: { status: 'valid' as const, reason: 'verified_by_source' as const },
};

export const PipelineContactSchema = z
  .object({
    row_index: z.int().describe('Position in the request, or in the search results.'),
    uuid: z.string().describe('Empty if no person matched.'),
    client_reference_id: z.string(),
    status: z
      .enum(pipelineContactStatuses)
      .describe('`unlocked`: at least one value is shown. `locked`: the credits covered no value.'),
    reason: z.enum(pipelineReasons).describe('Why a value is not shown; empty if all are.'),
    error_message: z.string().describe('Empty unless the contact failed.'),
    first_name: z.string(),
    last_name: z.string(),
    title: z.string().nullable(),
    company_name: z.string().nullable(),
    email: z.string().nullable(),
    email_status: z.enum(emailStatuses).nullable().describe('The status reported by the source.'),
    phone: z.string().nullable().describe('E.164; a suffix “ x12” is an extension.'),
    locked: z.array(z.enum(pipelineKinds)).describe('Known values that the credits did not cover.'),
    verification: z
      .object({
        status: z.enum(emailStatuses),
        reason: z.enum(Object.keys(validationReasons) as [keyof typeof validationReasons]),
      })
      .nullable()
      .describe('Result of the email validation; null if it was not validated.'),
    credits_charged: CreditsSchema,
  })
  .meta({ id: 'PipelineContact', examples: [contactExample] });
export type PipelineContact = z.infer<typeof PipelineContactSchema>;

const links = { count: z.int(), next: z.string().nullable(), previous: z.string().nullable() };
const linksExample = { count: 1, next: null, previous: null };

/** Data of GET /pipeline/: newest first. */
export const PipelinePageSchema = z
  .object({ ...links, results: z.array(PipelineSchema) })
  .meta({ id: 'PipelinePage', examples: [{ ...linksExample, results: [pipelineExample] }] });
/** Data of GET /pipeline/{id}/result/: the contacts in order. */
export const PipelineResultSchema = z
  .object({
    pipeline_id: PipelineIdSchema,
    status: z.enum(pipelineStatuses),
    ...links,
    results: z.array(PipelineContactSchema),
  })
  .meta({
    id: 'PipelineResult',
    examples: [
      {
        pipeline_id: pipelineIdExample,
        status: 'completed',
        ...linksExample,
        results: [contactExample],
      },
    ],
  });
