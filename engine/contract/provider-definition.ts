// The file format of a provider by declaration: how the product asks a data service over HTTP, and
// how it reads the answers. Each file describes one service.
//
// An *expression* is JMESPath (https://jmespath.site) of at most 500 characters. A *template* is a
// JSON value whose strings may contain placeholders:
//
//   {{row.FIELD}}          a field of the caller's row, such as {{row.company_domain}}
//   {{row_key}}            the key of the row in its request, a string of digits
//   {{request_id}}         the id of the request, which is the same for every repeat
//   {{ticket}}             the id of an asynchronous request, in `async.poll` only
//   {{wants.FIELD}}        true if the field is wanted, false otherwise
//   {{wants.FIELD ? TEXT}} TEXT if the field is wanted; absent otherwise
//
// A string that is one placeholder becomes its value with its type. An object key or array element
// whose placeholder is absent is left out. An object that loses all its keys is left out as well.
// In `url`, each value is percent-encoded, and the host must not contain placeholders.
import { z } from 'zod';
import { providerIdPattern } from './ids.ts';
import { emailStatuses } from './jobs/job.ts';
import { type LayerCode, LayerCodeSchema } from './jobs/layers.ts';
import { rowInputFields } from './jobs/row-input.ts';
import { expressionCharactersMax } from './limits/provider-definitions.ts';
import { type ProviderValueName, providerFieldNames, providerFields } from './provider.ts';

const FieldSchema = z.enum(providerFieldNames);
const valueNames = Object.values(providerFields).flat() as ProviderValueName[];
/** The name of a value, such as `company_name`. */
const ValueNameSchema = z.enum(valueNames);
const EmailStatusSchema = z.enum(emailStatuses);
const RowFieldSchema = z.enum(rowInputFields);
const ExpressionSchema = z.string().min(1).max(expressionCharactersMax);
const HeaderNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be the name of an HTTP header');
const HeaderValueSchema = z
  .string()
  .max(1_000)
  .regex(/^[\x20-\x7e]*$/, 'must be printable ASCII text');
const SecondsSchema = z.number().positive().max(86_400);
const CreditsSchema = z.number().min(0).max(10_000);

/** One request. Its host must be one of `hosts`. */
export const ProviderRequestTemplateSchema = z.strictObject({
  method: z.enum(['GET', 'POST']),
  /** The whole address, such as `https://api.example.com/v1/find/{{row.company_domain}}`. */
  url: z.string().min(1).max(2_000),
  /** Parameters of the query string. Keys with an absent value are left out. */
  query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  /** Headers with fixed values. The header of the key belongs in `auth`. */
  headers: z.record(HeaderNameSchema, HeaderValueSchema).optional(),
  /** The JSON body: a template. In a batch, it is the part that all rows share. */
  body: z.json().optional(),
  /** In a batch, the template of one row. The rows become an array at `batch.wrap`. */
  each: z.json().optional(),
});
export type ProviderRequestTemplate = z.infer<typeof ProviderRequestTemplateSchema>;

/**
 * What an answer means.
 *
 * - `hit`: the answer has records. Records without a wanted value are misses.
 * - `miss`: no row of the request has an answer.
 * - `pending`: the service still works. In `async` operations only.
 * - `retry`: the service did not accept the request; it may be sent again after `waitSec`.
 * - `slow`: over a rate limit, not accepted; may be sent again after Retry-After or `waitSec`.
 * - `quota`: the credits or the plan are used up. The provider is skipped for the rest of the job.
 * - `auth`: the key is refused. The provider is skipped for the rest of the job.
 * - `bad_input`: the service refuses the input of the rows.
 * - `legal`: the person may not be processed. The refusal is stored, and is not asked again.
 * - `uncertain`: it is unknown whether the service did the work and charged for it.
 * - `fatal`: any other error. The rows fail, and nothing was charged.
 */
export const outcomes = [
  'hit',
  'miss',
  'pending',
  'retry',
  'slow',
  'quota',
  'auth',
  'bad_input',
  'legal',
  'uncertain',
  'fatal',
] as const;
export type Outcome = (typeof outcomes)[number];

