/** Clients of the tool server in the words of the app: their limits, and what they did. */
import type { Assistant, AssistantCall } from '../../contract/assistants.ts';
import { type CreditUnits, formatCredits } from '../../contract/credits.ts';
import { EngineError } from '../../contract/errors.ts';
import { toolArgumentsCharactersMax } from '../../contract/limits.ts';
import type { ReadableDatabase, WritableDatabase } from '../../sqlite/open.ts';
import { getKey, type KeyRow, listKeys } from '../../store/api-key.ts';
import { type ListedToolCall, listAssistantKeys } from '../../store/tool-call.ts';
import { readGuard, setGuard } from '../../store/tool-guard.ts';
import { describeKey } from '../keep-key.ts';
import type { GuardChange } from '../world.ts';

const format = (units: CreditUnits | null) => (units === null ? null : formatCredits(units));

/** A client by its key. */
function describeAssistant(database: ReadableDatabase, key: KeyRow, now: Date): Assistant {
  const { capCallUnits, askAboveUnits } = readGuard(database, key.id);
  return {
    ...describeKey(database, key, now),
    cap_per_call: format(capCallUnits),
    ask_above: format(askAboveUnits),
  };
}

/** The keys in use by which assistants of an account act, the newest first. */
export function listAssistants(
  database: ReadableDatabase,
  accountId: number,
  now: Date,
): Assistant[] {
  const ids = listAssistantKeys(database, accountId);
  return listKeys(database, accountId)
    .filter(({ id, revokedAt }) => revokedAt === null && ids.has(id))
    .toReversed()
    .map((key) => describeAssistant(database, key, now));
}

/** Changes the limits of a client, from its next call on. Throws `not_found`. */
export function changeAssistant(
  database: WritableDatabase,
  command: { readonly accountId: number; readonly keyId: string } & GuardChange,
  now: Date,
): Assistant {
  const { accountId, keyId, capCallUnits, askAboveUnits } = command;
  const key = getKey(database, accountId, keyId);
  if (!key) throw new EngineError('not_found', 'There is no such key.');
  const before = readGuard(database, keyId);
  setGuard(database, accountId, keyId, {
    capCallUnits: capCallUnits === undefined ? before.capCallUnits : capCallUnits,
    askAboveUnits: askAboveUnits === undefined ? before.askAboveUnits : askAboveUnits,
  });
  return describeAssistant(database, key, now);
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
