// Which stored inputs the table `job` owns.
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';

/** Whether any account has a job of this UUID that is not deleted. */
export const hasJob = (database: ReadableDatabase, uuid: string): boolean =>
  statement(database, 'SELECT 1 FROM job WHERE uuid = ? AND deleted_at IS NULL').get(uuid) !==
  undefined;

/** Inputs of all jobs in the order of row id, above `afterId`, at most `limit`. */
export const listJobInputs = (
  database: ReadableDatabase,
  afterId: number,
  limit: number,
): { id: number; uuid: string; rowCount: number }[] =>
  statement<{ id: number; uuid: string; rowCount: number }>(
    database,
    `SELECT id, uuid, total_rows AS rowCount FROM job WHERE id > ? AND deleted_at IS NULL
     ORDER BY id LIMIT ?`,
  ).all(afterId, limit);
