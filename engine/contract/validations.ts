/**
 * Email validation on the wire (specification, section C: validate_emails and
 * check_email_validation_status): what is asked, what each address came to, and why.
 */
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { type EmailStatus, emailStatuses } from './jobs/job.ts';
import { idempotencyKeyCharactersMax } from './limits/ledger.ts';
import { validationEmailCharactersMax, validationEmailsMax } from './limits/validations.ts';

/** Where a validation stands: queued → running → completed | failed. */
export const validationStatuses = ['queued', 'running', 'completed', 'failed'] as const;
/** Where a validation stands. */
export type ValidationStatus = (typeof validationStatuses)[number];

const says = <Status extends EmailStatus>(status: Status, sentence: string) => ({
  status,
  sentence,
});

/**
 * Every reason, the one status that it goes with, and its sentence. All but `unknown` are decided,
 * and charged.
 */
export const validationReasons = {
  verified_by_source: says(
    'valid',
    'A source that is trusted verified the address not long ago, and its domain accepts mail.',
  ),
  not_an_address: says('invalid', 'This is no email address: an @ is missing, or there is more.'),
  display_name: says('invalid', 'The address has a display name. Send the address alone.'),
  comment: says('invalid', 'The address holds a comment in parentheses. Send it without.'),
  local_part_malformed: says('invalid', 'What stands before the @ breaks the rules of addresses.'),
  local_part_too_long: says('invalid', 'What stands before the @ is longer than 64 bytes.'),
  address_too_long: says('invalid', 'The address is longer than 254 bytes.'),
  domain_malformed: says('invalid', 'What stands behind the @ is no domain name.'),
  domain_incomplete: says('invalid', 'The domain has no dot: it names no place on the internet.'),
  domain_reserved: says('invalid', 'The domain is reserved for examples and tests.'),
  domain_not_found: says('invalid', 'There is no such domain.'),
  domain_refuses_mail: says('invalid', 'The domain says that it takes no mail (a null MX).'),
  domain_has_no_mail_host: says('invalid', 'The domain exists, but no host takes mail for it.'),
  reported_invalid: says('invalid', 'A source that is trusted saw mail to this address bounce.'),
  reported_catch_all: says(
    'catch_all',
    'A source says that the domain takes mail for any name: this one may reach nobody.',
  ),
  disposable_domain: says('disposable', 'The domain gives addresses that are thrown away.'),
  reported_disposable: says('disposable', 'A source says that the address is a throw-away one.'),
  role_mailbox: says('role', 'The address belongs to an office, not to a person.'),
  reported_role: says('role', 'A source says that the address belongs to an office.'),
  domain_accepts_mail: says(
    'unknown',
    'The domain takes mail; nobody has said whether this mailbox exists.',
  ),
  report_too_old: says(
    'unknown',
    'The domain takes mail; what a source said of the mailbox is too long ago.',
  ),
  domain_not_answering: says('unknown', 'The name servers of the domain did not answer.'),
  network_unavailable: says('unknown', 'There is no internet, or no name server answers.'),
  network_unreliable: says(
    'unknown',
    'This network answers for names that do not exist, so that nothing it says counts.',
  ),
  address_literal: says('unknown', 'The address names a host by its number, which tells nothing.'),
} as const satisfies Record<string, { status: EmailStatus; sentence: string }>;
/** Why an address has its status. */
export type ValidationReason = keyof typeof validationReasons;
/** The reasons, in the table's order. */
const reasonNames = Object.keys(validationReasons) as [ValidationReason, ...ValidationReason[]];

/** The status that goes with a reason. */
export const statusOfReason = (reason: ValidationReason): EmailStatus =>
  validationReasons[reason].status;

/** Whether a status is an answer, which is charged; `unknown` is none, and free. */
export const isDecided = (status: EmailStatus): boolean => status !== 'unknown';

/** What is said of too many addresses, or none. */
export const emailsProblem = `send from 1 to ${validationEmailsMax} addresses`;

/** What starts a validation: the arguments of validate_emails, the body of the app's route. */
export const ValidateEmailsSchema = z.object({
  emails: z
    .array(z.string().trim().min(1, 'it is empty').max(validationEmailCharactersMax))
    .min(1, emailsProblem)
    .max(validationEmailsMax, emailsProblem)
    .describe('Addresses, one in each entry. The same address twice is validated once.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(idempotencyKeyCharactersMax)
    .optional()
    .describe('The same list under the same key within 24 hours is the same job.'),
});

/** What an address came to. */
export const EmailVerdictSchema = z.object({
  email: z.string().describe('As it was sent, spaces around it dropped.'),
  status: z.enum(emailStatuses),
  reason: z.enum(reasonNames),
});
export type EmailVerdict = z.infer<typeof EmailVerdictSchema>;

/** What a list would cost at most. */
export const ValidationEstimateSchema = z.object({
  total_emails: z.int().describe('Different addresses.'),
  duplicate_emails: z.int().describe('Entries that repeat an earlier one.'),
  price_per_email: CreditsSchema,
  credits_needed: CreditsSchema.describe('What would be held; only what is decided is charged.'),
  available_credits: CreditsSchema,
  sufficient: z.boolean(),
});
export type ValidationEstimate = z.infer<typeof ValidationEstimateSchema>;

/** A validation, without its results. */
export const ValidationSchema = z.object({
  job_id: UuidSchema,
  status: z.enum(validationStatuses),
  ready: z.boolean().describe('Whether it has ended.'),
  total_emails: z.int().describe('Different addresses.'),
  duplicate_emails: z.int().describe('Entries that repeated an earlier one.'),
  done_emails: z.int(),
  counts: z.record(z.enum(emailStatuses), z.int()),
  price_per_email: CreditsSchema,
  credits_held: CreditsSchema,
  credits_charged: CreditsSchema.describe('0 until it ends.'),
  credits_released: CreditsSchema.describe('0 until it ends.'),
  error_detail: z.string().nullable().describe('Why it failed.'),
  created_at: TimestampSchema,
  started_at: TimestampSchema.nullable(),
  completed_at: TimestampSchema.nullable(),
});
export type Validation = z.infer<typeof ValidationSchema>;

/** A validation with a page of what it found so far, in the order sent; nothing where it failed. */
export const ValidationReportSchema = ValidationSchema.extend({
  results: z.array(EmailVerdictSchema),
});
export type ValidationReport = z.infer<typeof ValidationReportSchema>;

const links = { count: z.int(), next: z.string().nullable(), previous: z.string().nullable() };
/** A page of validations, newest first. */
export const ValidationPageSchema = z.object({ ...links, results: z.array(ValidationSchema) });
/** A page of one validation's results, in the order sent. */
export const VerdictPageSchema = z.object({
  ...links,
  validation: ValidationSchema,
  results: z.array(EmailVerdictSchema),
});
