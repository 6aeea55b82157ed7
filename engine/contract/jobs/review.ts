// Reviews: rows that matching left undecided, and decisions about them (docs/rules.md, "Reviews").
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { jobIdExample } from '../examples.ts';
import { UuidSchema } from '../ids.ts';
import { reviewPageDefault, reviewPageMax, reviewPicksMax } from '../limits/jobs.ts';
import { approvalKey, keyRefusals, resultRefusals } from '../operation-docs.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';
import {
  CandidateSchema,
  DecisionSchema,
  JobParamsSchema,
  matchFields,
  type Reason,
  reasons,
} from './job.ts';
import { rowInputFields } from './row-input.ts';

/** Reasons of rows whose candidates are all less likely than the account's threshold. */
export const unlikelyReasons: readonly Reason[] = ['no_match', 'too_little_data'];

export const verdicts = ['same', 'similar', 'different', 'other_kind', 'not_given'] as const;
/**
 * How a value of the row compares with the candidate's; `not_given` if the row has none. A value of
 * `other_kind` is no difference: an email of another domain or of an office, or a page of another
 * site than each known one.
 */
export type Verdict = (typeof verdicts)[number];

/** Evidence of one field of the row for or against a candidate. */
export const EvidenceSchema = z
  .object({
    field: z.enum(matchFields),
    given: z
      .string()
      .describe('The value of the row; empty if `not_given`, which the app alone shows.'),
    known: z.string().describe('The value of the directory; empty for emails and phones.'),
    verdict: z.enum(verdicts),
  })
  .meta({ id: 'Evidence' });
export type Evidence = z.infer<typeof EvidenceSchema>;

export const ReviewCandidateSchema = CandidateSchema.extend({
  evidence: z.array(EvidenceSchema),
}).meta({ id: 'ReviewCandidate' });

export const PickedSchema = DecisionSchema.extend({
  contact_uuid: z.string().nullable().describe('Null: none of the candidates.'),
  credits_charged: CreditsSchema,
}).meta({ id: 'Picked' });
export type Picked = z.infer<typeof PickedSchema>;

export const ReviewRowSchema = z
  .object({
    row_index: z.int(),
    reason: z.enum(reasons),
    input: z.partialRecord(z.enum(rowInputFields), z.string()),
    candidates: z.array(ReviewCandidateSchema),
    pick: PickedSchema.nullable(),
  })
  .meta({ id: 'ReviewRow' });
export type ReviewRow = z.infer<typeof ReviewRowSchema>;

/** Query of GET /review/{job_id}/. Pages are by row, so that decisions move no other row. */
const ReviewQuerySchema = z.object({
  status: z.enum(['waiting', 'decided']).default('waiting'),
  after: wholeNumberText(0).optional().describe('Only rows behind the one of this row_index.'),
  limit: limitText(reviewPageDefault, reviewPageMax),
});
export type ReviewQuery = z.infer<typeof ReviewQuerySchema>;

const ReviewPageSchema = z
  .object({
    job_id: UuidSchema,
    waiting: z.int().describe('Rows that wait for a decision.'),
    waiting_reasons: z
      .partialRecord(z.enum(reasons), z.int())
      .describe('The rows that wait, by their reason: the sum is `waiting`.'),
    decided: z.int(),
    next: z.string().nullable(),
    results: z.array(ReviewRowSchema),
  })
  .meta({ id: 'ReviewPage' });
export type ReviewPage = z.infer<typeof ReviewPageSchema>;

/** One decision: a candidate, none of them (null), or undo. */
export const PickSchema = z
  .union([
    z.strictObject({ row_index: z.int().min(0), contact_uuid: z.string().min(1).nullable() }),
    z.strictObject({ row_index: z.int().min(0), undo: z.literal(true) }),
  ])
  .meta({ id: 'Pick' });
export type Pick = z.infer<typeof PickSchema>;

const PicksSchema = z.strictObject({ picks: z.array(PickSchema).min(1).max(reviewPicksMax) }).meta({
  id: 'Picks',
  examples: [
    {
      picks: [
        { row_index: 3, contact_uuid: jobIdExample },
        { row_index: 4, contact_uuid: null },
      ],
    },
  ],
});

export const PicksAppliedSchema = z
  .object({
    applied: z.int().describe('Rows whose decision changed.'),
    credits_charged: CreditsSchema,
    credits_refunded: CreditsSchema,
    remaining: z.int().describe('Rows that still wait for a decision.'),
  })
  .meta({
    id: 'PicksApplied',
    examples: [{ applied: 2, credits_charged: '1.0000', credits_refunded: '0.0000', remaining: 5 }],
  });
export type PicksApplied = z.infer<typeof PicksAppliedSchema>;

export const review = endpoints('review', {
  list: {
    api: 'GET /api/v1/data-enrichment/review/:job_id',
    app: 'GET /app/v1/jobs/:job_id/review',
    params: JobParamsSchema,
    query: ReviewQuerySchema,
    answer: ReviewPageSchema,
    isLong: true,
    docs: {
      id: 'listReview',
      tag: 'Data enrichment',
      summary: 'List the rows that wait for a decision, with candidates and evidence',
      refusals: resultRefusals,
    },
  },
  decide: {
    api: 'POST /api/v1/data-enrichment/review/:job_id',
    app: 'POST /app/v1/jobs/:job_id/review',
    params: JobParamsSchema,
    body: PicksSchema,
    answer: PicksAppliedSchema,
    docs: {
      id: 'decideReview',
      tag: 'Data enrichment',
      summary: 'Choose a candidate for each row, none of them, or undo',
      description:
        'All decisions are applied, or none. A chosen candidate enriches its row, which is ' +
        'charged; choosing none of them and undo return the charge.',
      refusals: [...resultRefusals, 'insufficient_credits', ...keyRefusals],
      headers: approvalKey,
    },
  },
});
