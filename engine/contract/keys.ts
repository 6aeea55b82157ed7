// Keys of the REST API, and programs that the app starts with a key.
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { keyRequestsPerMinuteMax, labelCharactersMax } from './limits/accounts.ts';
import { stdioNameCharactersMax } from './limits/assistants.ts';

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

export const CreatedKeySchema = z.object({ id: UuidSchema, key: z.string(), label: z.string() });

export const StdioClientSchema = z.object({
  name: z.string().trim().min(1).max(stdioNameCharactersMax),
});

export const AdmittedClientSchema = z.object({ key_id: UuidSchema });

const IdParamsSchema = z.object({ id: UuidSchema.toLowerCase() });

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
  admitStdioClient: {
    app: 'POST /app/v1/stdio-clients',
    body: StdioClientSchema,
    answer: AdmittedClientSchema,
  },
});
