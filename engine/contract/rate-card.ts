// The prices of an account: credits per row and layer.
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { endpoints } from './endpoints.ts';
import { rateCodes } from './rates.ts';

export const RateChangeSchema = z.object({
  price: z.string().optional(),
  active: z.boolean().optional(),
});

export const RateSchema = z.object({
  code: z.enum(rateCodes),
  label: z.string(),
  price: CreditsSchema,
  active: z.boolean(),
});

export type Rate = z.infer<typeof RateSchema>;

export const rates = endpoints('rates', {
  list: { app: 'GET /app/v1/rates', answer: z.array(RateSchema) },
  change: {
    app: 'PUT /app/v1/rates/:code',
    params: z.object({ code: RateSchema.shape.code }),
    body: RateChangeSchema,
    answer: RateSchema,
  },
});
