// The tools after the enrichment of a list: finding its job, review, saving (docs/api.md, "Tools").
import { z } from 'zod';
import { CreditsSchema } from '../../credits.ts';
import { crmNames } from '../../exports/crm-export.ts';
import { exportFormats } from '../../exports/export-formats.ts';
import { TimestampSchema, UuidSchema } from '../../ids.ts';
import { CandidateSchema, jobStatuses, reasons } from '../../jobs/job.ts';
import { EvidenceSchema, PickSchema, PicksAppliedSchema } from '../../jobs/review.ts';
import {
  listPathCharactersMax,
  toolResultRowsDefault,
  toolResultRowsMax,
  toolTextCharactersMax,
} from '../../limits/assistants.ts';
import { reviewPicksMax } from '../../limits/jobs.ts';
import { freeHints, payingHints, type ToolDefinitions } from './tool-definition.ts';

const jobId = UuidSchema.toLowerCase();
const limit = z.int().min(1).max(toolResultRowsMax).default(toolResultRowsDefault);

export const ListJobsSchema = z.strictObject({
  search: z
    .string()
    .max(toolTextCharactersMax)
    .default('')
    .describe('Text in the title or the file name.'),
  limit,
  before: z.int().min(1).optional().describe('`next` of the page before.'),
});

export const ListedJobsSchema = z.object({
  jobs: z.array(
    z.object({
      job_id: z.string(),
      title: z.string(),
      file_name: z.string().nullable(),
      status: z.enum(jobStatuses),
      total_rows: z.int(),
      enriched_rows: z.int(),
      created_at: TimestampSchema,
    }),
  ),
  next: z.int().nullable(),
});

export const ReviewListSchema = z.strictObject({
  job_id: jobId,
  limit,
  after: z.int().min(0).optional().describe('`next_after` of the page before.'),
});

export const ReviewedListSchema = z.object({
  waiting: z.int(),
  price_per_row: CreditsSchema.describe('The most that a row costs for which you choose a person.'),
  rows: z.array(
    z.object({
      row_index: z.int(),
      reason: z.enum(reasons),
      candidates: z.array(
        CandidateSchema.extend({
          evidence: z
            .array(EvidenceSchema)
            .describe('`given` is empty if the list came from a file.'),
        }),
      ),
    }),
  ),
  next_after: z.int().nullable(),
});

export const DecideReviewSchema = z.strictObject({
  job_id: jobId,
  picks: z
    .array(PickSchema)
    .min(1)
    .max(reviewPicksMax)
    .describe('A candidate’s upstream_contact_uuid, null for none of them, or undo.'),
});

export const ExportListSchema = z.strictObject({
  job_id: jobId,
  path: z
    .string()
    .min(1)
    .max(listPathCharactersMax)
    .describe(
      'A new file in a folder that the user has allowed, absolute or starting with ~/. It ends ' +
        `in .${exportFormats.join(', .')}.`,
    ),
  crm: z
    .enum(crmNames)
    .optional()
    .describe(
      'Only what this CRM imports, with the ids of its records. Default: all columns of the ' +
        'list, and the found ones.',
    ),
  sources: z.boolean().default(false).describe('Add source, date and confidence of found values.'),
});

export const ExportedListSchema = z.object({
  path: z.string(),
  rows: z.int(),
  outcome: z.string().optional().describe('With crm: how many rows became what.'),
});

export const finishTools = {
  list_jobs: {
    title: 'List jobs',
    description: 'Returns the enrichment jobs of the account, also those of the app. Free.',
    input: ListJobsSchema,
    output: ListedJobsSchema,
    ...freeHints,
  },
  review_list: {
    title: 'Review a list',
    description:
      'Returns rows of a completed job that several people may match, with the evidence for each ' +
      'person. Free. Show the user the rows, then send the decisions with decide_review.',
    input: ReviewListSchema,
    output: ReviewedListSchema,
    ...freeHints,
  },
  decide_review: {
    title: 'Decide a review',
    description:
      'Applies the user’s decisions about rows of review_list, all or none of them. Costs up to ' +
      'price_per_row for each row with a person; none and undo return the charge.',
    input: DecideReviewSchema,
    output: PicksAppliedSchema,
    ...payingHints,
    isOpenWorld: false,
  },
  export_list: {
    title: 'Save a list',
    description: 'Saves the result of a completed job as a new file on the user’s machine. Free.',
    input: ExportListSchema,
    output: ExportedListSchema,
    ...freeHints,
    isReadOnly: false,
    isIdempotent: false,
  },
} as const satisfies ToolDefinitions;
