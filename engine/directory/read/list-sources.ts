// The names of the sources that the directory was imported from.
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { statement } from '../../platform/sqlite/statement.ts';

/** The sources of completed imports, also of those that were undone. */
export const listSources = (directory: ReadableDatabase): ReadonlySet<string> =>
  new Set(
    statement<{ source: string }>(
      directory,
      `SELECT DISTINCT ifnull(name, source) AS source FROM source_import
       WHERE status IN ('completed', 'undone')`,
    )
      .all()
      .map(({ source }) => source),
  );
