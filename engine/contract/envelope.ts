/** The response envelope of every /api/v1 endpoint (specification, "Response envelope"). */
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { requestErrorCodes } from './errors.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';

/** {success: true, data} around a schema. */
export const successOf = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true), data });

/** The question that a request has led to; `approval_required` carries it in every form. */
export const AskedApprovalSchema = z
  .object({
    approval_id: UuidSchema,
    credits: CreditsSchema.describe('What the request would cost at most.'),
    expires_at: TimestampSchema.describe('Until when a person can answer.'),
  })
  .meta({ id: 'AskedApproval' });

/** {success: false, error, detail}. */
export const FailureSchema = z
  .object({
    success: z.literal(false),
    error: z.enum(requestErrorCodes),
    detail: z.string(),
    approval: AskedApprovalSchema.optional().describe('Of `approval_required` alone.'),
  })
  .meta({ id: 'Failure' });
/** A refusal on the wire. */
export type Failure = z.infer<typeof FailureSchema>;
