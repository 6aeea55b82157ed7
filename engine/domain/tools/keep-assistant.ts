/** Clients of the tool server in the words of the app: their limits, and what they did. */
import type { Key } from '../../contract/app.ts';
import type { AssistantCall } from '../../contract/assistants.ts';
import { formatCredits } from '../../contract/credits.ts';
import { toolArgumentsCharactersMax } from '../../contract/limits.ts';
import type { ReadableDatabase } from '../../sqlite/open.ts';
import { listKeys } from '../../store/api-key.ts';
import { type ListedToolCall, listAssistantKeys } from '../../store/tool-call.ts';
import { describeKey } from '../keep-key.ts';

/** The keys in use by which assistants of an account act, the newest first. */
export function listAssistants(database: ReadableDatabase, accountId: number, now: Date): Key[] {
  const ids = listAssistantKeys(database, accountId);
  return listKeys(database, accountId)
    .filter(({ id, revokedAt }) => revokedAt === null && ids.has(id))
    .toReversed()
    .map((key) => describeKey(database, key, now));
}

/** Arguments as they are remembered: short, and without anything that looks like a key. */
export function shortenArguments(args: unknown): string {
  const text = JSON.stringify(args).replaceAll(/\b(sk_(live|test)_|whsec_)[\w+/=-]*/g, '$1…');
  return text.length <= toolArgumentsCharactersMax
    ? text
    : `${text.slice(0, toolArgumentsCharactersMax - 1)}…`;
}

/** A call in the words of the app. */
export const describeToolCall = (call: ListedToolCall): AssistantCall => ({
  id: call.id,
  client: call.label ?? 'the app',
  tool: call.tool,
  arguments: call.arguments,
  outcome: call.outcome,
  detail: call.detail,
  credits_charged: formatCredits(call.chargedUnits),
  took_ms: call.tookMs,
  at: call.at,
});
