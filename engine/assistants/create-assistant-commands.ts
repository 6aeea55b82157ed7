// The commands about assistants: approvals and the log of tool calls.
import { type ApprovalAnswer, answerApproval } from '../ledger/approve-spending.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertToolCall, type ToolCallRow } from './tool-call.table.ts';

interface AssistantCommandDeps {
  readonly database: WritableDatabase;
  now(): Date;
  /** Called after an approval was answered, or a tool call was recorded. */
  onAssistants(accountId: number): void;
}

export const assistantCommands = ({ database, now, onAssistants }: AssistantCommandDeps) => ({
  async answerApproval(command: ApprovalAnswer) {
    const isAnswered = answerApproval(database, command, now());
    onAssistants(command.accountId);
    return isAnswered;
  },
  async noteToolCall(call: ToolCallRow) {
    insertToolCall(database, call);
    onAssistants(call.accountId);
  },
});

export type AssistantCalls = ReturnType<typeof assistantCommands>;
