// The response envelope of every /api/v1 endpoint (docs/api.md, "Conventions").
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { requestErrorCodes } from './errors.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';

/** Schema of {success: true, data}. */
export const successOf = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true), data });

/** The approval that a request needs. Every error form of `approval_required` carries it. */
export const PendingApprovalSchema = z
  .object({
    approval_id: UuidSchema,
    credits: CreditsSchema.describe('The most the request would cost.'),
    expires_at: TimestampSchema.describe('When the approval request expires.'),
  })
  .meta({ id: 'PendingApproval' });

/** {success: false, error, detail}. */
export const FailureSchema = z
  .object({
    success: z.literal(false),
    error: z.enum(requestErrorCodes),
    detail: z.string(),
    approval: PendingApprovalSchema.optional().describe('Only with `approval_required`.'),
  })
  .meta({ id: 'Failure' });
export type Failure = z.infer<typeof FailureSchema>;
