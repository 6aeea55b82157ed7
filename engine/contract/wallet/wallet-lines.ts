// The wallet as lines: one per job, pipeline, email validation and monitor run with all its ledger
// entries, and one per grant, lookup and tool call (/app/v1/wallet/lines).
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { ExportAnswerSchema, ExportRequestSchema } from '../jobs/app-jobs.ts';
import { LedgerEntrySchema } from '../ledger.ts';
import { walletNameCharactersMax, walletPage } from '../limits/wallet.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';

export const walletLineKinds = [
  'grant',
  'job',
  'pipeline',
  'email_validation',
  'monitor_job',
  'lookup',
  'tool',
] as const;
export type WalletLineKind = (typeof walletLineKinds)[number];

/** Who causes movements: the app and the command line together, an API key, or an assistant. */
export const WalletClientSchema = z.object({
  /** `app`, or the id of the key. */
  id: z.string(),
  /** Null for the app. */
  name: z.string().nullable(),
  is_assistant: z.boolean(),
});
export type WalletClient = z.infer<typeof WalletClientSchema>;

export const WalletLineSchema = z.object({
  id: z.int(),
  kind: z.enum(walletLineKinds),
  name: z
    .string()
    .nullable()
    .describe('Title of the work, origin of a grant, tool, or person; null if it was deleted.'),
  work_id: z.string().nullable().describe('UUID of the work, or id of the monitor job.'),
  at: TimestampSchema.describe('Time of its first entry.'),
  client: WalletClientSchema,
  added: CreditsSchema,
  held: CreditsSchema.describe('What its holds reserved.'),
  open: CreditsSchema.describe('What is still reserved.'),
  charged: CreditsSchema,
  returned: CreditsSchema.describe('What was released from a hold, or refunded.'),
  net: CreditsSchema.describe('What it does to the available credits.'),
  balance: CreditsSchema.describe('Available credits after this line and every earlier one.'),
});
export type WalletLine = z.infer<typeof WalletLineSchema>;

const day = z.iso.date().describe('A day in UTC.');
const WalletFilterSchema = z.strictObject({
  kind: z.enum(walletLineKinds).optional(),
  client: z.union([z.literal('app'), UuidSchema.toLowerCase()]).optional(),
  since: day.optional(),
  until: day.optional(),
  name: z.string().trim().min(1).max(walletNameCharactersMax).optional(),
});
/** Which lines are listed. `until` is included. */
export type WalletFilter = z.infer<typeof WalletFilterSchema>;

/** Query of GET /app/v1/wallet/lines. `before`: the `next` of the page before. */
export const WalletQuerySchema = WalletFilterSchema.extend({
  before: wholeNumberText(1).optional(),
  limit: limitText(walletPage.byDefault, walletPage.max),
});

export const WalletPageSchema = z.object({
  lines: z.array(WalletLineSchema),
  next: z
    .int()
    .nullable()
    .describe('Null on the last page. A page of a search by name may have fewer lines.'),
  searched_to: TimestampSchema.nullable().describe('How far back this page has searched.'),
  clients: z.array(WalletClientSchema).describe('The clients of all lines.'),
});
export type WalletPage = z.infer<typeof WalletPageSchema>;

/** Answer of GET /app/v1/wallet/lines/{id}/entries: the newest entries of a line. */
export const WalletEntriesSchema = z.object({
  entries: z.array(LedgerEntrySchema),
  has_more: z.boolean(),
});

export const WalletExportRequestSchema = WalletFilterSchema.extend(ExportRequestSchema.shape);

export const walletLines = endpoints('walletLines', {
  list: { app: 'GET /app/v1/wallet/lines', query: WalletQuerySchema, answer: WalletPageSchema },
  entries: {
    app: 'GET /app/v1/wallet/lines/:id/entries',
    params: z.object({ id: wholeNumberText(1) }),
    answer: WalletEntriesSchema,
  },
  exportLines: {
    app: 'POST /app/v1/wallet/exports',
    isRepeatable: true,
    body: WalletExportRequestSchema,
    answer: ExportAnswerSchema,
  },
});
