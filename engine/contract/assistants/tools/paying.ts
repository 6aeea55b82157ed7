/** What all paying tools of the tool server have in common: options, charges, what was left out. */
import { z } from 'zod';
import { CreditsSchema } from '../../credits.ts';
import { idempotencyKeyCharactersMax } from '../../limits/ledger.ts';
import { ownedKinds } from '../../lookup.ts';

/** Arguments that every paying tool takes beside its own. */
export const payingOptions = {
  idempotency_key: z
    .string()
    .min(1)
    .max(idempotencyKeyCharactersMax)
    .optional()
    .describe(
      'The same call under the same key within 24 hours gets the same answer and costs nothing.',
    ),
  dry_run: z
    .boolean()
    .default(false)
    .describe('true: only tell what the call would cost at most; nothing is shown or charged.'),
};

/** Why a value that is known was not given. */
export const omissionReasons = [
  'insufficient_credits',
  'spending_cap_reached',
  'call_limit_reached',
] as const;
/** Why a value that is known was not given. */
export type OmissionReason = (typeof omissionReasons)[number];

/** A value that is known, was not paid for, and is not shown. */
export const OmissionSchema = z.object({
  value: z.enum(ownedKinds),
  reason: z.enum(omissionReasons),
  price: CreditsSchema,
});
/** A value that is known and not shown. */
export type Omission = z.infer<typeof OmissionSchema>;

/** What answers of paying tools say of credits. */
export const chargedFields = {
  credits_charged: CreditsSchema.describe('What this call cost. What is owned already is free.'),
  credits_at_most: CreditsSchema.optional().describe('Of a dry run: what the call would cost.'),
  dry_run: z.literal(true).optional(),
};
