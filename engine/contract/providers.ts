// The user's data services: keys, settings, the order in which they are asked, what they cost, and
// the log of requests (/app/v1/providers). Amounts are credits of the service, with up to four
// decimals; they are not credits of the wallet.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { providerIdPattern, TimestampSchema, UuidSchema } from './ids.ts';
import { emailStatuses } from './jobs/job.ts';
import { LayerCodeSchema } from './jobs/layers.ts';
import { rowInputFields } from './jobs/row-input.ts';
import { definitionBytesMax } from './limits/provider-definitions.ts';
import { logPage } from './limits/providers.ts';
import { providerFailures, providerFieldNames } from './provider.ts';
import { limitText, wholeNumberText } from './whole-number.ts';

const FieldSchema = z.enum(providerFieldNames);
const ProviderIdSchema = z.string().regex(providerIdPattern);
const CreditsSchema = z.number().min(0);

export const StepRuleSchema = z.strictObject({
  /** Accepted statuses of an email; by default all except invalid and disposable. */
  statuses: z.array(z.enum(emailStatuses)).min(1).optional(),
  /** 0 to 1. An answer without a confidence is accepted. */
  confidence_min: z.number().min(0).max(1).optional(),
  /** Days since the value was observed; without that day, since it was fetched. */
  age_days_max: z.int().min(1).optional(),
  /** Ask only if none of these fields has an answer. */
  only_if_missing: z.array(FieldSchema).min(1).optional(),
  /** Ask only for rows of these countries, by ISO 3166 code. */
  only_countries: z.array(z.string().length(2)).min(1).optional(),
  /** Ask only for rows whose company domain is one of these or ends in one, such as "fr". */
  only_domains: z.array(z.string().min(1)).min(1).optional(),
});
/** The rule of a step; `{}` accepts any answer that is not known to be bad, for every row. */
export type StepRule = z.infer<typeof StepRuleSchema>;

/** A fault of a definition file. Lines start at 1. */
const FaultSchema = z.object({ line: z.int(), what: z.string() });

/** The most that may be spent at a service. Days and months are in UTC; null for no cap. */
const CapsSchema = z.strictObject({
  job: CreditsSchema.max(1e9).nullable(),
  day: CreditsSchema.max(1e9).nullable(),
  month: CreditsSchema.max(1e9).nullable(),
});

const PriceSchema = z.strictObject({
  per_credit: z.number().min(0).max(1e6),
  /** ISO 4217 code. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'send a code of three letters such as EUR'),
});

const ProviderFieldSchema = z.object({
  field: FieldSchema,
  /** The most that it costs per row, without `row_cost_max`. */
  cost_max: CreditsSchema,
  asked: z.int(),
  hits: z.int(),
  /** Hits of the asked rows, 0 to 1; null before the first. */
  hit_rate: z.number().nullable(),
});

/** What a provider has cost. Open and uncertain requests count with the most they can cost. */
const SpendSchema = z.object({
  today: CreditsSchema,
  month: CreditsSchema,
  /** Days with requests of the last 30 days, oldest first. */
  days: z.array(z.object({ day: z.iso.date(), credits: CreditsSchema, requests: z.int() })),
  /** Requests whose outcome is unknown. */
  uncertain_requests: z.int(),
});

/** The state of a circuit breaker: `open` means that nothing is sent until `until`. */
const BreakerSchema = z.object({
  state: z.enum(['closed', 'open', 'half_open']),
  until: TimestampSchema.nullable(),
});

/**
 * Where a key is: in the system's keychain; in engine.db, sealed by engine.key, without a keychain;
 * `missing` if it must be entered again; `unavailable` while the keychain is locked or does not
 * respond.
 */
const KeyPlaceSchema = z.enum(['keychain', 'file', 'missing', 'unavailable']);
export type KeyPlace = z.infer<typeof KeyPlaceSchema>;

