// Prepares each statement once per connection.
import type Database from 'better-sqlite3';
import type { ReadableDatabase } from './open-database.ts';

/** A prepared statement: what it binds, and the shape of its rows. */
export type Statement<Row> = Database.Statement<unknown[], Row>;

// Weak, so that a closed connection takes its statements along.
const statementsByDatabase = new WeakMap<ReadableDatabase, Map<string, Statement<unknown>>>();

/**
 * The prepared statement of a text, made at its first use on this connection.
 * @param sql a constant, or built of constants alone: values are bound, never pasted
 * Throws a SqliteError where the text is not valid against the schema.
 */
export function statement<Row = unknown>(database: ReadableDatabase, sql: string): Statement<Row> {
  let statements = statementsByDatabase.get(database);
  if (!statements) {
    statements = new Map();
    statementsByDatabase.set(database, statements);
  }
  let prepared = statements.get(sql);
  if (!prepared) {
    prepared = database.prepare<unknown[], unknown>(sql);
    statements.set(sql, prepared);
  }
  return prepared as Statement<Row>;
}
