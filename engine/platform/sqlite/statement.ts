// Prepares each statement once per connection.
import type Database from 'better-sqlite3';
import type { ReadableDatabase } from './open-database.ts';

export type Statement<Row> = Database.Statement<unknown[], Row>;

// Weak, so that the statements of a closed connection are garbage-collected.
const statementsByDatabase = new WeakMap<ReadableDatabase, Map<string, Statement<unknown>>>();

/**
 * The prepared statement of an SQL text, prepared on first use on this connection. Throws a
 * SqliteError if the text is not valid for the schema.
 * @param sql a constant, or built only from constants: values must be bound
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
