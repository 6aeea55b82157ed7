// Bulk loading: indexes are created after the rows, which are inserted many at a time.
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** Tables whose indexes are created after their rows, by the list that fills them. */
const bulkTables = {
  people: ['person', 'person_name', 'person_key', 'person_phone', 'person_listing', 'employment'],
  companies: ['company'],
} as const;
const rowsPerInsert = 32;
/** Threads that sort while this thread continues. */
const sortThreads = 2;

export interface LoadPlan {
  /** The directory has no companies yet. */
  readonly isWithoutCompanies: boolean;
  readonly isBulk: boolean;
}

export interface RowInserter {
  add(values: readonly unknown[]): void;
}

export interface BulkLoad {
  /** Whether the indexes of people do not exist yet. */
  isLoading(): boolean;
  /** Writes pending rows of companies, and creates the indexes that look them up, once. */
  needCompanies(): void;
  /** Does the same for all tables. */
  finish(): void;
  insertInto(table: string, columns: readonly string[]): RowInserter;
}

/**
 * Prepares a connection for a bulk load before its transaction begins. Returns a function that
 * restores the connection after the transaction.
 */
export function enterBulkLoad(db: WritableDatabase): () => void {
  // An import generates the ids by which its records refer to each other, so foreign keys need no
  // check.
  db.pragma('foreign_keys = OFF');
  // With temporary files, indexes are sorted in pieces. In memory they would be sorted as a whole,
  // on one thread and with three times the memory.
  db.pragma('temp_store = FILE');
  return () => {
    db.pragma('temp_store = MEMORY');
    db.pragma('foreign_keys = ON');
  };
}

function insertSql(table: string, columns: readonly string[], rows: number): string {
  const row = `(${columns.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${Array(rows).fill(row).join(', ')}`;
}

/** An import of few rows: all indexes are kept, and every row is written at once. */
export function beginPlainLoad(db: WritableDatabase): BulkLoad {
  return {
    isLoading: () => false,
    needCompanies: () => undefined,
    finish: () => undefined,
    insertInto(table, columns) {
      const sql = insertSql(table, columns, 1);
      return { add: (values) => void statement(db, sql).run(values) };
    },
  };
}

function dropIndices(db: WritableDatabase, tables: readonly string[]): string[] {
  const marks = tables.map(() => '?').join(', ');
  const indices = db
    .prepare(
      `SELECT name, sql FROM main.sqlite_schema
       WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${marks})`,
    )
    .all(tables) as { name: string; sql: string }[];
  for (const { name } of indices) db.exec(`DROP INDEX main."${name}"`);
  return indices.map(({ sql }) => sql);
}

type OnIndexed = (done: number, total: number) => void;

function makeIndices(
  db: WritableDatabase,
  statements: readonly string[],
  onIndexed: OnIndexed | undefined,
): void {
  db.pragma(`threads = ${sortThreads}`);
  try {
    statements.forEach((sql, at) => {
      onIndexed?.(at, statements.length);
      db.exec(sql);
    });
  } finally {
    db.pragma('threads = 0');
  }
}

/** Inserts rows of one list, whose indexes are created by `finish`. */
interface ListLoad {
  isLoading(): boolean;
  finish(onIndexed?: OnIndexed): void;
  insertInto(table: string, columns: readonly string[]): RowInserter;
}

/** Drops the indexes of a list's tables. Many rows are inserted at once: no query needs them. */
function beginListLoad(db: WritableDatabase, tables: readonly string[]): ListLoad {
  const dropped = dropIndices(db, tables);
  let rowsMax = rowsPerInsert;
  const flushers: (() => void)[] = [];
  const isLoading = () => rowsMax > 1;
  return {
    isLoading,
    finish(onIndexed) {
      if (!isLoading()) return;
      rowsMax = 1;
      for (const flush of flushers) flush();
      makeIndices(db, dropped, onIndexed);
    },
    insertInto(table, columns) {
      const [oneSql, manySql] = [1, rowsPerInsert].map((rows) => insertSql(table, columns, rows));
      const width = columns.length;
      let waiting: unknown[] = [];
      const flush = () => {
        if (waiting.length === width * rowsPerInsert) statement(db, manySql ?? '').run(waiting);
        else
          for (let at = 0; at < waiting.length; at += width)
            statement(db, oneSql ?? '').run(waiting.slice(at, at + width));
        waiting = [];
      };
      flushers.push(flush);
      return {
        add(values) {
          for (const value of values) waiting.push(value);
          if (waiting.length >= width * rowsMax) flush();
        },
      };
    },
  };
}

/** Many rows: drops the indexes of people, and those of companies if there are none yet. */
export function beginBulkLoad(
  db: WritableDatabase,
  { isWithoutCompanies }: LoadPlan,
  onIndexed: OnIndexed,
): BulkLoad {
  const people = beginListLoad(db, bulkTables.people);
  const companies = isWithoutCompanies
    ? beginListLoad(db, bulkTables.companies)
    : beginPlainLoad(db);
  return {
    isLoading: people.isLoading,
    needCompanies: () => companies.finish(),
    finish() {
      companies.finish(onIndexed);
      people.finish(onIndexed);
    },
    insertInto: (table, columns) =>
      (table === 'company' ? companies : people).insertInto(table, columns),
  };
}
