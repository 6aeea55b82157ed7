// unlock_contacts: its arguments, answer and definition (docs/api.md, "Tools").
import { z } from 'zod';
import { CreditsSchema, sayCredits, showCredits } from '../../credits.ts';
import { emailStatuses } from '../../jobs/job.ts';
import { unlockContactsMax } from '../../limits/assistants.ts';
import { lookupPrices } from '../../lookup.ts';
import { chargedFields, omissionReasons, payingOptions } from './paying.ts';
import { payingHints, type ToolDefinitions } from './tool-definition.ts';

const uuidsProblem = `send from 1 to ${unlockContactsMax} UUIDs of search_contacts`;

export const UnlockContactsSchema = z.strictObject({
  uuids: z
    .array(z.guid().toLowerCase())
    .min(1, uuidsProblem)
    .max(unlockContactsMax, uuidsProblem)
    .describe('UUIDs of contacts, from search_contacts.'),
  unlock_type: z.enum(['email', 'phone']),
  ...payingOptions,
});
export type UnlockContacts = z.infer<typeof UnlockContactsSchema>;

/**
 * Result for one contact: paid for now, paid for before, known but not paid for, or unknown. A dry
 * run reports `locked` for what it would pay for.
 */
export const unlockStatuses = ['unlocked', 'owned', 'locked', 'not_found'] as const;

export const UnlockedContactSchema = z.object({
  uuid: z.guid(),
  status: z.enum(unlockStatuses),
  email: z.string().optional(),
  email_status: z.enum(emailStatuses).optional(),
  phone: z.string().optional().describe('E.164; a suffix “ x12” is an extension.'),
  reason: z.enum(omissionReasons).optional().describe('Why the value stayed locked.'),
  credits_charged: CreditsSchema,
});
export type UnlockedContact = z.infer<typeof UnlockedContactSchema>;

export const UnlockedContactsSchema = z.object({
  results: z.array(UnlockedContactSchema).describe('One for each UUID, in the order sent.'),
  ...chargedFields,
});
export type UnlockedContacts = z.infer<typeof UnlockedContactsSchema>;

export const unlockTools = {
  unlock_contacts: {
    title: 'Unlock contacts',
    description:
      'Returns the email or phone of contacts from search_contacts. Costs ' +
      `${sayCredits(lookupPrices.email)} per email and ${showCredits(lookupPrices.phone)} per ` +
      'phone, only for values that are known and not owned yet, never beyond the balance: what ' +
      'the credits do not cover stays locked and is not charged.',
    input: UnlockContactsSchema,
    output: UnlockedContactsSchema,
    ...payingHints,
    isOpenWorld: false,
  },
} as const satisfies ToolDefinitions;
