// Direct lookup (docs/api.md): requests, answers and errors, and the fixed prices of single values.
import { z } from 'zod';
import { type CreditUnits, creditUnits, unitsPerCredit } from './credits.ts';
import { PendingApprovalSchema } from './envelope.ts';
import { emailStatuses } from './jobs/job.ts';
import { profileUrlCharactersMax } from './limits/jobs.ts';

/** Values of a person that an account pays once (docs/rules.md, "Money"). */
export const ownedKinds = ['email', 'phone', 'profile'] as const;
export type OwnedKind = (typeof ownedKinds)[number];

const wholeCredits = (credits: number): CreditUnits => creditUnits(credits * unitsPerCredit);

/** Price of each value, the same for every account. */
export const lookupPrices: Readonly<Record<OwnedKind, CreditUnits>> = {
  email: wholeCredits(1),
  phone: wholeCredits(5),
  profile: wholeCredits(1),
};

export const LookupQuerySchema = z.object({
  token: z.string().describe('An API key of the account.'),
});

const profileUrlProblem = 'send the URL of the person’s profile as a string';

/** Body of both routes. Other fields are ignored. */
export const LookupBodySchema = z.object({
  profile_url: z
    .string(profileUrlProblem)
    .trim()
    .min(1, profileUrlProblem)
    .max(profileUrlCharactersMax)
    .meta({
      description: 'URL of the person’s professional profile.',
      examples: ['https://www.linkedin.com/in/ada-lovelace'],
    }),
});

export const PhoneAnswerSchema = z
  .object({
    status: z.literal('success'),
    results: z.object({ phone: z.string().describe('E.164; a suffix “ x12” is an extension.') }),
  })
  .meta({
    id: 'PhoneAnswer',
    examples: [{ status: 'success', results: { phone: '+12025550143' } }],
  });
export type PhoneAnswer = z.infer<typeof PhoneAnswerSchema>;
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

/** Error of both routes and of every unknown path below theirs. `code` is the HTTP status. */
export const LookupFailureSchema = z
  .object({
    status: z.literal('error'),
    message: z.string(),
    code: z.int(),
    approval: PendingApprovalSchema.optional().describe('With 409: the approval that is needed.'),
  })
  .meta({ id: 'LookupFailure' });
export type LookupFailure = z.infer<typeof LookupFailureSchema>;