export const UserProviderSchema = z.object({
  id: ProviderIdSchema,
  title: z.string(),
  /** `built_in` needs no key and has no definition file. */
  origin: z.enum(['shipped', 'own', 'built_in']),
  /** Address of the service's own documentation; null for a built-in provider. */
  docs: z.string().nullable(),
  hosts: z.array(z.string()),
  /**
   * The address of another engine, for providers that have one; null until it is entered. `place`
   * says whether it is on this machine, on a private network, or elsewhere.
   */
  engine: z
    .object({
      address: z.string().nullable(),
      place: z.enum(['this_machine', 'private_network', 'internet']),
    })
    .optional(),
  /** The columns of a row that requests contain, in the order of the columns. */
  sends: z.array(z.enum(rowInputFields)),
  fields: z.array(ProviderFieldSchema),
  /** The most that a row costs in addition to its fields. */
  row_cost_max: CreditsSchema,
  /** Days that the terms of the service allow answers to be kept; null if no limit is known. */
  keep_days: z.int().nullable(),
  /** Whether a key was entered for the hosts of the definition. */
  has_key: z.boolean(),
  key_place: KeyPlaceSchema.nullable(),
  is_on: z.boolean(),
  caps: CapsSchema,
  price: PriceSchema.nullable(),
  /** Whether later jobs ask again for what an unknown outcome left open. */
  repeats_uncertain: z.boolean(),
  breaker: BreakerSchema,
  /** The balance that was read last; null if none was. */
  balance: z.object({ credits: z.number(), read_at: TimestampSchema }).nullable(),
  spend: SpendSchema,
  answers: z.int(),
  /** The latest reasons why jobs stopped asking it, since it last answered; newest first. */
  notes: z.array(
    z.object({
      job_id: UuidSchema,
      failure: z.enum([
        ...(Object.keys(providerFailures) as (keyof typeof providerFailures)[]),
        'cap',
        'off',
        'refusals',
      ]),
      detail: z.string(),
      at: TimestampSchema,
    }),
  ),
});
export type UserProvider = z.infer<typeof UserProviderSchema>;

const WaterfallFieldSchema = z.object({
  field: FieldSchema,
  steps: z.array(z.object({ provider: ProviderIdSchema, rule: StepRuleSchema })),
});

export const UserProvidersSchema = z.object({
  providers: z.array(UserProviderSchema),
  waterfall: z.array(WaterfallFieldSchema),
  /** Removed keys that are deleted from the keychain when it responds again. */
  keys_to_delete: z.int(),
  /** Own definition files that cannot be used. */
  faulty: z.array(z.object({ id: z.string(), path: z.string(), faults: z.array(FaultSchema) })),
});
export type UserProviders = z.infer<typeof UserProvidersSchema>;

export const ProviderParamsSchema = z.object({ id: ProviderIdSchema });

/** Body of PUT /app/v1/providers/{id}/key. The key is never returned. */
export const ProviderKeySchema = z.strictObject({
  key: z
    .string()
    .trim()
    // Anything else could not be sent in a header.
    .regex(/^[\x21-\x7e]{1,4096}$/, 'send one word of printable ASCII characters'),
  /** The address of another engine. Only for providers that have one, which need it. */
  address: z.string().trim().min(1).max(2_000).optional(),
  is_local: z.boolean().optional(),
});
export type NewProviderKey = z.infer<typeof ProviderKeySchema>;

/** Body of PATCH /app/v1/providers/{id}. Absent keys stay as they are. */
export const ProviderChangeSchema = z.strictObject({
  is_on: z.boolean().optional(),
  caps: CapsSchema.partial().optional(),
  price: PriceSchema.nullable().optional(),
  repeats_uncertain: z.boolean().optional(),
});
export type ProviderChange = z.infer<typeof ProviderChangeSchema>;

/** Body of PUT /app/v1/provider-order. A rule that is absent stays as it is. */
export const ProviderOrderSchema = z.strictObject({
  field: FieldSchema,
  steps: z
    .array(z.strictObject({ provider: ProviderIdSchema, rule: StepRuleSchema.optional() }))
    .max(100),
});
export type ProviderOrder = z.infer<typeof ProviderOrderSchema>;

