/**
 * Clients of the tool server as the app shows them: what each may spend, what it did, what it waits
 * for a person to allow, and the folders of lists that it may name (/app/v1/assistants).
 */

import { z } from 'zod';
import { KeySchema } from './app.ts';
import { CreditsSchema } from './credits.ts';
import { TimestampSchema, UuidSchema } from './ids.ts';
import { listPathCharactersMax, toolCallsPageMax } from './limits.ts';
import { limitText, wholeNumberText } from './whole-number.ts';

/** What became of a call. */
export const toolOutcomes = ['done', 'refused', 'failed', 'cancelled'] as const;
/** What became of a call. */
export type ToolOutcome = (typeof toolOutcomes)[number];

/** A client: its key, and its limits beside those of the key. */
export const AssistantSchema = KeySchema.extend({
  cap_per_call: CreditsSchema.nullable().describe('The most that one call may cost; null: none.'),
  ask_above: CreditsSchema.nullable().describe(
    'A call that would cost more is asked about first; null: never.',
  ),
});
/** A client of the tool server. */
export type Assistant = z.infer<typeof AssistantSchema>;

const LimitSchema = z.string().or(z.number()).nullable().describe('Credits; null for none.');
/** Body of PATCH /app/v1/assistants/{id}: what is left out stays as it is. */
export const AssistantChangeSchema = z.object({
  cap_per_call: LimitSchema.optional(),
  ask_above: LimitSchema.optional(),
});

/** A call of a tool. */
export const AssistantCallSchema = z.object({
  id: z.int(),
  client: z.string().describe('The label of the key, or the app.'),
  tool: z.string(),
  arguments: z.string().describe('JSON as it was sent, shortened.'),
  outcome: z.enum(toolOutcomes),
  detail: z.string().describe('Why it was not done; empty where it was.'),
  credits_charged: CreditsSchema,
  took_ms: z.int(),
  at: TimestampSchema,
});
/** A call of a tool. */
export type AssistantCall = z.infer<typeof AssistantCallSchema>;
/** Query of GET /app/v1/assistants/calls: newest first, older than `before`. */
export const AssistantCallsQuerySchema = z.object({
  limit: limitText(toolCallsPageMax, toolCallsPageMax),
  before: wholeNumberText(1).optional().describe('Id of the last call shown.'),
});

/** A call that waits for a person. */
export const ApprovalSchema = z.object({
  id: UuidSchema,
  client: z.string(),
  tool: z.string(),
  arguments: z.string(),
  credits: CreditsSchema.describe('What it would cost at most.'),
  expires_at: TimestampSchema,
});
/** A call that waits for a person. */
export type Approval = z.infer<typeof ApprovalSchema>;
/** Body of POST /app/v1/assistants/approvals/{id}. */
export const ApprovalAnswerSchema = z.object({ allow: z.boolean() });

/** Answer of GET /app/v1/assistants. */
export const AssistantsSchema = z.object({
  assistants: z.array(AssistantSchema),
  approvals: z.array(ApprovalSchema),
});
/** Answer of GET /app/v1/assistants. */
export type Assistants = z.infer<typeof AssistantsSchema>;

/** A folder from which assistants may have lists enriched by path. */
export const ListFolderSchema = z.object({
  id: z.int(),
  path: z.string().describe('As it was written, absolute.'),
  real_path: z.string().describe('Where it led when it was allowed; files must lie in here.'),
  added_at: TimestampSchema,
});
/** A folder from which assistants may have lists enriched. */
export type ListFolder = z.infer<typeof ListFolderSchema>;
/** Body of POST /app/v1/assistants/folders; `~/` is the person's home. */
export const NewListFolderSchema = z.object({
  path: z.string().trim().min(1).max(listPathCharactersMax),
});
