/**
 * Loads much into little: secondary indices are dropped first and made after, three times as fast.
 */
import type { WritableDatabase } from '../sqlite/open.ts';

/**
 * Tables whose indices wait until the rows are in; companies are few, and looked up all the time.
 */
const bulkTables = ['person', 'person_name', 'person_key', 'person_phone', 'employment'];

/** The indices that an import put off. */
export interface BulkLoad {
  /** Makes the indices again that a look-up beside ids needs; costs nothing where they stand. */
  needIndices(): void;
}

/**
 * Drops the secondary indices of the people tables. The schema is where they are defined: what is
 * dropped here comes back word for word.
 */
export function beginBulkLoad(db: WritableDatabase): BulkLoad {
  const marks = bulkTables.map(() => '?').join(', ');
  let dropped = db
    .prepare(
      `SELECT name, sql FROM main.sqlite_schema
       WHERE type = 'index' AND sql IS NOT NULL AND tbl_name IN (${marks})`,
    )
    .all(bulkTables) as { name: string; sql: string }[];
  for (const { name } of dropped) db.exec(`DROP INDEX main."${name}"`);
  return {
    needIndices() {
      const missing = dropped;
      dropped = [];
      for (const { sql } of missing) db.exec(sql);
    },
  };
}

/** An import of little into much: every index stands. */
export const plainLoad: BulkLoad = { needIndices: () => undefined };
