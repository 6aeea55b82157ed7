// The table `tool_call`: what clients of the tool server did. A row never changes; the oldest go.
import type { ToolOutcome } from '../contract/assistants/assistants.ts';
import type { CreditUnits } from '../contract/credits.ts';
import { toolCallsKeptMax } from '../contract/limits/assistants.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** A call, as it is noted. */
export interface ToolCallRow {
  readonly accountId: number;
  /** Id of the API key, or 'app:' and the account's uuid. */
  readonly keyScope: string;
  readonly tool: string;
  /** JSON, shortened. */
  readonly arguments: string;
  readonly outcome: ToolOutcome;
  readonly detail: string;
  readonly chargedUnits: CreditUnits;
  readonly tookMs: number;
  readonly at: string;
}
/** A call, as it is listed; `label` is that of its key, null for the app itself. */
export type ListedToolCall = ToolCallRow & { readonly id: number; readonly label: string | null };

/** Notes a call, and forgets those that are too old. */
export function insertToolCall(database: WritableDatabase, call: ToolCallRow): void {
  const { lastInsertRowid } = statement(
    database,
    `INSERT INTO tool_call
       (account_id, key_scope, tool, arguments, outcome, detail, charged_units, took_ms, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    ...[call.accountId, call.keyScope, call.tool, call.arguments, call.outcome, call.detail],
    ...[call.chargedUnits, call.tookMs, call.at],
  );
  statement(database, 'DELETE FROM tool_call WHERE id <= ?').run(
    Number(lastInsertRowid) - toolCallsKeptMax,
  );
}

/**
 * Ids of an account's keys by which assistants act: those that have called a tool, have a limit of
 * their own, or were made for a program that was let in.
 */
export const listAssistantKeys = (database: ReadableDatabase, accountId: number): Set<string> =>
  new Set(
    statement<{ id: string }>(
      database,
      `SELECT id FROM api_key k WHERE account_id = ? AND (
         EXISTS (SELECT 1 FROM tool_call WHERE key_scope = k.id)
         OR k.self_approval = 1
         OR EXISTS (SELECT 1 FROM oauth_connection WHERE key_id = k.id)
         OR EXISTS (SELECT 1 FROM stdio_client WHERE account_id = k.account_id AND key_id = k.id))`,
    )
      .all(accountId)
      .map(({ id }) => id),
  );

/** The calls of an account's clients, newest first, from below `before` on. */
export const listToolCalls = (
  database: ReadableDatabase,
  accountId: number,
  page: { readonly limit: number; readonly before: number | undefined },
): ListedToolCall[] =>
  statement<ListedToolCall>(
    database,
    `SELECT c.id, c.account_id AS accountId, c.key_scope AS keyScope, k.label, c.tool, c.arguments,
       c.outcome, c.detail, c.charged_units AS chargedUnits, c.took_ms AS tookMs, c.at
     FROM tool_call c LEFT JOIN api_key k ON k.id = c.key_scope
     WHERE c.account_id = ? AND c.id < ? ORDER BY c.id DESC LIMIT ?`,
  ).all(accountId, page.before ?? Number.MAX_SAFE_INTEGER, page.limit);
