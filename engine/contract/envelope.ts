/** The response envelope of every /api/v1 endpoint (specification, "Response envelope"). */
import { z } from 'zod';
import { type ErrorCode, errorTable } from './errors.ts';

/** {success: true, data} around a schema. */
export const successOf = <T extends z.ZodType>(data: T) =>
  z.object({ success: z.literal(true), data });

/** {success: false, error, detail}. */
export const FailureSchema = z
  .object({
    success: z.literal(false),
    error: z.enum(Object.keys(errorTable) as [ErrorCode, ...ErrorCode[]]),
    detail: z.string(),
  })
  .meta({ id: 'Failure' });
/** A refusal on the wire. */
export type Failure = z.infer<typeof FailureSchema>;
