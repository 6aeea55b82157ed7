// After how many days results, logs and copies are deleted (/app/v1/retention and others).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema } from '../ids.ts';
import { retentionDaysMax } from '../limits/privacy/retention.ts';

/**
 * What is deleted after days. A kind of an account has its days per account; a kind of the folder
 * is shared by all accounts of the environment.
 */
export const retentionKinds = {
  jobs: { scope: 'account', label: 'Jobs' },
  pipelines: { scope: 'account', label: 'Emails and phones' },
  validations: { scope: 'account', label: 'Email validations' },
  monitor_jobs: { scope: 'account', label: 'Monitor runs' },
  webhook_deliveries: { scope: 'account', label: 'Webhook deliveries' },
  tool_activity: { scope: 'account', label: 'Tool activity' },
  provider_answers: { scope: 'folder', label: 'Answers of data services' },
  backups: { scope: 'folder', label: 'Backups' },
  uploads: { scope: 'folder', label: 'Uploads without a job' },
} as const satisfies Record<string, { scope: 'account' | 'folder'; label: string }>;
export type RetentionKind = keyof typeof retentionKinds;
export const retentionKindNames = Object.keys(retentionKinds) as [
  RetentionKind,
  ...RetentionKind[],
];

/** Days that the product itself sets: the most that a kind is kept, whatever the setting is. */
export const productDays: Readonly<Partial<Record<RetentionKind, number>>> = {
  webhook_deliveries: 30,
  uploads: 1,
};

/** `fixed`: exactly these days, null forever. `at_most`: the account may choose fewer. */
const RetentionRuleSchema = z.discriminatedUnion('binding', [
  z.strictObject({
    binding: z.literal('fixed'),
    days: z.int().min(1).max(retentionDaysMax).nullable(),
  }),
  z.strictObject({ binding: z.literal('at_most'), days: z.int().min(1).max(retentionDaysMax) }),
]);
export type RetentionRule = z.infer<typeof RetentionRuleSchema>;

/** The rules of an organisation; a kind that is left out is free. */
export const RetentionPolicySchema = z.partialRecord(
  z.enum(retentionKindNames),
  RetentionRuleSchema,
);
export type RetentionPolicy = z.infer<typeof RetentionPolicySchema>;

/** Where the days in force come from. */
export const retentionSources = ['default', 'account', 'organisation', 'product'] as const;
export type RetentionSource = (typeof retentionSources)[number];

const EffectiveDaysSchema = z.object({
  kind: z.enum(retentionKindNames),
  scope: z.enum(['account', 'folder']),
  /** What the account chose; null forever. */
  setting: z.int().nullable(),
  /** What is in force; null forever. */
  days: z.int().nullable(),
  source: z.enum(retentionSources),
  /** The most that may be chosen; null if keeping forever is allowed. */
  days_max: z.int().nullable(),
  /** Whether the account can change it. */
  is_fixed: z.boolean(),
});
export type EffectiveRetention = z.infer<typeof EffectiveDaysSchema>;

const CountsSchema = z.partialRecord(z.enum(retentionKindNames), z.int());

export const RetentionRunSchema = z.object({
  state: z.enum(['idle', 'deleting', 'shrinking']),
  started_at: TimestampSchema.nullable(),
  ended_at: TimestampSchema.nullable(),
  /** When it starts next; null while nothing is deleted after days. */
  due_at: TimestampSchema.nullable(),
  deleted: CountsSchema,
  /** What there was to delete when it started, of all accounts. */
  items: z.int(),
  /** By how much the databases have become smaller. */
  shrunk_bytes: z.int(),
});
export type RetentionRun = z.infer<typeof RetentionRunSchema>;

export const RetentionSchema = z.object({
  kinds: z.array(EffectiveDaysSchema),
  run: RetentionRunSchema,
  /** Set while nothing is deleted, because the clock is far ahead of the engine's last run. */
  clock_stop: z
    .object({
      last_at: TimestampSchema,
      now: TimestampSchema,
      detail: z.string(),
    })
    .nullable(),
});
export type Retention = z.infer<typeof RetentionSchema>;

export const RetentionRunRequestSchema = z.strictObject({
  /** A person has confirmed that the clock is right, so that what waits for it may be deleted. */
  confirm_clock: z.boolean().default(false),
});

const DaysSchema = z.int().min(0).max(retentionDaysMax).nullable();

/** Body of PATCH /app/v1/retention and POST /app/v1/retention-previews; 0 and null keep forever. */
export const RetentionChangeSchema = z.strictObject({
  days: z.partialRecord(z.enum(retentionKindNames), DaysSchema),
});
export type RetentionChange = z.infer<typeof RetentionChangeSchema>;

export const keptReasons = [
  'needed_by_job',
  'open_review',
  'open_approval',
  'needed_by_monitor',
  'open_work',
  'changed_file',
] as const;
export type KeptReason = (typeof keptReasons)[number];

const DueSchema = z.object({
  kind: z.enum(retentionKindNames),
  days: z.int().nullable(),
  items: z.int(),
  /** About how much they take; null if it is not known. */
  bytes: z.int().nullable(),
  oldest: TimestampSchema.nullable(),
  newest: TimestampSchema.nullable(),
  /** Past their days, but kept. */
  kept: z.array(z.object({ reason: z.enum(keptReasons), items: z.int() })),
});
export type DueItems = z.infer<typeof DueSchema>;

export const RetentionPreviewSchema = z.object({ kinds: z.array(DueSchema) });
export type RetentionPreview = z.infer<typeof RetentionPreviewSchema>;

export const retention = endpoints('retention', {
  read: { app: 'GET /app/v1/retention', answer: RetentionSchema },
  change: {
    app: 'PATCH /app/v1/retention',
    body: RetentionChangeSchema,
    answer: RetentionSchema,
  },
  preview: {
    app: 'POST /app/v1/retention-previews',
    isRepeatable: true,
    body: RetentionChangeSchema,
    answer: RetentionPreviewSchema,
  },
  run: {
    app: 'POST /app/v1/retention-runs',
    body: RetentionRunRequestSchema,
    answer: RetentionSchema,
  },
});
