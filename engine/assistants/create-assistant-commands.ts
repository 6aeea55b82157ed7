/** The commands about assistants: admission, approvals and the log of tool calls. */

import type { AccountCalls } from '../accounts/accounts.commands.ts';
import { admitStdioClient } from '../accounts/admit-stdio-client.ts';
import type { EnvironmentName } from '../contract/ids.ts';
import type { ApprovalCalls } from '../ledger/approvals.commands.ts';
import { answerApproval } from '../ledger/approve-spending.ts';
import type { WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertToolCall } from './tool-call.table.ts';
import type { ToolLogCalls } from './tool-calls.commands.ts';

interface AssistantCommandDeps {
  readonly database: WritableDatabase;
  readonly environment: EnvironmentName;
  /** Wall clock. */
  now(): Date;
  /** Called after an approval was answered, or a tool call was recorded. */
  onAssistants(accountId: number): void;
}

export const assistantCommands = ({
  database,
  environment,
  now,
  onAssistants,
}: AssistantCommandDeps): Pick<
  AccountCalls & ApprovalCalls & ToolLogCalls,
  'admitStdioClient' | 'answerApproval' | 'noteToolCall'
> => ({
  admitStdioClient: async (command) => admitStdioClient(database, environment, command, now()),
  async answerApproval(command) {
    const isAnswered = answerApproval(database, command, now());
    onAssistants(command.accountId);
    return isAnswered;
  },
  async noteToolCall(call) {
    insertToolCall(database, call);
    onAssistants(call.accountId);
  },
});
