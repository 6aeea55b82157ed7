// The tools that enrich one person: arguments, answers, definitions (docs/api.md, "Tools").
import { z } from 'zod';
import { CreditsSchema, creditUnits, sayCredits, showCredits } from '../../credits.ts';
import { CandidateSchema, emailStatuses, matchFields } from '../../jobs/job.ts';
import { toolTextCharactersMax } from '../../limits/assistants.ts';
import { profileUrlCharactersMax } from '../../limits/jobs.ts';
import { lookupPrices } from '../../lookup.ts';
import { chargedFields, OmissionSchema, payingOptions } from './paying.ts';
import { payingHints, type ToolDefinitions } from './tool-definition.ts';

const text = (words: string) =>
  z.string().trim().min(1).max(toolTextCharactersMax).optional().describe(words);

const namedPerson = {
  profile_url: z
    .string()
    .trim()
    .min(1)
    .max(profileUrlCharactersMax)
    .optional()
    .describe(
      'URL of the person’s professional profile: the most reliable way to identify a person.',
    ),
  first_name: text('Needs last_name and a company.'),
  last_name: text('Needs first_name and a company.'),
  company_name: text('Name of the person’s company. Needs both names.'),
  company_website: text('Website or domain of the company, instead of or with its name.'),
};
const email = text('An email address of the person.');

/** Arguments of enrich_email. There is no `email`: an address cannot be used to find an address. */
export const EnrichEmailSchema = z.strictObject({ ...namedPerson, ...payingOptions });
export const EnrichPersonSchema = z.strictObject({ ...namedPerson, email, ...payingOptions });
export type EnrichPerson = z.infer<typeof EnrichPersonSchema>;

/** Result of identifying the person. Only `found` can cost anything. */
export const enrichStatuses = ['found', 'not_found', 'ambiguous', 'suppressed'] as const;

const answered = {
  status: z.enum(enrichStatuses),
  reason: z.string().optional().describe('Why nothing was found and what would help.'),
  candidates: z
    .array(CandidateSchema)
    .optional()
    .describe('People that an ambiguous request may mean.'),
  uuid: z.guid().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  confidence: z.number().optional().describe('0 to 1.'),
  matched_on: z
    .array(z.enum(matchFields))
    .optional()
    .describe('The arguments that decided the match.'),
  omitted: z
    .array(OmissionSchema)
    .optional()
    .describe('Known values that were neither returned nor charged.'),
  ...chargedFields,
};
const emailFields = {
  email: z.string().optional(),
  email_status: z.enum(emailStatuses).optional(),
};
const phoneFields = {
  phone: z.string().optional().describe('E.164; a suffix “ x12” is an extension.'),
};

export const EnrichedEmailSchema = z.object({ ...answered, ...emailFields });
export const EnrichedPhoneSchema = z.object({ ...answered, ...phoneFields });
export const EnrichedContactSchema = z.object({ ...answered, ...emailFields, ...phoneFields });

export const EmploymentSchema = z.object({
  company_name: z.string().nullable(),
  title: z.string().nullable(),
  start_date: z.string().nullable().describe('A day, a month or a year.'),
  end_date: z.string().nullable(),
  is_current: z.boolean(),
});
export type Employment = z.infer<typeof EmploymentSchema>;

export const EnrichedProfileSchema = z.object({
  ...answered,
  ...emailFields,
  ...phoneFields,
  title: z.string().nullable().optional(),
  company: z
    .string()
    .nullable()
    .optional()
    .describe('The current employer, otherwise the last one.'),
  company_website: z.string().nullable().optional(),
  profile_url: z.string().nullable().optional(),
  location: z.string().nullable().optional().describe('City, state, country.'),
  employment_status: z.enum(['Current', 'Left']).optional(),
  work_history: z.array(EmploymentSchema).optional().describe('Newest first.'),
  charges: z
    .object({ profile: CreditsSchema, email: CreditsSchema, phone: CreditsSchema })
    .optional()
    .describe('What each part cost in this call.'),
});
export type Enriched = z.infer<typeof EnrichedProfileSchema>;

const person =
  'Identify the person by profile_url, or by first_name and last_name with company_name or ' +
  'company_website';
const abstains =
  'Never guesses: if several people match, the answer says why, lists candidates and is ' +
  'free. A value that is paid for once is free from then on.';
const { email: emailUnits, phone: phoneUnits, profile: profileUnits } = lookupPrices;

export const enrichTools = {
  enrich_email: {
    title: 'Find an email',
    description:
      `Finds a person’s work email. Costs ${sayCredits(emailUnits)} if one is found. ` +
      `${person}. ${abstains}`,
    input: EnrichEmailSchema,
    output: EnrichedEmailSchema,
    ...payingHints,
  },
  enrich_phone: {
    title: 'Find a phone number',
    description:
      `Finds a person’s own phone number. Costs ${sayCredits(phoneUnits)} if one is ` +
      `found. ${person}, or by email. ${abstains}`,
    input: EnrichPersonSchema,
    output: EnrichedPhoneSchema,
    ...payingHints,
  },
  enrich_contact: {
    title: 'Find an email and a phone number',
    description:
      'Finds a person’s work email and phone in one call. Costs ' +
      `${sayCredits(emailUnits)} for the email and ${showCredits(phoneUnits)} for the phone, ` +
      'only for what is returned. A phone that the credits do not cover is omitted. ' +
      `${person}, or by email. ${abstains}`,
    input: EnrichPersonSchema,
    output: EnrichedContactSchema,
    ...payingHints,
  },
  enrich_profile: {
    title: 'Find a whole profile',
    description:
      'Finds name, title, company, location and work history, with email and phone. Costs ' +
      `${sayCredits(profileUnits)} for the profile, ${showCredits(emailUnits)} for an email ` +
      `and ${showCredits(phoneUnits)} for a phone, if found: up to ` +
      `${showCredits(creditUnits(profileUnits + emailUnits + phoneUnits))}, never beyond the ` +
      `balance. ${person}; an email may help. ${abstains}`,
    input: EnrichPersonSchema,
    output: EnrichedProfileSchema,
    ...payingHints,
  },
} as const satisfies ToolDefinitions;
