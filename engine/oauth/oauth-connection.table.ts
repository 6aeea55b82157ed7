// The table `oauth_connection`: the key of each client that was authorized.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

export interface ConnectionRow {
  readonly keyId: string;
  readonly clientId: string;
  readonly clientName: string;
  /** Where its code was sent. */
  readonly redirectUri: string;
}

const selectConnection = `
  SELECT key_id AS keyId, client_id AS clientId, client_name AS clientName,
    redirect_uri AS redirectUri
  FROM oauth_connection`;

export function insertConnection(database: WritableDatabase, connection: ConnectionRow): void {
  statement(
    database,
    `INSERT INTO oauth_connection (key_id, client_id, client_name, redirect_uri)
     VALUES (?, ?, ?, ?)`,
  ).run(connection.keyId, connection.clientId, connection.clientName, connection.redirectUri);
}

/** The connection of a key; null for a key that was created by hand. */
export const getConnection = (database: ReadableDatabase, keyId: string): ConnectionRow | null =>
  statement<ConnectionRow>(database, `${selectConnection} WHERE key_id = ?`).get(keyId) ?? null;

/** The connections of an account, including revoked ones, newest first. */
export const listConnections = (database: ReadableDatabase, accountId: number): ConnectionRow[] =>
  statement<ConnectionRow>(
    database,
    `${selectConnection} JOIN api_key ON api_key.id = key_id
     WHERE account_id = ? ORDER BY created_at DESC, api_key.rowid DESC`,
  ).all(accountId);