/** Body of POST /app/v1/provider-definitions: the text of a definition file of the user's own. */
export const NewDefinitionSchema = z.strictObject({ text: z.string().max(definitionBytesMax) });

export const DefinitionImportSchema = z.object({
  id: ProviderIdSchema.nullable(),
  faults: z.array(FaultSchema),
});

/** Answer of POST /app/v1/providers/{id}/test. Only requests that are free were sent. */
export const ProviderTestSchema = z.object({
  checks: z.array(
    z.object({
      /** A sentence that holds if `is_ok`. */
      assumption: z.string(),
      is_ok: z.boolean(),
      /** What the service answered instead, or a figure such as the balance; may be empty. */
      detail: z.string(),
    }),
  ),
});
export type ProviderTest = z.infer<typeof ProviderTestSchema>;

export const ForgottenAnswersSchema = z.object({ deleted: z.int() });

/** Query of GET /app/v1/provider-log. `before`: the `next` of the page before. */
export const ProviderLogQuerySchema = z.object({
  /** Only requests with an unknown outcome that no person has decided about. */
  state: z.literal('uncertain').optional(),
  before: wholeNumberText(1).optional(),
  limit: limitText(logPage.byDefault, logPage.max),
});

const StoredDecisionSchema = z.object({
  outcome: z.enum(['charged', 'not_charged']),
  /** What the parts with an unknown outcome cost. */
  credits: CreditsSchema,
  /** The label of the API key; "app" for the app itself and the command line. */
  decided_by: z.string(),
  decided_at: TimestampSchema,
});

const ReadingSchema = z.object({ credits: z.number(), read_at: TimestampSchema });

const UncertainSchema = z.object({
  /** The most that the parts with an unknown outcome cost. */
  cost_max: CreditsSchema,
  /** The balances around the request; null if none was read after it. */
  balance: z
    .object({
      before: ReadingSchema.nullable(),
      after: ReadingSchema,
      /** Credits between the two; negative if the balance rose. Null without `before`. */
      fell_by: z.number().nullable(),
      /** Other requests between the two that may have cost something. */
      other_requests: z.int(),
    })
    .nullable(),
  /** Oldest first. The last one counts. */
  decisions: z.array(StoredDecisionSchema),
});

export const ProviderRequestParamsSchema = z.object({ id: wholeNumberText(1) });

/**
 * Body of POST /app/v1/provider-requests/{id}/decision. What was charged costs `credits` and counts
 * as a miss; what was not charged is asked again by later jobs.
 */
export const RequestDecisionSchema = z.discriminatedUnion('outcome', [
  z.strictObject({ outcome: z.literal('charged'), credits: CreditsSchema.max(1e9) }),
  z.strictObject({ outcome: z.literal('not_charged') }),
]);
export type RequestDecision = z.infer<typeof RequestDecisionSchema>;

const LoggedRequestSchema = z.object({
  id: z.int(),
  at: TimestampSchema,
  provider: ProviderIdSchema,
  /** Null if a pipeline, a lookup or a tool asked. */
  job_id: UuidSchema.nullable(),
  rows: z.int(),
  fields: z.array(FieldSchema),
  state: z.enum(['intent', 'sent', 'answered', 'uncertain', 'failed']),
  cost_max: CreditsSchema,
  /** Null while it is not known. */
  cost: CreditsSchema.nullable(),
  /** Whether the service or its balance said the cost; otherwise it is derived from the answers. */
  is_cost_reported: z.boolean().nullable(),
  detail: z.string().nullable(),
  /** Null if no part of it has an unknown outcome. */
  uncertain: UncertainSchema.nullable(),
});
export const DecidedRequestSchema = LoggedRequestSchema;

/** Answer of GET /app/v1/provider-log, newest first. */
export const ProviderLogSchema = z.object({
  requests: z.array(LoggedRequestSchema),
  /** Null on the last page. */
  next: z.int().nullable(),
});
export type ProviderLog = z.infer<typeof ProviderLogSchema>;

