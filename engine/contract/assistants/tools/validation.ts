// The tools that validate emails: arguments, answers, definitions (docs/api.md, "Tools").
import { z } from 'zod';
import { CreditsSchema, showCredits } from '../../credits.ts';
import { UuidSchema } from '../../ids.ts';
import { emailStatuses } from '../../jobs/job.ts';
import { pageLimitMax, pageLimitMin } from '../../limits/platform.ts';
import { verdictLimitDefault } from '../../limits/validations.ts';
import { defaultUnitsOf } from '../../rates.ts';
import { EmailVerdictSchema, ValidateEmailsSchema, validationStatuses } from '../../validations.ts';
import { payingOptions } from './paying.ts';
import { freeHints, payingHints, type ToolDefinitions } from './tool-definition.ts';

export const ValidateEmailsToolSchema = z.strictObject({
  emails: ValidateEmailsSchema.shape.emails,
  ...payingOptions,
});

export const StartedValidationSchema = z.object({
  job_id: UuidSchema.optional().describe('Pass it to check_email_validation_status.'),
  status: z.enum([...validationStatuses, 'not_started']),
  total_emails: z.int().describe('Number of distinct addresses.'),
  price_per_email: CreditsSchema,
  credits_held: CreditsSchema.describe(
    'Reserved. Only decided addresses are charged, when the job ends.',
  ),
  credits_charged: CreditsSchema,
  credits_at_most: CreditsSchema.optional().describe('Dry run only: the most the call would cost.'),
  dry_run: z.literal(true).optional(),
});

export const CheckValidationSchema = z.strictObject({
  job_id: UuidSchema.toLowerCase().describe('The job_id from validate_emails.'),
  limit: z.int().min(pageLimitMin).max(pageLimitMax).default(verdictLimitDefault),
  offset: z.int().min(0).default(0),
});

export const CheckedValidationSchema = z.object({
  job_id: UuidSchema,
  status: z.enum(validationStatuses),
  ready: z.boolean().describe('Whether the job has ended.'),
  total_emails: z.int(),
  done_emails: z.int(),
  counts: z.record(z.enum(emailStatuses), z.int()),
  credits_charged: CreditsSchema.describe('0 until the job ends.'),
  error_detail: z.string().nullable(),
  results: z.array(EmailVerdictSchema).describe('A page of verdicts in the order sent.'),
  next_offset: z.int().nullable().describe('The offset of the next page; null at the end.'),
});

const { email_validation: emailUnits } = defaultUnitsOf;

export const validationTools = {
  validate_emails: {
    title: 'Validate emails',
    description:
      'Starts a job that checks whether addresses exist and returns a job_id at once. Costs the ' +
      `account’s price for each address that is decided (${showCredits(emailUnits)} ` +
      'credits unless changed). The price of all is held until the job ends. Two identical ' +
      'calls start two jobs unless they share an idempotency_key. Then call ' +
      'check_email_validation_status.',
    input: ValidateEmailsToolSchema,
    output: StartedValidationSchema,
    ...payingHints,
    isIdempotent: false,
  },
  check_email_validation_status: {
    title: 'Check an email validation',
    description: 'Returns the progress of a job of validate_emails and its verdicts so far. Free.',
    input: CheckValidationSchema,
    output: CheckedValidationSchema,
    ...freeHints,
  },
} as const satisfies ToolDefinitions;