const StatusSchema = z.union([
  z.int().min(100).max(599),
  z.string().regex(/^[1-5]xx$/, 'must be a status such as 404 or a class such as "5xx"'),
]);

/**
 * A rule for an answer. It applies if all of its conditions hold; the first rule that applies
 * decides. Without one, a 2xx answer with a JSON body is a `hit`; a 5xx answer and a 2xx answer
 * that cannot be read are `uncertain`; any other answer is `fatal`. Of a poll, which is free, the
 * latter are `retry` and `uncertain`.
 */
export const OutcomeRuleSchema = z
  .strictObject({
    /** Status of the answer, or several, or a class such as "5xx". */
    status: z.union([StatusSchema, z.array(StatusSchema).min(1)]).optional(),
    /** Expression over the JSON body. True: not null, false, or an empty text, list or object. */
    match: ExpressionSchema.optional(),
    /** Applies only to answers of the first request, or only to answers of polls. Default: both. */
    on: z.enum(['submit', 'poll']).optional(),
    means: z.enum(outcomes),
    /** Wait before a repeat, in seconds, for `retry`, `slow` and `pending`. */
    waitSec: SecondsSchema.optional(),
    /**
     * For `hit`: what a field without a value means. Default: a miss. `quota`: the credits ended
     * before the service had worked on every row, and nothing says on which.
     */
    without: z.literal('quota').optional(),
  })
  .refine(({ status, match }) => status !== undefined || match !== undefined, {
    error: 'needs "status" or "match"',
  })
  .refine(({ means, without }) => without === undefined || means === 'hit', {
    error: '"without" needs "means": "hit"',
  });
export type OutcomeRule = z.infer<typeof OutcomeRuleSchema>;

/** A rule for one record of an answer. Without one that applies, a record is a `hit`. */
const RecordRuleSchema = z.strictObject({
  /** Applies if this expression over the record is true. */
  match: ExpressionSchema,
  means: z.enum(['hit', 'miss', 'quota', 'bad_input', 'legal', 'fatal']),
});

const BatchSchema = z
  .strictObject({
    /** Maximum number of rows in one request. */
    max: z.int().min(1).max(5_000),
    /** Where the array of rows is in the body, such as `data`. Absent: one row for each request. */
    wrap: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be a key of the body')
      .optional(),
    /** Expression over a record: the {{row_key}} that the service returns. */
    rowKey: ExpressionSchema.optional(),
    /** The records are in the order of the rows, with null for a row without an answer. */
    byIndex: z.literal(true).optional(),
  })
  .refine(({ max, wrap }) => max === 1 || wrap !== undefined, {
    error: 'needs "wrap" if "max" is more than 1',
  })
  .refine(
    ({ wrap, rowKey, byIndex }) => !wrap || (rowKey === undefined) !== (byIndex === undefined),
    {
      error: 'needs either "rowKey" or "byIndex"',
    },
  );

const AsyncSchema = z.strictObject({
  /** Expression over the first answer: the id of the request, a string or a number. */
  ticket: ExpressionSchema,
  /** The request that reads the result. It is free. */
  poll: ProviderRequestTemplateSchema,
  /** Interval between polls, in seconds. */
  everySec: SecondsSchema,
  /** After this many seconds without a result, the rows are uncertain. */
  deadlineSec: z.number().positive().max(604_800),
});

/** Where the credits of a request are reported. */
const ReportedSchema = z.union([
  z.strictObject({ /** Expression over the body. */ body: ExpressionSchema }),
  z.strictObject({ /** Name of a header with a number. */ header: HeaderNameSchema }),
]);

const CostSchema = z.strictObject({
  /** The most that one request can cost, in credits of the service. */
  max: z.strictObject({
    /** For each row that is sent, regardless of the wanted fields. */
    row: CreditsSchema.default(0),
    /** For each row in which the field is wanted, in addition to `row`. */
    fields: z.partialRecord(FieldSchema, CreditsSchema).default({}),
  }),
  /** Absent: the service does not report costs; they are the difference of two balances. */
  reported: ReportedSchema.optional(),
  /** Expression over the body: credits that the service returned. They are subtracted. */
  refund: ExpressionSchema.optional(),
});

