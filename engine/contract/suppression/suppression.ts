// The suppression list: who and what must never be used or shown (/app/v1/suppression).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import {
  suppressionAddedMax,
  suppressionPage,
  suppressionReasonCharactersMax,
  suppressionValueCharactersMax,
} from '../limits/privacy/suppression.ts';
import type { Reading } from '../reading/reading.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';

export const suppressionKinds = [
  'person',
  'email',
  'domain',
  'company',
  'phone',
  'profile_url',
] as const;
export type SuppressionKind = (typeof suppressionKinds)[number];

/** Where an entry comes from; `refusal`: a data service refused the person for legal reasons. */
export const suppressionSources = ['app', 'csv', 'command_line', 'refusal'] as const;
export type SuppressionSource = (typeof suppressionSources)[number];

const KindSchema = z.enum(suppressionKinds);
const ReasonSchema = z.string().trim().max(suppressionReasonCharactersMax).default('');

export const SuppressionEntrySchema = z.object({
  id: z.int(),
  kind: KindSchema,
  value: z.string(),
  reason: z.string(),
  source: z.enum(suppressionSources),
  /** The account in whose name it was added, or the service that refused. */
  author: z.string(),
  added_at: TimestampSchema,
  /** The job whose request the service refused; null of other entries, and of other work. */
  job_id: UuidSchema.nullable(),
});
export type SuppressionEntry = z.infer<typeof SuppressionEntrySchema>;

/** Query of GET /app/v1/suppression. `before`: the `next` of the page before. */
export const SuppressionQuerySchema = z.object({
  search: z.string().trim().max(suppressionValueCharactersMax).default(''),
  kind: KindSchema.optional(),
  before: wholeNumberText(1).optional(),
  limit: limitText(suppressionPage.byDefault, suppressionPage.max),
});
export type SuppressionQuery = z.infer<typeof SuppressionQuerySchema>;

export const SuppressionPageSchema = z.object({
  entries: z.array(SuppressionEntrySchema),
  total: z.int(),
  /** Null on the last page. */
  next: z.int().nullable(),
});

const GivenValueSchema = z.strictObject({
  /** By default recognised from the value; required for companies and for people by name. */
  kind: KindSchema.optional(),
  value: z.string().max(suppressionValueCharactersMax),
});
export type GivenValue = z.infer<typeof GivenValueSchema>;

export const SuppressionAdditionSchema = z.strictObject({
  values: z.array(GivenValueSchema).min(1).max(suppressionAddedMax),
  reason: ReasonSchema,
});

/** Body of POST /app/v1/suppression-imports: an upload, which the import removes. */
export const SuppressionImportSchema = z.strictObject({
  upload_id: UuidSchema.toLowerCase(),
  /** Of values without a recognised column and that cannot be recognised by themselves. */
  kind: KindSchema.optional(),
  reason: ReasonSchema,
});

const UnreadableSchema = z.object({
  /** The line of a file, from 1; the position in the request, from 1. */
  line: z.int(),
  what: z.string(),
});

/** How many people and companies of the directory are hidden, before a change and after it. */
const HiddenSchema = z.object({
  people: z.int(),
  people_before: z.int(),
  companies: z.int(),
  companies_before: z.int(),
});
type Hidden = z.infer<typeof HiddenSchema>;

export const describeHidden = (hidden: Hidden, format: (count: number) => string): string =>
  `Hidden people in the directory: ${format(hidden.people)} ` +
  `(${format(hidden.people_before)} before), ` +
  `companies: ${format(hidden.companies)} (${format(hidden.companies_before)} before).`;

export const SuppressionReportSchema = HiddenSchema.extend({
  added: z.int(),
  /** Values that were in the list before. */
  known: z.int(),
  unreadable: z.int(),
  remarks: z.array(UnreadableSchema),
});
export type SuppressionReport = z.infer<typeof SuppressionReportSchema>;

/** Ids of entries, or the job whose refusals made them. */
export const SuppressionRemovalSchema = z
  .strictObject({
    ids: z.array(z.int().min(1)).min(1).max(suppressionAddedMax).optional(),
    job_id: UuidSchema.optional(),
  })
  .refine(({ ids, job_id: job }) => (ids === undefined) !== (job === undefined), {
    error: 'send either ids or job_id',
  });

export const SuppressionRemovedSchema = HiddenSchema.extend({ removed: z.int() });

export const SuppressionCheckSchema = z.strictObject({
  values: z.array(GivenValueSchema).min(1).max(suppressionAddedMax),
});

export const SuppressionVerdictsSchema = z.array(
  z.object({
    value: z.string(),
    suppressed: z.boolean(),
    entries: z.array(SuppressionEntrySchema),
  }),
);

/** Totals may be companies, a line may have several values, and remarks name the lines. */
export const suppressionReading = {
  header: 'auto',
  other_lines: 'keep',
  extra_cells: 'keep',
  origin: 'columns',
} as const satisfies Partial<Reading>;

export const suppression = endpoints('suppression', {
  list: {
    app: 'GET /app/v1/suppression',
    query: SuppressionQuerySchema,
    answer: SuppressionPageSchema,
  },
  add: {
    app: 'POST /app/v1/suppression',
    body: SuppressionAdditionSchema,
    answer: SuppressionReportSchema,
  },
  addOptOuts: { app: 'POST /app/v1/suppression-opt-outs', answer: SuppressionReportSchema },
  importList: {
    app: 'POST /app/v1/suppression-imports',
    body: SuppressionImportSchema,
    answer: SuppressionReportSchema,
  },
  remove: {
    app: 'POST /app/v1/suppression-removals',
    body: SuppressionRemovalSchema,
    answer: SuppressionRemovedSchema,
  },
  check: {
    app: 'POST /app/v1/suppression-checks',
    isRepeatable: true,
    body: SuppressionCheckSchema,
    answer: SuppressionVerdictsSchema,
  },
});
