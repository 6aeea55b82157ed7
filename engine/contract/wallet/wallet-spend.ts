// What was spent over time, by layer, client and data service (/app/v1/wallet/spend).
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { layerCodes } from '../jobs/layers.ts';
import { allSubjectKinds } from '../ledger-subject.ts';

/** Length of a period. Weeks begin on Monday. */
export const spendSteps = ['day', 'week', 'month'] as const;
export type SpendStep = (typeof spendSteps)[number];

/** What credits are spent on: a layer, or a kind of subject. */
export const spendParts = [
  ...layerCodes,
  ...allSubjectKinds.filter((kind) => kind !== 'grant'),
] as const;
export type SpendPart = (typeof spendParts)[number];

/** Query of GET /app/v1/wallet/spend. Days in UTC; `until` is included. */
export const SpendQuerySchema = z.strictObject({
  step: z.enum(spendSteps).default('week'),
  since: z.iso.date(),
  until: z.iso.date(),
});

const total = CreditsSchema.describe('The sum of the periods.');
const periods = z.array(CreditsSchema).describe('One amount per period, oldest first.');

/** Its answer. Parts and clients each add up to `total`. */
export const SpendReportSchema = z.object({
  step: z.enum(spendSteps),
  periods: z.array(z.iso.date()).describe('First day of each period.'),
  total,
  by_period: periods,
  parts: z.array(z.object({ part: z.enum(spendParts), total, by_period: periods })),
  clients: z.array(
    z.object({
      id: z.string().describe('`app`, or the id of an API key.'),
      name: z.string().nullable().describe('Null for the app.'),
      total,
      by_period: periods,
    }),
  ),
  providers: z.array(
    z.object({
      provider: z.string(),
      total: z.number().describe("In the data service's own credits."),
      by_period: z.array(z.number()),
    }),
  ),
});
export type SpendReport = z.infer<typeof SpendReportSchema>;

export const walletSpend = endpoints('walletSpend', {
  read: { app: 'GET /app/v1/wallet/spend', query: SpendQuerySchema, answer: SpendReportSchema },
});