export const ProviderOperationSchema = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be lower case letters, digits and hyphens'),
  /** The fields that it can give. Each needs a value in `map`; `email_status` needs `status`. */
  gives: z.array(FieldSchema).min(1),
  /** Alternatives: a row is sent if it has all fields of one. Otherwise it costs nothing. */
  needs: z.array(z.array(RowFieldSchema).min(1)).min(1),
  batch: BatchSchema.default({ max: 1 }),
  request: ProviderRequestTemplateSchema,
  async: AsyncSchema.optional(),
  /** Rules for answers, before those of the provider. */
  rules: z.array(OutcomeRuleSchema).default([]),
  /** Expression over the body: the record, or in a batch the array of records. Default: `@`. */
  records: ExpressionSchema.default('@'),
  recordRules: z.array(RecordRuleSchema).default([]),
  /** Value → expression over a record. Only strings that are not empty count as values. */
  map: z.partialRecord(ValueNameSchema, ExpressionSchema).default({}),
  /** Expression over a record: the status of its email address, in the service's own words. */
  status: ExpressionSchema.optional(),
  /** The service's own status → the product's. Statuses that are not listed are `unknown`. */
  statuses: z.record(z.string(), EmailStatusSchema).default({}),
  /** Field → statuses of the email with which the field counts. With another, it is a miss. */
  accept: z.partialRecord(FieldSchema, z.array(EmailStatusSchema).min(1)).default({}),
  /** Confidence in the values of a record, 0 to 1: a number, or an expression over the record. */
  confidence: z.union([z.number().min(0).max(1), ExpressionSchema]).optional(),
  /** Expression over a record: the day of the values, a text that begins YYYY-MM-DD. */
  observedOn: ExpressionSchema.optional(),
  cost: CostSchema,
});
export type ProviderOperation = z.infer<typeof ProviderOperationSchema>;

const AuthSchema = z.discriminatedUnion('in', [
  z.strictObject({
    in: z.literal('header'),
    name: HeaderNameSchema,
  }),
  z.strictObject({ in: z.literal('query'), name: z.string().min(1).max(64) }),
  /** `Authorization: Bearer KEY`. */
  z.strictObject({ in: z.literal('bearer') }),
]);

/** A header that says how many requests remain in a window. An empty header means no limit. */
const RemainingSchema = z.strictObject({
  header: HeaderNameSchema,
  window: z.enum(['second', 'minute', 'hour', 'day']),
  /** `number`, or `quoted_json`, as {'minute': 99}, from which the key `window` is read. */
  codec: z.enum(['number', 'quoted_json']).default('number'),
  /** A header that says when the window ends: seconds from now, a Unix time, or a date. */
  reset: HeaderNameSchema.optional(),
});

const LimitsSchema = z.strictObject({
  perSecond: z.number().positive().optional(),
  perMinute: z.number().positive().optional(),
  perHour: z.number().positive().optional(),
  perDay: z.number().positive().optional(),
  /** Requests in flight at once. */
  concurrency: z.int().min(1).max(64).default(1),
  /** What the limits count. Polls always count as one request. */
  count: z.enum(['request', 'record']).default('request'),
  remaining: z.array(RemainingSchema).default([]),
  retryAfterHeader: HeaderNameSchema.default('retry-after'),
});
export type ProviderLimits = z.infer<typeof LimitsSchema>;

const AssumptionSchema = z.strictObject({
  /** The assumption as a sentence, shown if it does not hold. */
  says: z.string().min(1).max(200),
  match: ExpressionSchema,
});

const HealthSchema = z.strictObject({
  /** A free request that needs a valid key. */
  request: ProviderRequestTemplateSchema,
  rules: z.array(OutcomeRuleSchema).default([]),
  /** Expression over the body: the credits that remain, a number. */
  balance: ExpressionSchema.optional(),
  assumptions: z.array(AssumptionSchema).default([]),
});

