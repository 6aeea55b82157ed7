// Records of the directory that are probably the same, and their merges (/app/v1/duplicates).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema } from '../ids.ts';
import { WaitQuerySchema } from '../imports.ts';
import { duplicatePage } from '../limits/duplicates.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';

export const duplicateKinds = ['person', 'company'] as const;
export type DuplicateKind = (typeof duplicateKinds)[number];

/** A probability → its words. */
export const likelihoodWords = {
  almost_certain: 'almost certain',
  very_likely: 'very likely',
  likely: 'likely',
} as const;
export type DuplicateLikelihood = keyof typeof likelihoodWords;

export const likelihoodOf = (probability: number): DuplicateLikelihood => {
  if (probability >= 0.97) return 'almost_certain';
  return probability >= 0.9 ? 'very_likely' : 'likely';
};

const RecordSchema = z.object({
  /** The UUID of the person or company. */
  id: z.string(),
  name: z.string(),
  detail: z.string(),
});

export const DuplicateSchema = z.object({
  id: z.int(),
  kind: z.enum(duplicateKinds),
  status: z.enum(['open', 'dismissed']),
  /** 0 to 1. */
  probability: z.number(),
  likelihood: z.enum(Object.keys(likelihoodWords) as [DuplicateLikelihood]),
  records: z.tuple([RecordSchema, RecordSchema]),
  /** Fields with equal values, and with different ones. */
  agrees: z.array(z.string()),
  differs: z.array(z.string()),
});
export type Duplicate = z.infer<typeof DuplicateSchema>;

/** The last search. `stopped`: the next search continues it. */
export const DuplicateSearchSchema = z.object({
  status: z.enum(['never', 'running', 'stopped', 'completed']),
  compared: z.int(),
  /** Blocks that were skipped because they were too large. */
  blocks_skipped: z.int(),
  is_outdated: z.boolean(),
  ended_at: TimestampSchema.nullable(),
});
export type DuplicateSearch = z.infer<typeof DuplicateSearchSchema>;

export const DuplicatesQuerySchema = z.object({
  kind: z.enum(duplicateKinds).default('person'),
  status: z.enum(['open', 'dismissed']).default('open'),
  offset: wholeNumberText(0).default(0),
  limit: limitText(duplicatePage.byDefault, duplicatePage.max),
});
export type DuplicatesQuery = z.infer<typeof DuplicatesQuerySchema>;

export const DuplicatesPageSchema = z.object({
  duplicates: z.array(DuplicateSchema),
  total: z.int(),
  search: DuplicateSearchSchema,
});
export type DuplicatesPage = z.infer<typeof DuplicatesPageSchema>;

/** Why the survivor has a value → its words. */
export const mergeReasonWords = {
  same: 'the same',
  only: 'the only value',
  newer: 'newer',
  trusted: 'more trusted',
  later_import: 'later import',
  kept_record: 'of the kept record',
  same_place: 'goes with the city',
  chosen: 'your choice',
  all_kept: 'all kept',
} as const;
export type MergeReason = keyof typeof mergeReasonWords;

const FieldValueSchema = z.object({
  value: z.string(),
  /** The source that decides the value, the day of its observation, and the trust in it. */
  source: z.string(),
  observed_on: z.string(),
  trust: z.number(),
  witnesses: z.int(),
});
export type DuplicateFieldValue = z.infer<typeof FieldValueSchema>;

const FieldSchema = z.object({
  /** A column of the record, or `job_title` and `job_email` of a job that both have. */
  field: z.string(),
  label: z.string(),
  verdict: z.enum(['agrees', 'differs', 'one_side']),
  /** In the order of `records`. */
  values: z.tuple([FieldValueSchema.nullable(), FieldValueSchema.nullable()]),
  /** Whose value the survivor would have; null if it has both. */
  winner: z.union([z.literal(0), z.literal(1)]).nullable(),
  reason: z.enum(Object.keys(mergeReasonWords) as [MergeReason]),
});
export type DuplicateField = z.infer<typeof FieldSchema>;

