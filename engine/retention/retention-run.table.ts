// The table `retention_run`: the current run, or the last one.
//
//   idle ──startRun──> deleting ──startShrinking──> shrinking ──endRun──> idle
//    ^ planRun: when the next one starts
import {
  type RetentionKind,
  type RetentionRun,
  RetentionRunSchema,
} from '../contract/retention/retention.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';
import { statement } from '../platform/sqlite/statement.ts';

export function readRun(database: ReadableDatabase): RetentionRun {
  const found = statement<Omit<RetentionRun, 'deleted'> & { deleted: string }>(
    database,
    `SELECT state, started_at, ended_at, due_at, deleted, items, shrunk_bytes
     FROM retention_run`,
  ).get();
  if (!found) throw new Error('retention_run has no row');
  return { ...found, deleted: readJson(RetentionRunSchema.shape.deleted, found.deleted, {}) };
}

const change = (database: WritableDatabase, sql: string, ...values: unknown[]): void =>
  void statement(database, `UPDATE retention_run SET ${sql}`).run(...values);

export const planRun = (database: WritableDatabase, dueAt: string): void =>
  change(database, 'due_at = ?', dueAt);

/** Starts a run. The next one is not planned until its end, unless the days change meanwhile. */
export const startRun = (database: WritableDatabase, at: string, items: number): void =>
  change(
    database,
    `state = 'deleting', started_at = ?, ended_at = NULL, due_at = NULL,
     deleted = '{}', items = ?, shrunk_bytes = 0`,
    at,
    items,
  );

/** Counts what was deleted, in the transaction that deletes it. */
export const countDeleted = (
  database: WritableDatabase,
  kind: RetentionKind,
  count: number,
): void =>
  change(
    database,
    `deleted = json_set(iif(json_valid(deleted), deleted, '{}'), '$.${kind}',
       ifnull(iif(json_valid(deleted), deleted ->> '$.${kind}', 0), 0) + ?)`,
    count,
  );

/** deleting → shrinking. */
export const startShrinking = (database: WritableDatabase): void =>
  change(database, "state = 'shrinking'");

/** Ends a run and plans the next one, which a change of the days may have planned already. */
export const endRun = (
  database: WritableDatabase,
  end: { readonly at: string; readonly dueAt: string; readonly shrunkBytes: number },
): void =>
  change(
    database,
    `state = 'idle', ended_at = ?, due_at = ifnull(due_at, ?), shrunk_bytes = ?`,
    end.at,
    end.dueAt,
    end.shrunkBytes,
  );
