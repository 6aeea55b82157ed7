// The table `oauth_client`: clients that registered themselves with the authorization server.
import { z } from 'zod';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface ClientRow {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly createdAt: string;
}

export function insertClient(database: WritableDatabase, client: ClientRow): void {
  statement(
    database,
    'INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES (?, ?, ?, ?)',
  ).run(client.id, client.name, JSON.stringify(client.redirectUris), client.createdAt);
}

export function getClient(database: ReadableDatabase, id: string): ClientRow | null {
  const row = statement<Omit<ClientRow, 'redirectUris'> & { redirectUris: string }>(
    database,
    `SELECT id, name, redirect_uris AS redirectUris, created_at AS createdAt
     FROM oauth_client WHERE id = ?`,
  ).get(id);
  return row ? { ...row, redirectUris: readJson(z.array(z.string()), row.redirectUris, []) } : null;
}

/** Deletes the oldest clients without an authorization, except the newest `kept`. */
export function forgetClients(database: WritableDatabase, kept: number): void {
  statement(
    database,
    `DELETE FROM oauth_client
     WHERE id NOT IN (SELECT client_id FROM oauth_connection)
       AND id NOT IN (SELECT client_id FROM oauth_code WHERE used_at IS NULL)
       AND id NOT IN (SELECT id FROM oauth_client ORDER BY created_at DESC, rowid DESC LIMIT ?)`,
  ).run(kept);
}
