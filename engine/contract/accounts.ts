// Accounts at /app/v1.
import { z } from 'zod';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { freeRepeatDaysMax, labelCharactersMax } from './limits/accounts.ts';

export const monitorCharges = ['answers', 'changes'] as const;

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

export const NewAccountSchema = z.object({
  name: z.string().trim().min(1).max(labelCharactersMax),
});

export const AccountChangeSchema = z.object({
  name: NewAccountSchema.shape.name.optional(),
  charge_policy: z.enum(['row', 'layers_found']).optional(),
  match_threshold: z.number().min(0.5).max(1).optional(),
  free_repeat_days: z.int().min(0).max(freeRepeatDaysMax).optional(),
  infer_emails: z.boolean().optional(),
  monitor_charge: z.enum(monitorCharges).optional(),
  has_budget: z.boolean().optional(),
});

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
    params: z.object({ id: UuidSchema.toLowerCase() }),
    body: AccountChangeSchema,
    answer: AccountSchema,
  },
});
