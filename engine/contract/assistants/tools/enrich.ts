/** The enrich_* tools on the wire: whom they are asked for, and what they answer (section C). */
import { z } from 'zod';
import { CreditsSchema } from '../../credits.ts';
import { CandidateSchema, emailStatuses, matchFields } from '../../jobs/job.ts';
import { toolTextCharactersMax } from '../../limits/assistants.ts';
import { profileUrlCharactersMax } from '../../limits/jobs.ts';
import { chargedFields, OmissionSchema, payingOptions } from './paying.ts';

const text = (words: string) =>
  z.string().trim().min(1).max(toolTextCharactersMax).optional().describe(words);

const namedPerson = {
  profile_url: z
    .string()
    .trim()
    .min(1)
    .max(profileUrlCharactersMax)
    .optional()
    .describe('Address of the person’s professional profile: the surest way to name somebody.'),
  first_name: text('With last_name and a company.'),
  last_name: text('With first_name and a company.'),
  company_name: text('Name of the person’s company, with both names.'),
  company_website: text('Website or domain of the company, instead of its name or beside it.'),
};
const email = text('An email address of the person.');

/** Arguments of enrich_email: an address is no way to ask for an address. */
export const EnrichEmailSchema = z.strictObject({ ...namedPerson, ...payingOptions });
/** Arguments of enrich_phone, enrich_contact and enrich_profile. */
export const EnrichPersonSchema = z.strictObject({ ...namedPerson, email, ...payingOptions });
/** Arguments of any of them. */
export type EnrichPerson = z.infer<typeof EnrichPersonSchema>;

/** What became of the question who is meant. Only `found` can cost anything. */
export const enrichStatuses = ['found', 'not_found', 'ambiguous', 'suppressed'] as const;

const answered = {
  status: z.enum(enrichStatuses),
  reason: z.string().optional().describe('Why nothing was found, and what would help.'),
  candidates: z.array(CandidateSchema).optional().describe('Whom an ambiguous question may mean.'),
  uuid: z.guid().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  confidence: z.number().optional().describe('0 to 1.'),
  matched_on: z.array(z.enum(matchFields)).optional().describe('The arguments that decided.'),
  omitted: z
    .array(OmissionSchema)
    .optional()
    .describe('What is known of the person, and was not given or charged.'),
  ...chargedFields,
};
const emailFields = {
  email: z.string().optional(),
  email_status: z.enum(emailStatuses).optional(),
};
const phoneFields = {
  phone: z.string().optional().describe('E.164; “ x12” behind it is an extension.'),
};

/** Answer of enrich_email. */
export const EnrichedEmailSchema = z.object({ ...answered, ...emailFields });
/** Answer of enrich_phone. */
export const EnrichedPhoneSchema = z.object({ ...answered, ...phoneFields });
/** Answer of enrich_contact. */
export const EnrichedContactSchema = z.object({ ...answered, ...emailFields, ...phoneFields });

/** One employment of a work history. */
export const EmploymentSchema = z.object({
  company_name: z.string().nullable(),
  title: z.string().nullable(),
  start_date: z.string().nullable().describe('A day, a month or a year.'),
  end_date: z.string().nullable(),
  is_current: z.boolean(),
});
/** One employment of a work history. */
export type Employment = z.infer<typeof EmploymentSchema>;

/** Answer of enrich_profile. */
export const EnrichedProfileSchema = z.object({
  ...answered,
  ...emailFields,
  ...phoneFields,
  title: z.string().nullable().optional(),
  company: z.string().nullable().optional().describe('The current employer, else the last one.'),
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
/** The widest of the answers; each tool takes its own part of it. */
export type Enriched = z.infer<typeof EnrichedProfileSchema>;
