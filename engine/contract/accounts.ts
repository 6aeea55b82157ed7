/** Accounts and API keys at /app/v1. */

import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import {
  freeRepeatDaysMax,
  keyRequestsPerMinuteMax,
  labelCharactersMax,
} from './limits/accounts.ts';
import { stdioNameCharactersMax } from './limits/assistants.ts';

/** What runs of monitors may charge. */
export const monitorCharges = ['answers', 'changes'] as const;

/** A customer account. */
export const AccountSchema = z.object({
  id: UuidSchema,
  name: z.string(),
  charge_policy: z.enum(['row', 'layers_found']),
  match_threshold: z.number().min(0).max(1),
  free_repeat_days: z
    .int()
    .describe('Days within which a later job does not charge a person’s layers again; 0: never.'),
  infer_emails: z
    .boolean()
    .describe('Whether jobs infer work emails that neither the directory nor a provider has.'),
  monitor_charge: z
    .enum(monitorCharges)
    .describe('What a run of a monitor charges: every answer, or those that are new or changed.'),
  has_budget: z
    .boolean()
    .describe(
      'Whether its owner spends only the credits of the wallet. Without a budget, credits that ' +
        'are missing for work of the owner are added. Keys always spend only those of the wallet.',
    ),
  created_at: TimestampSchema,
});

export type Account = z.infer<typeof AccountSchema>;

/** Body of POST /app/v1/accounts. */
export const NewAccountSchema = z.object({
  name: z.string().trim().min(1).max(labelCharactersMax),
});

/** Body of PATCH /app/v1/accounts/{id}. */
export const AccountChangeSchema = z.object({
  name: NewAccountSchema.shape.name.optional(),
  charge_policy: z.enum(['row', 'layers_found']).optional(),
  match_threshold: z.number().min(0.5).max(1).optional(),
  free_repeat_days: z.int().min(0).max(freeRepeatDaysMax).optional(),
  infer_emails: z.boolean().optional(),
  monitor_charge: z.enum(monitorCharges).optional(),
  has_budget: z.boolean().optional(),
});

/** An API key. The key itself is shown once, when it is created. */
export const KeySchema = z.object({
  id: UuidSchema,
  label: z.string(),
  prefix: z.string(),
  created_at: TimestampSchema,
  last_used_at: TimestampSchema.nullable(),
  revoked_at: TimestampSchema.nullable(),
  requests_per_minute: z.int().describe('Requests in any 60 seconds.'),
  cap_per_day: CreditsSchema.nullable().describe(
    'The most it may spend in a day (UTC); null: no cap.',
  ),
  cap_per_month: CreditsSchema.nullable().describe(
    'The most it may spend in a month (UTC); null: no cap.',
  ),
  cap_per_call: CreditsSchema.nullable().describe('The most one request may cost; null: no limit.'),
  ask_above: CreditsSchema.nullable().describe(
    'A request that would cost more needs a person’s approval; null: never.',
  ),
  self_approval: z.boolean().describe('Whether its client may request the approval itself.'),
  provider_cap: z
    .number()
    .nullable()
    .describe(
      'The most one request may spend at each data service, in credits of the service; 0: only ' +
        'what is free; null: no limit.',
    ),
  spent_today: CreditsSchema.describe(
    'Charges and holds of today (UTC); a finished job counts as settled.',
  ),
  spent_this_month: CreditsSchema,
});

export type Key = z.infer<typeof KeySchema>;

const CapSchema = z.string().or(z.number()).nullable().describe('Credits; null for no cap.');

/** Body of POST /app/v1/keys. */
export const NewKeySchema = z.object({
  label: z.string().trim().min(1).max(labelCharactersMax),
  requests_per_minute: z.int().min(1).max(keyRequestsPerMinuteMax).optional(),
  cap_per_day: CapSchema.optional(),
  cap_per_month: CapSchema.optional(),
  cap_per_call: CapSchema.optional(),
  ask_above: CapSchema.optional(),
  self_approval: z.boolean().optional(),
  /** 0 by default. */
  provider_cap: z.number().min(0).max(1e9).nullable().optional(),
});

/** Body of PATCH /app/v1/keys/{id}. Omitted fields keep their values. */
export const KeyChangeSchema = NewKeySchema.partial();

/** Answer of POST /app/v1/keys. */
export const CreatedKeySchema = z.object({ id: UuidSchema, key: z.string(), label: z.string() });

/** Body of POST /app/v1/stdio-clients: an assistant, by the name it reports. */
export const StdioClientSchema = z.object({
  name: z.string().trim().min(1).max(stdioNameCharactersMax),
});

/** Answer of POST /app/v1/stdio-clients: the key that the assistant uses. */
export const AdmittedClientSchema = z.object({ key_id: UuidSchema });

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

/** The calls about accounts of the installation. */
export const accounts = endpoints('accounts', {
  list: { app: 'GET /app/v1/accounts', answer: z.array(AccountSchema) },
  create: {
    app: 'POST /app/v1/accounts',
    body: NewAccountSchema,
    answer: AccountSchema,
    statuses: [201],
  },
  change: {
    app: 'PATCH /app/v1/accounts/:id',
    params: IdParamsSchema,
    body: AccountChangeSchema,
    answer: AccountSchema,
  },
});

/** The calls about API keys of an account. */
export const keys = endpoints('keys', {
  list: { app: 'GET /app/v1/keys', answer: z.array(KeySchema) },
  create: {
    app: 'POST /app/v1/keys',
    body: NewKeySchema,
    answer: CreatedKeySchema,
    statuses: [201],
  },
  change: {
    app: 'PATCH /app/v1/keys/:id',
    params: IdParamsSchema,
    body: KeyChangeSchema,
    answer: KeySchema,
  },
  revoke: { app: 'DELETE /app/v1/keys/:id', params: IdParamsSchema, answer: KeySchema },
  /** The key that an assistant on the local socket uses. */
  admitStdioClient: {
    app: 'POST /app/v1/stdio-clients',
    body: StdioClientSchema,
    answer: AdmittedClientSchema,
  },
});
