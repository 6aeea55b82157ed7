// The tools that enrich a list: arguments, answers, definitions (docs/api.md, "Tools").
import { z } from 'zod';
import { CreditsSchema, showCredits } from '../../credits.ts';
import { TimestampSchema, UuidSchema } from '../../ids.ts';
import { jobStatuses, ResultRowSchema, rowStatuses } from '../../jobs/job.ts';
import { layerCodes, layers } from '../../jobs/layers.ts';
import { type RowInputField, rowInputFields } from '../../jobs/row-input.ts';
import {
  listPathCharactersMax,
  toolListRowsMax,
  toolResultRowsDefault,
  toolResultRowsMax,
  toolTextCharactersMax,
} from '../../limits/assistants.ts';
import { titleCharactersMax } from '../../limits/jobs.ts';
import { defaultUnitsOf } from '../../rates.ts';
import { payingOptions } from './paying.ts';
import { freeHints, payingHints, type ToolDefinitions } from './tool-definition.ts';

const everyField = <Schema extends z.ZodType>(schema: Schema) =>
  z.strictObject(
    Object.fromEntries(rowInputFields.map((field) => [field, schema])) as Record<
      RowInputField,
      Schema
    >,
  );
const ListRowSchema = everyField(z.string().max(toolTextCharactersMax).nullable().optional());
const HeadersSchema = everyField(z.string().min(1).max(toolTextCharactersMax).exactOptional());
const gists = layers.map(({ code, gist }) => `${code} ${gist}`).join(', ');
const rowsProblem = `send from 1 to ${toolListRowsMax} rows`;

export const EnrichListSchema = z
  .strictObject({
    rows: z
      .array(ListRowSchema)
      .min(1, rowsProblem)
      .max(toolListRowsMax, rowsProblem)
      .optional()
      .describe('Contacts, each with an email, a profile_url, or names with a company.'),
    path: z
      .string()
      .min(1)
      .max(listPathCharactersMax)
      .optional()
      .describe(
        'Instead of rows: a CSV or .xlsx file up to 100 MB on the machine that runs the app, ' +
          'absolute or starting with ~/. It must be in a folder that the user has allowed, in ' +
          'Connections or with: desk assistants folders add DIR.',
      ),
    mapping: HeadersSchema.optional().describe(
      'Only with a path whose headers are not recognised: field → header. ' +
        'Other fields are not read.',
    ),
    selected_layers: z
      .array(z.enum([...layerCodes, 'full']))
      .min(1)
      .describe(`${gists}; L2 to L4 need those before. ["full"]: all.`),
    title: z.string().max(titleCharactersMax).optional(),
    ...payingOptions,
  })
  .refine(({ rows, path }) => (rows === undefined) !== (path === undefined), {
    error: 'send either rows or a path, and not both',
    path: ['rows'],
  })
  .refine(({ path, mapping }) => path !== undefined || mapping === undefined, {
    error: 'send a mapping only with a path; rows already have field names',
    path: ['mapping'],
  });
export type EnrichList = z.infer<typeof EnrichListSchema>;

export const StartedListSchema = z.object({
  job_id: UuidSchema.optional().describe('Pass it to check_enrich_list.'),
  status: z.enum([...jobStatuses, 'not_started']),
  total_rows: z.int(),
  price_per_row: CreditsSchema,
  credits_held: CreditsSchema.describe(
    'Reserved. Only enriched rows are charged, when the job ends.',
  ),
  credits_charged: CreditsSchema,
  credits_at_most: CreditsSchema.optional().describe('Dry run only: the most the list would cost.'),
  credits_expected: CreditsSchema.optional(),
  has_team: z.literal(true).optional().describe('The directory of a team may answer more.'),
  dry_run: z.literal(true).optional(),
  note: z.string().optional(),
});

export const CheckListSchema = z.strictObject({
  job_id: UuidSchema.toLowerCase().describe('The job_id from enrich_list.'),
  status: z.enum(rowStatuses).optional().describe('Only rows of this status.'),
  limit: z.int().min(1).max(toolResultRowsMax).default(toolResultRowsDefault),
  offset: z.int().min(0).default(0),
});

export const CheckedListSchema = z.object({
  job_id: UuidSchema,
  title: z.string(),
  status: z.enum(jobStatuses),
  ready: z.boolean().describe('Whether the job has ended.'),
  total_rows: z.int(),
  processed_rows: z.int(),
  enriched_rows: z.int(),
  skipped_rows: z.int(),
  failed_rows: z.int(),
  credits_held: CreditsSchema,
  credits_charged: CreditsSchema.describe('0 until the job ends.'),
  error_detail: z.string().nullable(),
  completed_at: TimestampSchema.nullable(),
  results: z
    .array(
      ResultRowSchema.pick({
        row_index: true,
        client_reference_id: true,
        status: true,
        reason: true,
        enriched_fields: true,
        confidence: true,
        credits_charged: true,
      }).extend({
        inferred_email: z.string().describe('A guess with its probability, or empty.'),
      }),
    )
    .describe('A page of rows; empty until the job completes.'),
  next_offset: z.int().nullable().describe('The offset of the next page; null at the end.'),
});

const prices = layerCodes.map((code) => `${code} ${showCredits(defaultUnitsOf[code])}`).join(', ');

export const listTools = {
  enrich_list: {
    title: 'Enrich a list',
    description:
      'Starts a job that enriches a list and returns a job_id at once. The list is up to 1,000 ' +
      'rows, or the path of a CSV or .xlsx file. Costs the ' +
      `account’s price per enriched row for the selected layers (${prices} credits unless ` +
      'changed). The price of all rows is held until the job ends. Rows that are not enriched ' +
      'are free. Two identical calls start two jobs unless they share an idempotency_key. ' +
      'Then call check_enrich_list. dry_run returns the price.',
    input: EnrichListSchema,
    output: StartedListSchema,
    ...payingHints,
    isIdempotent: false,
  },
  check_enrich_list: {
    title: 'Check a list',
    description: 'Returns the progress of the job, then its rows. Free.',
    input: CheckListSchema,
    output: CheckedListSchema,
    ...freeHints,
  },
} as const satisfies ToolDefinitions;
