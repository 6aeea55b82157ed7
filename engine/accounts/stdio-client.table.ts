// The table `stdio_client`: the key of each assistant on the local socket.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export const findStdioKey = (
  database: ReadableDatabase,
  accountId: number,
  name: string,
): string | null =>
  statement<{ keyId: string }>(
    database,
    'SELECT key_id AS keyId FROM stdio_client WHERE account_id = ? AND name = ?',
  ).get(accountId, name)?.keyId ?? null;

export const countStdioClients = (database: ReadableDatabase, accountId: number): number =>
  statement<{ clients: number }>(
    database,
    'SELECT count(*) AS clients FROM stdio_client WHERE account_id = ?',
  ).get(accountId)?.clients ?? 0;

export function setStdioKey(
  database: WritableDatabase,
  accountId: number,
  name: string,
  keyId: string,
): void {
  statement(
    database,
    `INSERT INTO stdio_client (account_id, name, key_id) VALUES (?, ?, ?)
     ON CONFLICT (account_id, name) DO UPDATE SET key_id = excluded.key_id`,
  ).run(accountId, name, keyId);
}