export const ProviderQuoteRequestSchema = z.strictObject({
  rows: z.int().min(1).max(1_000_000),
  /** Share of the rows that the directory leaves open, by field; 1 for any other field. */
  open_fields: z.record(z.string(), z.number().min(0).max(1)).default({}),
  selected_layers: z.array(LayerCodeSchema).min(1),
});
export const ProviderQuoteSchema = z.array(
  z.object({
    provider: z.string(),
    /** If no earlier provider finds anything. */
    at_most: z.number(),
    /** From the open rows and the hit rates so far; a hit rate that is hardly known counts as 1. */
    expected: z.number(),
  }),
);
export type ProviderQuote = z.infer<typeof ProviderQuoteSchema>;

const JobProviderFieldSchema = z.object({
  field: FieldSchema,
  /** Rows that were answered: found or not found. */
  asked: z.int(),
  hits: z.int(),
  /** Hits of the asked rows, 0 to 1; null if none was asked. */
  hit_rate: z.number().nullable(),
  /** Its share of `credits`, by the prices of what was found. */
  credits: z.number(),
  cost_per_hit: z.number().nullable(),
});

export const JobProvidersSchema = z.array(
  z.object({
    provider: z.string(),
    requests: z.int(),
    rows: z.int(),
    credits: z.number(),
    /** Whether a part of `credits` is derived from answers, because the service does not say. */
    is_estimated: z.boolean(),
    credits_open: z.number(),
    /** Rows of requests that it has not answered yet. */
    rows_open: z.int(),
    uncertain_requests: z.int(),
    /** The current price of a credit; null if none is set. */
    price: PriceSchema.nullable(),
    /** The fields that it answered, in the order of the fields. */
    fields: z.array(JobProviderFieldSchema),
    /** Why the rest of the job did not ask it. */
    note: z.string().nullable(),
  }),
);
/** The `provider` of what a job says about the team's directory: a note, no costs. */
export const teamDirectoryNote = 'team-directory';
export type JobProviders = z.infer<typeof JobProvidersSchema>;

export const providerCalls = endpoints('providers', {
  list: { app: 'GET /app/v1/providers', answer: UserProvidersSchema },
  setKey: {
    app: 'PUT /app/v1/providers/:id/key',
    params: ProviderParamsSchema,
    body: ProviderKeySchema,
    answer: UserProvidersSchema,
  },
  change: {
    app: 'PATCH /app/v1/providers/:id',
    params: ProviderParamsSchema,
    body: ProviderChangeSchema,
    answer: UserProvidersSchema,
  },
  remove: {
    app: 'DELETE /app/v1/providers/:id',
    params: ProviderParamsSchema,
    answer: UserProvidersSchema,
  },
  order: {
    app: 'PUT /app/v1/provider-order',
    body: ProviderOrderSchema,
    answer: UserProvidersSchema,
  },
  test: {
    app: 'POST /app/v1/providers/:id/test',
    params: ProviderParamsSchema,
    answer: ProviderTestSchema,
  },
  forget: {
    app: 'POST /app/v1/providers/:id/forget',
    params: ProviderParamsSchema,
    answer: ForgottenAnswersSchema,
  },
  importDefinition: {
    app: 'POST /app/v1/provider-definitions',
    body: NewDefinitionSchema,
    answer: DefinitionImportSchema,
  },
  quote: {
    app: 'POST /app/v1/provider-quote',
    isRepeatable: true,
    body: ProviderQuoteRequestSchema,
    answer: ProviderQuoteSchema,
  },
  log: {
    app: 'GET /app/v1/provider-log',
    query: ProviderLogQuerySchema,
    answer: ProviderLogSchema,
  },
  decide: {
    app: 'POST /app/v1/provider-requests/:id/decision',
    params: ProviderRequestParamsSchema,
    body: RequestDecisionSchema,
    answer: DecidedRequestSchema,
  },
});
