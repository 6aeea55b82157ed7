// Email validation: requests, statuses and reasons (docs/api.md, "Email validation").
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { type EmailStatus, emailStatuses } from './jobs/job.ts';
import { idempotencyKeyCharactersMax } from './limits/ledger.ts';
import { validationEmailCharactersMax, validationEmailsMax } from './limits/validations.ts';
import { PageQuerySchema } from './whole-number.ts';

/** States of a validation: queued → running → completed | failed. */
export const validationStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export type ValidationStatus = (typeof validationStatuses)[number];

const says = <Status extends EmailStatus>(status: Status, sentence: string) => ({
  status,
  sentence,
});

/** Every reason, its status, and its sentence. All but `unknown` are charged. */
export const validationReasons = {
  verified_by_source: says(
    'valid',
    'A trusted source verified the address recently, and its domain accepts mail.',
  ),
  not_an_address: says(
    'invalid',
    'This is not an email address: the @ is missing, or there is additional text.',
  ),
  display_name: says('invalid', 'The address has a display name. Send only the address.'),
  comment: says('invalid', 'The address contains a comment in parentheses. Remove the comment.'),
  local_part_malformed: says('invalid', 'The part before the @ is not valid in an email address.'),
  local_part_too_long: says('invalid', 'The part before the @ is longer than 64 bytes.'),
  address_too_long: says('invalid', 'The address is longer than 254 bytes.'),
  domain_malformed: says('invalid', 'The part after the @ is not a domain name.'),
  domain_incomplete: says('invalid', 'The domain has no dot, so it is not an internet domain.'),
  domain_reserved: says('invalid', 'The domain is reserved for examples and tests.'),
  domain_not_found: says('invalid', 'The domain does not exist.'),
  domain_refuses_mail: says('invalid', 'The domain declares that it accepts no mail (null MX).'),
  domain_has_no_mail_host: says('invalid', 'The domain exists, but no host accepts mail for it.'),
  reported_invalid: says('invalid', 'A trusted source reported that mail to this address bounced.'),
  reported_catch_all: says(
    'catch_all',
    'A source reports that the domain accepts mail for any name, so this mailbox may not exist.',
  ),
  disposable_domain: says('disposable', 'The domain provides disposable addresses.'),
  reported_disposable: says('disposable', 'A source reports that the address is disposable.'),
  role_mailbox: says('role', 'The address belongs to a role, not to a person.'),
  reported_role: says('role', 'A source reports that the address belongs to a role.'),
  domain_accepts_mail: says(
    'unknown',
    'The domain accepts mail; no source reports whether this mailbox exists.',
  ),
  report_too_old: says(
    'unknown',
    'The domain accepts mail; the sources’ reports about this mailbox are too old.',
  ),
  domain_not_answering: says('unknown', 'The name servers of the domain did not answer.'),
  network_unavailable: says(
    'unknown',
    'There is no internet connection, or no name server answers.',
  ),
  network_unreliable: says(
    'unknown',
    'This network answers for names that do not exist, so its answers cannot be trusted.',
  ),
  suppressed: says('unknown', 'The address is on the suppression list.'),
  address_literal: says(
    'unknown',
    'The address has an IP address as its domain, which cannot be checked.',
  ),
} as const satisfies Record<string, { status: EmailStatus; sentence: string }>;
export type ValidationReason = keyof typeof validationReasons;
const reasonNames = Object.keys(validationReasons) as [ValidationReason, ...ValidationReason[]];

export const statusOfReason = (reason: ValidationReason): EmailStatus =>
  validationReasons[reason].status;

/** Whether a status is a definite answer, which is charged. `unknown` is not, and is free. */
export const isDecided = (status: EmailStatus): boolean => status !== 'unknown';

export const emailsProblem = `send from 1 to ${validationEmailsMax} addresses`;

export const ValidateEmailsSchema = z.object({
  emails: z
    .array(z.string().trim().min(1, 'it is empty').max(validationEmailCharactersMax))
    .min(1, emailsProblem)
    .max(validationEmailsMax, emailsProblem)
    .describe('One address per entry. Duplicates are validated once.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(idempotencyKeyCharactersMax)
    .optional()
    .describe('A repeat of the list with the same key within 24 hours returns the same job.'),
});

export const EmailVerdictSchema = z.object({
  email: z.string().describe('The address as sent, without surrounding spaces.'),
  status: z.enum(emailStatuses),
  reason: z.enum(reasonNames),
});
export type EmailVerdict = z.infer<typeof EmailVerdictSchema>;

export const ValidationEstimateSchema = z.object({
  total_emails: z.int().describe('Number of distinct addresses.'),
  duplicate_emails: z.int().describe('Number of duplicates.'),
  price_per_email: CreditsSchema,
  credits_needed: CreditsSchema.describe('The amount to hold. Only decided addresses are charged.'),
  available_credits: CreditsSchema,
  sufficient: z.boolean(),
});
export type ValidationEstimate = z.infer<typeof ValidationEstimateSchema>;

export const ValidationSchema = z.object({
  job_id: UuidSchema,
  status: z.enum(validationStatuses),
  ready: z.boolean().describe('Whether the validation has ended.'),
  total_emails: z.int().describe('Number of distinct addresses.'),
  duplicate_emails: z.int().describe('Number of duplicates.'),
  done_emails: z.int(),
  counts: z.record(z.enum(emailStatuses), z.int()),
  price_per_email: CreditsSchema,
  credits_held: CreditsSchema,
  credits_charged: CreditsSchema.describe('0 until the validation ends.'),
  credits_released: CreditsSchema.describe('0 until the validation ends.'),
  error_detail: z.string().nullable().describe('Why the validation failed.'),
  created_at: TimestampSchema,
  started_at: TimestampSchema.nullable(),
  completed_at: TimestampSchema.nullable(),
});
export type Validation = z.infer<typeof ValidationSchema>;

/** A validation with a page of its verdicts so far, in the order sent; empty if it failed. */
export const ValidationReportSchema = ValidationSchema.extend({
  results: z.array(EmailVerdictSchema),
});
export type ValidationReport = z.infer<typeof ValidationReportSchema>;

const links = { count: z.int(), next: z.string().nullable(), previous: z.string().nullable() };
export const ValidationPageSchema = z.object({ ...links, results: z.array(ValidationSchema) });
export const VerdictPageSchema = z.object({
  ...links,
  validation: ValidationSchema,
  results: z.array(EmailVerdictSchema),
});

const JobParamsSchema = z.object({ job_id: UuidSchema.toLowerCase() });

export const validations = endpoints('validations', {
  estimate: {
    app: 'POST /app/v1/email-validations/estimate',
    body: ValidateEmailsSchema,
    largeBody: 'validation',
    answer: ValidationEstimateSchema,
  },
  start: {
    app: 'POST /app/v1/email-validations',
    isRepeatable: true,
    body: ValidateEmailsSchema,
    largeBody: 'validation',
    answer: ValidationSchema,
    statuses: [202, 200],
  },
  list: {
    app: 'GET /app/v1/email-validations',
    query: PageQuerySchema,
    answer: ValidationPageSchema,
    isLong: true,
  },
  read: {
    app: 'GET /app/v1/email-validations/:job_id',
    params: JobParamsSchema,
    answer: ValidationSchema,
  },
  verdicts: {
    app: 'GET /app/v1/email-validations/:job_id/results',
    params: JobParamsSchema,
    query: PageQuerySchema,
    answer: VerdictPageSchema,
    isLong: true,
  },
});
