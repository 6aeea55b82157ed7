/**
 * Loads much into little: secondary indices are dropped first and made after, and rows of an empty
 * directory, which nothing looks for meanwhile, go in many at a time.
 */
import type { WritableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/**
 * Tables whose indices wait until the rows are in; companies are few, and looked up all the time.
 */
const bulkTables = ['person', 'person_name', 'person_key', 'person_phone', 'employment'];
/** By which people are found who stood in the directory before. */
const lookUpIndex = 'person_uuid';
const rowsPerInsert = 32;
/**
 * Kilobytes of rows that are sorted at a time for an index: what the processor's own caches hold
 * sorts in half the time that the connection's cache of 32 MB takes.
 */
const sortedKilobytes = 8_000;
/** Threads that sort while this one reads on. */
const sortThreads = 2;

/** How an import loads. */
export interface LoadPlan {
  /** There are no people yet. */
  readonly isFresh: boolean;
  /** More comes than is there. */
  readonly isBulk: boolean;
}

/** Puts rows into one table. */
export interface RowInserter {
  /** Adds a row: its values in the order of the columns. */
  add(values: readonly unknown[]): void;
}

/** How the rows of a running import get into its tables. */
export interface BulkLoad {
  /**
   * Writes the rows that wait, and makes the indices again that a look-up among people needs;
   * costs nothing where they stand.
   */
  needIndices(): void;
  /** An inserter of a table's rows. */
  insertInto(table: string, columns: readonly string[]): RowInserter;
}

/**
 * Readies a connection for a bulk load, before its transaction begins; what it answers puts the
 * connection back, once the transaction has ended.
 */
export function enterBulkLoad(db: WritableDatabase): () => void {
  // An import makes up the ids by which its records name each other: nothing to look after.
  db.pragma('foreign_keys = OFF');
  // Indices sort in pieces: in memory alone they sort as a whole, on one thread and with three
  // times the memory.
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

/** An import of little into much: every index stands, every row is written at once. */
export function beginPlainLoad(db: WritableDatabase): BulkLoad {
  return {
    needIndices: () => undefined,
    insertInto(table, columns) {
      const sql = insertSql(table, columns, 1);
      return { add: (values) => void statement(db, sql).run(values) };
    },
  };
}

/** Drops indices; gives the statements that make them again, word for word. */
function dropIndices(db: WritableDatabase, keepsLookUp: boolean): string[] {
  const marks = bulkTables.map(() => '?').join(', ');
  const indices = db
    .prepare(
      `SELECT name, sql FROM main.sqlite_schema
       WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${marks})`,
    )
    .all(bulkTables) as { name: string; sql: string }[];
  const dropped = indices.filter(({ name }) => !keepsLookUp || name !== lookUpIndex);
  for (const { name } of dropped) db.exec(`DROP INDEX main."${name}"`);
  return dropped.map(({ sql }) => sql);
}

/** Makes indices of rows that are all in. */
function makeIndices(db: WritableDatabase, statements: readonly string[]): void {
  const cacheSize = db.pragma('cache_size', { simple: true }) as number;
  db.pragma(`cache_size = -${sortedKilobytes}`);
  db.pragma(`threads = ${sortThreads}`);
  try {
    for (const sql of statements) db.exec(sql);
  } finally {
    db.pragma('threads = 0');
    db.pragma(`cache_size = ${cacheSize}`);
  }
}

/**
 * Drops the secondary indices of the people tables, and gathers rows where nobody can look for
 * them: in a directory that was empty.
 */
export function beginBulkLoad(db: WritableDatabase, isFresh: boolean): BulkLoad {
  const dropped = dropIndices(db, !isFresh);
  let isLoading = true;
  let rowsMax = isFresh ? rowsPerInsert : 1;
  const flushers: (() => void)[] = [];
  return {
    needIndices() {
      if (!isLoading) return;
      isLoading = false;
      rowsMax = 1;
      for (const flush of flushers) flush();
      makeIndices(db, dropped);
    },
    insertInto(table, columns) {
      const [oneSql, manySql] = [1, rowsPerInsert].map((rows) => insertSql(table, columns, rows));
      let waiting: unknown[] = [];
      const flush = () => {
        const width = columns.length;
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
          if (waiting.length >= columns.length * rowsMax) flush();
        },
      };
    },
  };
}
