// The table `monitor`: lists that are checked on a schedule.
//
//   insertMonitor ──> active ──setMonitorTimes(null)──> paused ──setMonitorTimes──> active
//                        └──────────── deleteMonitor ─────┴──> deleted (its jobs are kept)

import { z } from 'zod';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import { type MonitorSchedule, MonitorScheduleSchema } from '../contract/monitors/monitors.ts';
import { ColumnMappingSchema } from '../contract/uploads.ts';
import type { ReadableDatabase, WritableDatabase } from '../platform/sqlite/open-database.ts';
import { type JsonColumns, readJson, readJsonColumns } from '../platform/sqlite/read-json.ts';
import { insertRow } from '../platform/sqlite/rows.ts';
import { statement } from '../platform/sqlite/statement.ts';

interface MonitorOrder {
  readonly uuid: string;
  readonly accountId: number;
  readonly title: string;
  readonly schedule: MonitorSchedule;
  readonly headers: string[];
  readonly mapping: ColumnMapping;
  readonly fileName: string | null;
  readonly totalRecords: number;
  /** When it starts its next job; null while it is paused. */
  readonly nextRunAt: string | null;
}

export interface MonitorRow extends MonitorOrder {
  readonly id: number;
  /** The latest scheduled time that was handled, by a run or by skipping it. */
  readonly answeredTo: string;
  readonly problem: string | null;
  /**
   * What of it cannot be read: its schedule, which a new one replaces, or its columns; null if
   * nothing. The damaged part has a default value.
   */
  readonly damage: 'schedule' | 'columns' | null;
  readonly createdAt: string;
}

const selectMonitor = `
  SELECT id, uuid, account_id AS accountId, title, schedule, headers, mapping,
    file_name AS fileName, total_records AS totalRecords, next_run_at AS nextRunAt,
    answered_to AS answeredTo, problem, created_at AS createdAt
  FROM monitor`;

type MonitorRecord = Omit<MonitorRow, 'schedule' | 'headers' | 'mapping' | 'damage'> &
  Record<'schedule' | 'headers' | 'mapping', string>;

const columns: JsonColumns<Pick<MonitorRow, 'headers' | 'mapping'>> = {
  headers: [z.array(z.string()), []],
  mapping: [ColumnMappingSchema, {}],
};
const anySchedule = { rhythm: 'weekly', time: '09:00', weekday: 1, month_day: 1, time_zone: 'UTC' };

function readMonitor(record: MonitorRecord): MonitorRow {
  const { damage, ...read } = readJsonColumns(record, columns);
  const schedule = readJson(MonitorScheduleSchema.nullable(), record.schedule, null);
  return {
    ...record,
    ...read,
    schedule: schedule ?? MonitorScheduleSchema.parse(anySchedule),
    damage: damage !== null ? 'columns' : schedule ? null : 'schedule',
  };
}

const findMonitors = (
  database: ReadableDatabase,
  rest: string,
  ...values: unknown[]
): MonitorRow[] =>
  statement<MonitorRecord>(database, `${selectMonitor} ${rest}`)
    .all(...values)
    .map(readMonitor);

export function insertMonitor(
  database: WritableDatabase,
  monitor: MonitorOrder & { readonly at: string },
): number {
  const { schedule, headers, mapping, at, ...columns } = monitor;
  return insertRow(database, 'monitor', {
    ...columns,
    schedule: JSON.stringify(schedule),
    headers: JSON.stringify(headers),
    mapping: JSON.stringify(mapping),
    answeredTo: at,
    createdAt: at,
  });
}

/** An account's monitor; null if it does not exist, is deleted, or belongs to another account. */
export const getMonitor = (
  database: ReadableDatabase,
  accountId: number,
  id: number,
): MonitorRow | null =>
  findMonitors(
    database,
    'WHERE id = ? AND account_id = ? AND deleted_at IS NULL',
    id,
    accountId,
  )[0] ?? null;

export const listMonitors = (database: ReadableDatabase, accountId: number): MonitorRow[] =>
  findMonitors(database, 'WHERE account_id = ? AND deleted_at IS NULL ORDER BY id DESC', accountId);

/** The monitors of all accounts that are due at a time, the longest overdue first. */
export const listDueMonitors = (database: ReadableDatabase, at: string): MonitorRow[] =>
  findMonitors(database, 'WHERE next_run_at <= ? ORDER BY next_run_at', at);

export const listActiveMonitors = (database: ReadableDatabase): MonitorRow[] =>
  findMonitors(database, "WHERE next_run_at > '' ORDER BY next_run_at");

export const findNextRunAt = (database: ReadableDatabase): string | null =>
  statement<{ at: string | null }>(
    database,
    "SELECT min(next_run_at) AS at FROM monitor WHERE next_run_at > ''",
  ).get()?.at ?? null;

export const listMonitorInputs = (
  database: ReadableDatabase,
): { uuid: string; rowCount: number }[] =>
  statement<{ uuid: string; rowCount: number }>(
    database,
    'SELECT uuid, total_records AS rowCount FROM monitor WHERE deleted_at IS NULL',
  ).all();

/** Whether any account has a monitor with this UUID that is not deleted. */
export const hasMonitor = (database: ReadableDatabase, uuid: string): boolean =>
  statement(database, 'SELECT 1 FROM monitor WHERE uuid = ? AND deleted_at IS NULL').get(uuid) !==
  undefined;

/** Changes a monitor's title or schedule. Omitted fields keep their values. */
export function updateMonitor(
  database: WritableDatabase,
  id: number,
  change: { title?: string | undefined; schedule?: MonitorSchedule | undefined },
): void {
  statement(
    database,
    'UPDATE monitor SET title = ifnull(?, title), schedule = ifnull(?, schedule) WHERE id = ?',
  ).run(change.title ?? null, change.schedule ? JSON.stringify(change.schedule) : null, id);
}

/** Sets when a monitor runs next (null pauses it), the last handled time, and its problem. */
export function setMonitorTimes(
  database: WritableDatabase,
  id: number,
  times: { nextRunAt: string | null; answeredTo: string; problem: string | null },
): void {
  statement(
    database,
    'UPDATE monitor SET next_run_at = ?, answered_to = ?, problem = ? WHERE id = ?',
  ).run(times.nextRunAt, times.answeredTo, times.problem, id);
}

/** Deletes a monitor. Its jobs and their findings are kept. */
export const deleteMonitor = (database: WritableDatabase, id: number, at: string): void =>
  void statement(
    database,
    'UPDATE monitor SET deleted_at = ?, next_run_at = NULL WHERE id = ?',
  ).run(at, id);
