// What all paying tools of the tool server share: options, charges, omitted values.
import { z } from 'zod';
import { CreditsSchema } from '../../credits.ts';
import { idempotencyKeyCharactersMax } from '../../limits/ledger.ts';
import { ownedKinds } from '../../lookup.ts';

export const payingOptions = {
  idempotency_key: z
    .string()
    .min(1)
    .max(idempotencyKeyCharactersMax)
    .optional()
    .describe('A repeat with the same key within 24 hours returns the same answer for free.'),
  dry_run: z
    .boolean()
    .default(false)
    .describe('true: only return the most the call would cost; nothing is shown or charged.'),
};

export const omissionReasons = [
  'insufficient_credits',
  'spending_cap_reached',
  'call_limit_reached',
] as const;
export type OmissionReason = (typeof omissionReasons)[number];

export const OmissionSchema = z.object({
  value: z.enum(ownedKinds),
  reason: z.enum(omissionReasons),
  price: CreditsSchema,
});

export const chargedFields = {
  credits_charged: CreditsSchema.describe('What this call cost. Values already owned are free.'),
  credits_at_most: CreditsSchema.optional().describe('Dry run only: the most the call would cost.'),
  dry_run: z.literal(true).optional(),
};
