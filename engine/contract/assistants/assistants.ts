// Assistants in the app (/app/v1/assistants): spending limits of tool-server clients, their
// activity, the folders of lists that they may read, and requests that need a person's approval.
import { z } from 'zod';
import { CreditsSchema } from '../credits.ts';
import { endpoints } from '../endpoints.ts';
import { TimestampSchema, UuidSchema } from '../ids.ts';
import { KeyChangeSchema, KeySchema } from '../keys.ts';
import { listPathCharactersMax, toolCallsPageMax } from '../limits/assistants.ts';
import { limitText, wholeNumberText } from '../whole-number.ts';

export const toolOutcomes = ['done', 'refused', 'failed', 'cancelled'] as const;
export type ToolOutcome = (typeof toolOutcomes)[number];

/** Body of PATCH /app/v1/assistants/{id}: limits of its key. Omitted fields keep their values. */
export const AssistantChangeSchema = KeyChangeSchema.pick({
  cap_per_call: true,
  ask_above: true,
  self_approval: true,
  provider_cap: true,
});

export const AssistantCallSchema = z.object({
  id: z.int(),
  client: z.string().describe('The label of the key, or the app.'),
  tool: z.string(),
  arguments: z.string().describe('The arguments as JSON, shortened.'),
  outcome: z.enum(toolOutcomes),
  detail: z.string().describe('Why the call was not done; empty if it was.'),
  credits_charged: CreditsSchema,
  took_ms: z.int(),
  at: TimestampSchema,
});
export type AssistantCall = z.infer<typeof AssistantCallSchema>;
/** Query of GET /app/v1/assistants/calls: newest first, older than `before`. */
export const AssistantCallsQuerySchema = z.object({
  limit: limitText(toolCallsPageMax, toolCallsPageMax),
  before: wholeNumberText(1).optional().describe('Id of the last call shown.'),
});

export const ApprovalSchema = z.object({
  id: UuidSchema,
  client: z.string().describe('The label of the key.'),
  operation: z.string().describe('The tool, or the route of the REST API.'),
  arguments: z.string().describe('The request as JSON, shortened.'),
  credits: CreditsSchema.describe('The most the request may spend once it is approved.'),
  expires_at: TimestampSchema,
});
export type Approval = z.infer<typeof ApprovalSchema>;
export const ApprovalAnswerSchema = z.object({ allow: z.boolean() });

export const AssistantsSchema = z.object({
  assistants: z.array(KeySchema).describe('The API key of each assistant.'),
  approvals: z.array(ApprovalSchema),
});

export const ListFolderSchema = z.object({
  id: z.int(),
  path: z.string().describe('The absolute path as it was entered.'),
  real_path: z
    .string()
    .describe('The real path when the folder was added; files must be inside it.'),
  added_at: TimestampSchema,
});
export type ListFolder = z.infer<typeof ListFolderSchema>;
/** Body of POST /app/v1/assistants/folders. `~/` is the user's home folder. */
export const NewListFolderSchema = z.object({
  path: z.string().trim().min(1).max(listPathCharactersMax),
});

export const assistants = endpoints('assistants', {
  folders: { app: 'GET /app/v1/assistants/folders', answer: z.array(ListFolderSchema) },
  allowFolder: {
    app: 'POST /app/v1/assistants/folders',
    body: NewListFolderSchema,
    answer: ListFolderSchema,
    statuses: [201],
  },
  removeFolder: {
    app: 'DELETE /app/v1/assistants/folders/:id',
    params: z.object({ id: wholeNumberText(1) }),
    answer: z.array(ListFolderSchema),
  },
  calls: {
    app: 'GET /app/v1/assistants/calls',
    query: AssistantCallsQuerySchema,
    answer: z.array(AssistantCallSchema),
  },
  list: { app: 'GET /app/v1/assistants', answer: AssistantsSchema },
  change: {
    app: 'PATCH /app/v1/assistants/:id',
    params: z.object({ id: UuidSchema.toLowerCase() }),
    body: AssistantChangeSchema,
    answer: KeySchema,
  },
  answer: {
    app: 'POST /app/v1/assistants/approvals/:id',
    params: z.object({ id: UuidSchema.toLowerCase() }),
    body: ApprovalAnswerSchema,
    answer: z.object({}),
  },
});
