/**
 * The tools of the tool server (specification, section C): names, words, and what each takes and
 * answers. Descriptions are what an assistant chooses by: they name the cost.
 */
import type { z } from 'zod';
import { WalletSchema } from '../ledger.ts';
import {
  FoundCompaniesSchema,
  FoundContactsSchema,
  SearchCompaniesSchema,
  SearchContactsSchema,
} from '../search.ts';
import {
  EnrichEmailSchema,
  EnrichedContactSchema,
  EnrichedEmailSchema,
  EnrichedPhoneSchema,
  EnrichedProfileSchema,
  EnrichPersonSchema,
} from './tools/enrich.ts';
import {
  CheckedListSchema,
  CheckListSchema,
  EnrichListSchema,
  StartedListSchema,
} from './tools/enrich-list.ts';
import { UnlockContactsSchema, UnlockedContactsSchema } from './tools/unlock.ts';
import {
  CheckedValidationSchema,
  CheckValidationSchema,
  StartedValidationSchema,
  ValidateEmailsToolSchema,
} from './tools/validation.ts';
import { NoArgumentsSchema } from './tools/wallet.ts';

/** The words and schemas of one tool. */
export interface ToolDefinition {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Whether it costs nothing and changes nothing. */
  readonly isReadOnly: boolean;
  /** Whether the same call again changes and costs nothing more. */
  readonly isIdempotent: boolean;
  /** Whether it may ask beyond this machine. */
  readonly isOpenWorld: boolean;
}

const free = { isReadOnly: true, isIdempotent: true, isOpenWorld: false };
// What was paid for once is owned, and free.
const paying = { isReadOnly: false, isIdempotent: true, isOpenWorld: true };

const person =
  'Name the person by profile_url, or by first_name and last_name with company_name or ' +
  'company_website';
const abstains =
  'Whoever cannot be told apart is not guessed: the answer says why, names candidates, and is ' +
  'free. What was paid for once is free from then on.';

/** Every tool by its name, in the order in which they are listed. */
export const tools = {
  search_contacts: {
    title: 'Search contacts',
    description:
      'Finds people by title, level, company, industry, country and size of their employer. ' +
      'Free. Emails and phones stay hidden: has_email and has_phone tell what unlock_contacts ' +
      'would give for a UUID.',
    input: SearchContactsSchema,
    output: FoundContactsSchema,
    ...free,
  },
  search_companies: {
    title: 'Search companies',
    description: 'Finds companies by name, industry, country and size, each one once. Free.',
    input: SearchCompaniesSchema,
    output: FoundCompaniesSchema,
    ...free,
  },
  unlock_contacts: {
    title: 'Unlock contacts',
    description:
      'Shows the email or the phone of contacts from search_contacts. Costs 1 credit per email ' +
      'and 5 per phone, only for those that are known and not owned yet, never beyond the ' +
      'balance: what the credits do not cover stays locked and is not charged.',
    input: UnlockContactsSchema,
    output: UnlockedContactsSchema,
    ...paying,
    isOpenWorld: false,
  },
  enrich_email: {
    title: 'Find an email',
    description:
      `Finds a person’s work email. Costs 1 credit where one is found. ${person}. ` + `${abstains}`,
    input: EnrichEmailSchema,
    output: EnrichedEmailSchema,
    ...paying,
  },
  enrich_phone: {
    title: 'Find a phone number',
    description:
      `Finds a person’s own phone number. Costs 5 credits where one is found. ${person}, or by ` +
      `email. ${abstains}`,
    input: EnrichPersonSchema,
    output: EnrichedPhoneSchema,
    ...paying,
  },
  enrich_contact: {
    title: 'Find an email and a phone number',
    description:
      'Finds a person’s work email and phone in one call. Costs 1 credit for the email and 5 for ' +
      'the phone, only for what is returned; a phone that the credits do not cover is left out. ' +
      `${person}, or by email. ${abstains}`,
    input: EnrichPersonSchema,
    output: EnrichedContactSchema,
    ...paying,
  },
  enrich_profile: {
    title: 'Find a whole profile',
    description:
      'Finds name, title, company, location and work history, with email and phone. Costs 1 ' +
      'credit for the profile, 1 for an email and 5 for a phone that are found: up to 7, and ' +
      `never beyond the balance. ${person}; an email may help. ${abstains}`,
    input: EnrichPersonSchema,
    output: EnrichedProfileSchema,
    ...paying,
  },
  check_wallet: {
    title: 'Check the wallet',
    description: 'Tells the credits that are available, held by running jobs, and spent. Free.',
    input: NoArgumentsSchema,
    output: WalletSchema,
    ...free,
  },
  validate_emails: {
    title: 'Validate emails',
    description:
      'Starts to check whether addresses exist, and answers a job_id at once. Costs the ' +
      'account’s price for each address that is decided (0.1 credits unless changed); the price ' +
      'of all is held until the job ends. Two equal calls are two jobs, unless they have the ' +
      'same idempotency_key. Follow it with check_email_validation_status.',
    input: ValidateEmailsToolSchema,
    output: StartedValidationSchema,
    ...paying,
    isIdempotent: false,
  },
  check_email_validation_status: {
    title: 'Check an email validation',
    description: 'Tells how far a job of validate_emails is, and what it found so far. Free.',
    input: CheckValidationSchema,
    output: CheckedValidationSchema,
    ...free,
  },
  enrich_list: {
    title: 'Enrich a list',
    description:
      'Starts a job that enriches a list, and answers a job_id at once. The list is up to 1,000 ' +
      'rows, or the path of a whole CSV file in a folder that a person has allowed. Costs the ' +
      'account’s price per enriched row for the selected layers (L1 1, L2 0.5, L3 1, L4 0.5, MPA ' +
      '5 credits unless changed); the price of all rows is held until the job ends. Rows that ' +
      'are not enriched are free. Two equal calls are two jobs, unless they have the same ' +
      'idempotency_key. Follow it with check_enrich_list; dry_run counts the rows and tells ' +
      'the price.',
    input: EnrichListSchema,
    output: StartedListSchema,
    ...paying,
    isIdempotent: false,
  },
  check_enrich_list: {
    title: 'Check a list',
    description: 'Tells how far a job of enrich_list is, and its rows once it has completed. Free.',
    input: CheckListSchema,
    output: CheckedListSchema,
    ...free,
  },
} as const satisfies Record<string, ToolDefinition>;

/** The name of a tool. */
export type ToolName = keyof typeof tools;
/** What a tool is given, parsed. */
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]['input']>;
/** What a tool answers. */
export type ToolOutput<Name extends ToolName> = z.input<(typeof tools)[Name]['output']>;