/** A call of an operation that the service answers free of charge, such as a test address. */
const SandboxSchema = z.strictObject({
  op: z.string(),
  /** Replaces the address of the operation, such as one on the service's sandbox host. */
  url: z.string().max(2_000).optional(),
  row: z.partialRecord(RowFieldSchema, z.string()),
  /** Value, or `status` → what the answer must have; null for any text. */
  expect: z.partialRecord(z.enum([...valueNames, 'status']), z.string().nullable()),
});

/** An absent value keeps the words of the caller. */
const ProviderIdSchema = z
  .string()
  .regex(
    providerIdPattern,
    'must be lower case letters, digits and hyphens, and no name of a device, such as aux',
  );

const needHttps = ({ input }: { readonly input?: unknown }): string | undefined =>
  input === undefined ? undefined : 'must be an address that begins with https://';

export const ProviderDefinitionSchema = z.strictObject({
  /** The provider's name on the command line and in provenance. Equal to the name of the file. */
  id: ProviderIdSchema,
  title: z.string().min(1).max(80),
  docs: z.url({ protocol: /^https$/, error: needHttps }),
  hosts: z.array(z.string().min(1).max(253)).min(1),
  /**
   * Allows http and loopback hosts with a port, such as `127.0.0.1:8080`. Only in a definition of
   * the user's own; shipped definitions cannot have it.
   */
  dev: z.literal(true).optional(),
  /**
   * Allows hosts in private networks, such as `10.1.2.3` or a name that has such an address. Only
   * in a definition of the user's own; shipped definitions cannot have it.
   */
  local: z.literal(true).optional(),
  auth: AuthSchema,
  limits: LimitsSchema.prefault({}),
  /** Time limit of one request, in seconds. */
  deadlineSec: z.number().positive().max(300).default(30),
  /** Days that the service's terms allow answers to be kept. Absent: no limit is known. */
  keepDays: z.int().min(1).max(3_650).optional(),
  /** Rules for the answers of every operation and of `health`, after their own. */
  rules: z.array(OutcomeRuleSchema).default([]),
  /** An asynchronous operation must be the only one. */
  ops: z
    .array(ProviderOperationSchema)
    .min(1)
    .refine((ops) => ops.length === 1 || ops.every((op) => op.async === undefined), {
      error: 'an operation with "async" must be the only one',
    }),
  health: HealthSchema.optional(),
  sandbox: z.array(SandboxSchema).default([]),
});
/** A service with the public interface of this product. It is asked by code, not by templates. */
export interface DeskTerms {
  /** Without a slash at the end; null until the user enters it. */
  readonly address: string | null;
  /** Whether the name of the host may have an address of a private network. */
  readonly isLocal: boolean;
  /** The price of each layer, in credits of the service. */
  readonly prices: Readonly<Record<LayerCode, number>>;
}
export type ProviderDefinition = z.infer<typeof ProviderDefinitionSchema> & {
  /** Only of a file with `"client": "desk"`: DeskFileSchema. */
  readonly desk?: DeskTerms;
};

/**
 * A whole file of a provider that is another engine, or any service with the public interface of
 * this product: its address, and what it charges for each layer.
 */
export const DeskFileSchema = z.strictObject({
  /** Equal to the name of the file. */
  id: ProviderIdSchema,
  client: z.literal('desk'),
  title: z.string().min(1).max(80).optional(),
  /** The address of the engine, such as `https://desk.team.example`. http only for loopback. */
  address: z.url({ protocol: /^https?$/ }).optional(),
  /** Allows a host whose name has an address of a private network. */
  local: z.literal(true).optional(),
  /** What a row costs for each layer. The default is that of a new installation. */
  prices: z.partialRecord(LayerCodeSchema, z.number().min(0).max(10_000)).default({}),
  /** Days that answers may be kept. Absent: no limit. */
  keepDays: z.int().min(1).max(3_650).optional(),
});
export type DeskFile = z.infer<typeof DeskFileSchema>;
