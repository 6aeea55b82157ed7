// Answers the calls about assistants: limits, activity, folders of lists, approvals.
import { readKeyLimits } from '../accounts/accounts.routes.ts';
import { listKeys } from '../accounts/api-key.table.ts';
import { describeKey } from '../accounts/api-keys.ts';
import {
  type Approval,
  type AssistantCall,
  assistants,
} from '../contract/assistants/assistants.ts';
import { formatCredits } from '../contract/credits.ts';
import { notFound } from '../contract/errors.ts';
import type { Key } from '../contract/keys.ts';
import type { ApiServer } from '../http/route-deps.ts';
import { serve } from '../http/serve.ts';
import { listApprovals } from '../ledger/approve-spending.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import {
  readSuppressionList,
  type SuppressionList,
  withheldArguments,
} from '../suppression/suppression-list.ts';
import { describeListFolders, findFolder } from './list-folders.ts';
import type { AssistantRouteDeps } from './route-deps.ts';
import { type ListedToolCall, listAssistantKeys, listToolCalls } from './tool-call.table.ts';

function listAssistants(database: ReadableDatabase, accountId: number, now: Date): Key[] {
  const ids = listAssistantKeys(database, accountId);
  return listKeys(database, accountId)
    .filter(({ id, revokedAt }) => revokedAt === null && ids.has(id))
    .toReversed()
    .map((key) => describeKey(database, key, now));
}

const describeToolCall = (call: ListedToolCall, list: SuppressionList): AssistantCall => ({
  id: call.id,
  client: call.label ?? 'the app',
  tool: call.tool,
  arguments: list.namesJson(call.arguments) ? withheldArguments : call.arguments,
  outcome: call.outcome,
  detail: list.namesAny({}, [call.detail]) ? '' : call.detail,
  credits_charged: formatCredits(call.chargedUnits),
  took_ms: call.tookMs,
  at: call.at,
});

const listOf = ({ database, directoryDatabase }: AssistantRouteDeps['environment']) =>
  readSuppressionList(database, directoryDatabase);

/** A request as it may be shown: without arguments that name anything suppressed. */
const withhold = (approval: Approval, list: SuppressionList): Approval =>
  list.namesJson(approval.arguments) ? { ...approval, arguments: withheldArguments } : approval;

export function addAssistantRoutes(server: ApiServer, context: AssistantRouteDeps): void {
  const { environment, waitingCalls, now } = context;
  serve(server, context, assistants, {
    folders: (_input, { accountId }) => describeListFolders(environment.database, accountId),
    async allowFolder({ path }, { accountId }) {
      const place = await findFolder(environment, path);
      return environment.writer.allowListFolder({ accountId, ...place });
    },
    calls: ({ limit, before }, { accountId }) =>
      listToolCalls(environment.database, accountId, { limit, before }).map((call) =>
        describeToolCall(call, listOf(environment)),
      ),
    list(_input, { accountId }) {
      const at = new Date(now());
      const list = listOf(environment);
      const approvals = listApprovals(environment.database, accountId, at);
      return {
        assistants: listAssistants(environment.database, accountId, at),
        approvals: approvals.map((one) => withhold(one, list)),
      };
    },
    change: ({ id, ...limits }, { accountId }) =>
      environment.writer.changeKey({ accountId, id, ...readKeyLimits(limits) }),
    async answer({ id, allow: isAllowed }, { accountId }) {
      const answer = { accountId, id, isAllowed, by: 'app' } as const;
      if (!(await environment.writer.answerApproval(answer)))
        throw notFound(
          'This request was already answered or has expired. The client may send it again.',
        );
      waitingCalls.resolveCall(id, isAllowed);
      return {};
    },
  });
}
