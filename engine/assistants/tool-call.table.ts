// The table `tool_call`: the log of tool calls. Rows never change; the oldest are deleted.
import type { ToolOutcome } from '../contract/assistants/assistants.ts';
import type { CreditUnits } from '../contract/credits.ts';
import { toolCallsKeptMax } from '../contract/limits/assistants.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';

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
/** A logged call. `label` is that of its key; null for the app. */
export type ListedToolCall = ToolCallRow & { readonly id: number; readonly label: string | null };

/** Logs a call, and deletes the oldest. */
export function insertToolCall(database: WritableDatabase, call: ToolCallRow): void {
  const id = insertRow(database, 'tool_call', { ...call });
  statement(database, 'DELETE FROM tool_call WHERE id <= ?').run(id - toolCallsKeptMax);
}

/** Keys that have called a tool, have a limit per call, or are of an authorized app. */
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

/** The calls of an account's clients, newest first, with ids below `before`. */
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
