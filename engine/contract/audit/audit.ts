// The audit log: who did what, when and how much (/app/v1/audit).
import { z } from 'zod';
import { endpoints } from '../endpoints.ts';
import { environmentNames, TimestampSchema } from '../ids.ts';
import { ExportAnswerSchema, ExportRequestSchema } from '../jobs/app-jobs.ts';
import { auditActorCharactersMax, auditPage } from '../limits/privacy/audit.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';
import { auditActionNames } from './actions.ts';

/** Kinds of actors; `engine`: no request caused it, such as a schedule. */
export const auditActorKinds = ['app', 'command_line', 'api_key', 'assistant', 'engine'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

const DetailSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Facts of an entry by name. A list of two values is a change: before and after. */
export const AuditDetailsSchema = z.record(
  z.string(),
  z.union([DetailSchema, z.array(DetailSchema)]),
);
export type AuditDetails = z.infer<typeof AuditDetailsSchema>;

export const AuditEntrySchema = z.object({
  /** From 1, without gaps. */
  id: z.int(),
  at: TimestampSchema,
  environment: z.enum(environmentNames),
  actor_kind: z.enum(auditActorKinds),
  /** The name of the key or the assistant; otherwise the kind in words. */
  actor: z.string(),
  /** The first characters of the API key; null for other actors. */
  key_prefix: z.string().nullable(),
  /** The name that the account has today; null if the action concerns no account. */
  account: z.string().nullable(),
  account_id: z.string().nullable(),
  /** One of the actions; a later version may have others. */
  action: z.string(),
  /** The id of what the action was about: of a job, a key, a provider. */
  subject: z.string(),
  /** Rows, people or values; null if nothing is counted. */
  rows: z.int().nullable(),
  credits: z.string().nullable(),
  details: AuditDetailsSchema,
  /** SHA-256 over the hash before and this entry, in lower-case hexadecimal. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

const AuditFilterSchema = z.strictObject({
  action: z.enum(auditActionNames).optional(),
  /** The name of an actor, ignoring case. */
  actor: z.string().trim().min(1).max(auditActorCharactersMax).optional(),
  /** A day or a time in UTC: entries at or after it. */
  since: z.union([z.iso.date(), z.iso.datetime()]).optional(),
});
export type AuditFilter = z.infer<typeof AuditFilterSchema>;

/** Query of GET /app/v1/audit. `before`: the `next` of the page before. */
export const AuditQuerySchema = AuditFilterSchema.extend({
  before: wholeNumberText(1).optional(),
  limit: limitText(auditPage.byDefault, auditPage.max),
});

export const AuditPageSchema = z.object({
  entries: z.array(AuditEntrySchema),
  /** Entries of the whole log. */
  total: z.int(),
  /** Null on the last page. */
  next: z.int().nullable(),
  actors: z.array(z.string()),
});
export type AuditPage = z.infer<typeof AuditPageSchema>;

/** An entry by its number and hash, kept outside of the data folder: `17:9f86…`. */
const AnchorSchema = z.string().regex(/^[1-9]\d{0,14}:[0-9a-f]{64}$/);

export const AuditStateQuerySchema = z.strictObject({ anchor: AnchorSchema.optional() });

export const AuditStateSchema = z.object({
  entries: z.int(),
  /** The last entry as an anchor; null for an empty log. */
  head: z.string().nullable(),
  /** The first entry that does not match, and why; null if the chain is intact. */
  fault: z.object({ entry: z.int(), what: z.string() }).nullable(),
});
export type AuditState = z.infer<typeof AuditStateSchema>;

export const AuditExportRequestSchema = AuditFilterSchema.extend(ExportRequestSchema.shape);

export const audit = endpoints('audit', {
  list: { app: 'GET /app/v1/audit', query: AuditQuerySchema, answer: AuditPageSchema },
  verify: {
    app: 'GET /app/v1/audit-state',
    query: AuditStateQuerySchema,
    answer: AuditStateSchema,
  },
  exportLog: {
    app: 'POST /app/v1/audit-exports',
    isRepeatable: true,
    body: AuditExportRequestSchema,
    answer: ExportAnswerSchema,
  },
});