export const DuplicateDetailSchema = DuplicateSchema.extend({
  /** The first of `records` is the one that a merge keeps. */
  fields: z.array(FieldSchema),
});
export type DuplicateDetail = z.infer<typeof DuplicateDetailSchema>;

/** Fields whose value a person chooses, and the UUID of the record it is from. */
const ChoicesSchema = z.record(z.string().max(40), z.string().max(100)).default({});

export const MergePairSchema = z.strictObject({
  /** UUID of the record that is kept; by default the one with more values. */
  survivor: z.string().max(100).optional(),
  choices: ChoicesSchema,
});

/** Body of POST /app/v1/duplicate-merges: two records that a person names. */
export const MergeByHandSchema = z.strictObject({
  kind: z.enum(duplicateKinds).default('person'),
  survivor: z.string().max(100),
  other: z.string().max(100),
  choices: ChoicesSchema,
  /** Required for two companies of different legal forms or countries. */
  across_legal_forms: z.boolean().default(false),
});

export const RecordMergeSchema = z.object({
  id: z.int(),
  kind: z.enum(duplicateKinds),
  survivor: z.object({ id: z.string(), name: z.string() }),
  other: z.object({ id: z.string(), name: z.string() }),
  merged_at: TimestampSchema,
  merged_by: z.string(),
  undone_at: TimestampSchema.nullable(),
  undone_by: z.string().nullable(),
});
export type RecordMerge = z.infer<typeof RecordMergeSchema>;

/** Query of GET /app/v1/duplicate-merges. `before`: the `next` of the page before. */
export const MergesQuerySchema = z.object({
  before: wholeNumberText(1).optional(),
  limit: limitText(duplicatePage.byDefault, duplicatePage.max),
});

export const MergesPageSchema = z.object({
  merges: z.array(RecordMergeSchema),
  /** Null on the last page. */
  next: z.int().nullable(),
});
export type MergesPage = z.infer<typeof MergesPageSchema>;

const ParamsSchema = z.object({ id: wholeNumberText(1) });
export const DuplicateDetailQuerySchema = z.object({ survivor: z.string().max(100).optional() });
export const SearchDuplicatesSchema = z.strictObject({
  restart: z.boolean().default(false),
});

export const duplicates = endpoints('duplicates', {
  search: {
    app: 'POST /app/v1/duplicate-searches',
    isRepeatable: true,
    query: WaitQuerySchema,
    body: SearchDuplicatesSchema,
    answer: DuplicateSearchSchema,
    statuses: [202, 200],
  },
  stopSearch: { app: 'POST /app/v1/duplicate-searches/stop', answer: DuplicateSearchSchema },
  list: {
    app: 'GET /app/v1/duplicates',
    query: DuplicatesQuerySchema,
    answer: DuplicatesPageSchema,
  },
  read: {
    app: 'GET /app/v1/duplicates/:id',
    params: ParamsSchema,
    query: DuplicateDetailQuerySchema,
    answer: DuplicateDetailSchema,
  },
  merge: {
    app: 'POST /app/v1/duplicates/:id/merge',
    params: ParamsSchema,
    body: MergePairSchema,
    answer: RecordMergeSchema,
  },
  dismiss: {
    app: 'POST /app/v1/duplicates/:id/dismiss',
    params: ParamsSchema,
    answer: DuplicateDetailSchema,
  },
  reopen: {
    app: 'POST /app/v1/duplicates/:id/reopen',
    params: ParamsSchema,
    answer: DuplicateDetailSchema,
  },
  merges: {
    app: 'GET /app/v1/duplicate-merges',
    query: MergesQuerySchema,
    answer: MergesPageSchema,
  },
  mergeByHand: {
    app: 'POST /app/v1/duplicate-merges',
    body: MergeByHandSchema,
    answer: RecordMergeSchema,
  },
  undoMerge: {
    app: 'POST /app/v1/duplicate-merges/:id/undo',
    params: ParamsSchema,
    answer: RecordMergeSchema,
  },
});
