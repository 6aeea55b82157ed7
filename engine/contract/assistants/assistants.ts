/**
 * Clients of the tool server as the app shows them: what each may spend, what it did, and the
 * folders of lists that it may name; and what a person is asked to allow, whatever program asks
 * (/app/v1/assistants).
 */

import { z } from 'zod';
import { KeyChangeSchema, KeySchema } from '../accounts.ts';
import { CreditsSchema } from '../credits.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { listPathCharactersMax, toolCallsPageMax } from '../limits/assistants.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';

/** What became of a call. */
export const toolOutcomes = ['done', 'refused', 'failed', 'cancelled'] as const;
/** What became of a call. */
export type ToolOutcome = (typeof toolOutcomes)[number];

/** Body of PATCH /app/v1/assistants/{id}: limits of its key; what is left out stays as it is. */
export const AssistantChangeSchema = KeyChangeSchema.pick({
  cap_per_call: true,
  ask_above: true,
  self_approval: true,
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

/** A request that needs a person's yes. */
export const ApprovalSchema = z.object({
  id: UuidSchema,
  client: z.string().describe('The label of the key.'),
  operation: z.string().describe('The tool, or the route of the REST API.'),
  arguments: z.string().describe('JSON of what was sent, shortened.'),
  credits: CreditsSchema.describe('The most that is spent once it is allowed.'),
  expires_at: TimestampSchema,
});
/** A request that needs a person's yes. */
export type Approval = z.infer<typeof ApprovalSchema>;
/** Body of POST /app/v1/assistants/approvals/{id}. */
export const ApprovalAnswerSchema = z.object({ allow: z.boolean() });

/** Answer of GET /app/v1/assistants. */
export const AssistantsSchema = z.object({
  assistants: z.array(KeySchema).describe('Each by its key.'),
  approvals: z.array(ApprovalSchema),
});

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
