// Prepares each statement once per connection, and remembers what was read until the file changes.
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

/** What was read of a connection's file in one state of it. */
interface Remembered {
  readonly state: unknown;
  readonly values: Map<string, unknown>;
}
const remembered = new WeakMap<ReadableDatabase, Remembered>();
const rememberedMax = 64;

/**
 * What `read` returned since the last commit of another connection. A connection that writes reads
 * each time, because a transaction that it takes back leaves no trace.
 * @param key of what is read in the connection's main file
 */
export function rememberUntilCommit<Value>(
  database: ReadableDatabase,
  key: string,
  read: () => Value,
): Value {
  if (!database.readonly) return read();
  const { data_version: state } = statement<{ data_version: number }>(
    database,
    'PRAGMA main.data_version',
  ).get()!;
  let known = remembered.get(database);
  if (known?.state !== state || known.values.size >= rememberedMax) {
    known = { state, values: new Map() };
    remembered.set(database, known);
  }
  if (known.values.has(key)) return known.values.get(key) as Value;
  const value = read();
  known.values.set(key, value);
  return value;
}
