// The wallet, the ledger and the rates of an account at /app/v1.
import { z } from 'zod';
import { CreditsSchema } from './credits.ts';
import { endpoints } from './endpoints.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { allSubjectKinds } from './ledger-subject.ts';
import { PageQuerySchema } from './whole-number.ts';

export const WalletSchema = z
  .object({
    available: CreditsSchema,
    held: CreditsSchema,
    spent: CreditsSchema,
  })
  .meta({
    id: 'Wallet',
    examples: [{ available: '9997.0000', held: '3.0000', spent: '0.0000' }],
  });

export type Wallet = z.infer<typeof WalletSchema>;

export const LedgerEntrySchema = z.object({
  id: z.int(),
  kind: z.enum(['grant', 'hold', 'settle', 'release', 'charge', 'refund']),
  amount: CreditsSchema,
  hold_id: z.int().nullable(),
  subject_kind: z.enum(allSubjectKinds).describe('What the credits are for.'),
  subject_id: z.string(),
  reference: z.string().describe('The subject in words.'),
  at: TimestampSchema,
  key_id: UuidSchema.nullable().describe('The API key that caused it; null for the app.'),
  key_label: z.string().nullable(),
  person_name: z
    .string()
    .nullable()
    .describe('Current directory name of the person whose value was paid for; null otherwise.'),
});

export type LedgerEntry = z.infer<typeof LedgerEntrySchema>;

/** Answer of GET /app/v1/wallet/entries: newest first. */
export const LedgerPageSchema = z.object({
  count: z.int(),
  next: z.string().nullable(),
  previous: z.string().nullable(),
  results: z.array(LedgerEntrySchema),
});

export const GrantSchema = z.object({
  credits: z
    .string()
    .or(z.number())
    .meta({ examples: ['500'] }),
});

export const wallet = endpoints('wallet', {
  read: { app: 'GET /app/v1/wallet', answer: WalletSchema },
  grant: {
    app: 'POST /app/v1/wallet/grants',
    body: GrantSchema,
    answer: WalletSchema,
    statuses: [201],
  },
  entries: {
    app: 'GET /app/v1/wallet/entries',
    query: PageQuerySchema,
    answer: LedgerPageSchema,
    isLong: true,
  },
});
