/** Clients of the tool server in the format of the API: their limits and activity. */

import { listKeys } from '../accounts/api-key.table.ts';
import { describeKey } from '../accounts/api-keys.ts';
import type { AssistantCall } from '../contract/assistants/assistants.ts';
import { formatCredits } from '../contract/credits.ts';
import type { Key } from '../contract/keys.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { type SuppressionList, withheldArguments } from '../suppression/suppression-list.ts';
import { type ListedToolCall, listAssistantKeys } from './tool-call.table.ts';

/** The active keys of an account's assistants, newest first. */
export function listAssistants(database: ReadableDatabase, accountId: number, now: Date): Key[] {
  const ids = listAssistantKeys(database, accountId);
  return listKeys(database, accountId)
    .filter(({ id, revokedAt }) => revokedAt === null && ids.has(id))
    .toReversed()
    .map((key) => describeKey(database, key, now));
}

/** A tool call in the format of the API. */
export const describeToolCall = (call: ListedToolCall, list: SuppressionList): AssistantCall => ({
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
