/**
 * Direct lookup (specification, section B): what it asks, answers and refuses with, and what a
 * person's values cost where they are paid for one by one.
 */
import { z } from 'zod';
import { type CreditUnits, creditUnits, unitsPerCredit } from './credits.ts';
import { AskedApprovalSchema } from './envelope.ts';
import { emailStatuses } from './jobs/job.ts';
import { profileUrlCharactersMax } from './limits/jobs.ts';

/** What of a person an account can own: paid for once, free from then on (decisions, "Money"). */
export const ownedKinds = ['email', 'phone', 'profile'] as const;
/** A kind of value that can be owned. */
export type OwnedKind = (typeof ownedKinds)[number];

const wholeCredits = (credits: number): CreditUnits => creditUnits(credits * unitsPerCredit);

/** The price of each, the same for every account (specification, "Credit rules"). */
export const lookupPrices: Readonly<Record<OwnedKind, CreditUnits>> = {
  email: wholeCredits(1),
  phone: wholeCredits(5),
  profile: wholeCredits(1),
};

/** Query of both routes. */
export const LookupQuerySchema = z.object({
  token: z.string().describe('An API key of the account.'),
});

const profileUrlProblem = 'send the address of the person’s profile as a string';

/** Body of both routes. Other fields are ignored. */
export const LookupBodySchema = z.object({
  profile_url: z
    .string(profileUrlProblem)
    .trim()
    .min(1, profileUrlProblem)
    .max(profileUrlCharactersMax)
    .meta({
      description: 'Address of the person’s professional profile.',
      examples: ['https://www.linkedin.com/in/ada-lovelace'],
    }),
});

/** Answer of POST /phone/enrichment/. */
export const PhoneAnswerSchema = z
  .object({
    status: z.literal('success'),
    results: z.object({ phone: z.string().describe('E.164; “ x12” behind it is an extension.') }),
  })
  .meta({
    id: 'PhoneAnswer',
    examples: [{ status: 'success', results: { phone: '+12025550143' } }],
  });
export type PhoneAnswer = z.infer<typeof PhoneAnswerSchema>;
/** Answer of POST /email/enrichment/. */
export const EmailAnswerSchema = z
  .object({
    status: z.literal('success'),
    results: z.object({ email: z.string(), email_status: z.enum(emailStatuses) }),
  })
  .meta({
    id: 'EmailAnswer',
    examples: [
      { status: 'success', results: { email: 'ada@engines.example', email_status: 'valid' } },
    ],
  });
export type EmailAnswer = z.infer<typeof EmailAnswerSchema>;

/** How both refuse, and everything else below their paths: `code` is the HTTP status. */
export const LookupFailureSchema = z
  .object({
    status: z.literal('error'),
    message: z.string(),
    code: z.int(),
    approval: AskedApprovalSchema.optional().describe('Of 409: the question to be answered.'),
  })
  .meta({ id: 'LookupFailure' });
export type LookupFailure = z.infer<typeof LookupFailureSchema>;
