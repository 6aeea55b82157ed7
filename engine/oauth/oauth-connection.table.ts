// The table `oauth_connection`: which key was given to which program by the authorization server.
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** A program that was allowed to act for an account, by the key that it got. */
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

/** Adds a connection. */
export function insertConnection(database: WritableDatabase, connection: ConnectionRow): void {
  statement(
    database,
    `INSERT INTO oauth_connection (key_id, client_id, client_name, redirect_uri)
     VALUES (?, ?, ?, ?)`,
  ).run(connection.keyId, connection.clientId, connection.clientName, connection.redirectUri);
}

/** The connection of a key; null for a key that was made by hand. */
export const getConnection = (database: ReadableDatabase, keyId: string): ConnectionRow | null =>
  statement<ConnectionRow>(database, `${selectConnection} WHERE key_id = ?`).get(keyId) ?? null;

/** The connections of an account, revoked ones too, newest first. */
export const listConnections = (database: ReadableDatabase, accountId: number): ConnectionRow[] =>
  statement<ConnectionRow>(
    database,
    `${selectConnection} JOIN api_key ON api_key.id = key_id
     WHERE account_id = ? ORDER BY created_at DESC, key_id`,
  ).all(accountId);
