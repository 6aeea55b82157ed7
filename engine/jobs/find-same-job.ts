/** Finds a job that a new one would repeat. */
import { isDeepStrictEqual } from 'node:util';
import type { LayerCode } from '../contract/jobs/layers.ts';
import type { ColumnMapping } from '../contract/jobs/row-input.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { statement } from '../platform/sqlite/statement.ts';
import { jobDir } from '../spreadsheet/input-folders.ts';
import type { PreparedInput } from '../spreadsheet/prepared-input.ts';
import { haveSameRows } from '../spreadsheet/table-files.ts';
import { findJob, isShown, type JobRow, optionsOf, type StoredOptions } from './job.table.ts';

/** What a job would be submitted with. */
interface Order {
  readonly accountId: number;
  readonly codes: readonly LayerCode[];
  readonly mapping: ColumnMapping;
  readonly options: StoredOptions;
  readonly input: Pick<PreparedInput, 'dir' | 'headers' | 'rowCount'>;
}

/** Jobs with as many rows that are compared, the newest first. */
const comparedMax = 20;

/** The newest job of the same rows and order that has not failed and was not cancelled, or null. */
export function findSameJob(
  database: ReadableDatabase,
  folder: string,
  { accountId, codes, mapping, options, input }: Order,
): JobRow | null {
  let before = Number.MAX_SAFE_INTEGER;
  for (let count = 0; count < comparedMax; count++) {
    const job = findJob(
      database,
      `WHERE account_id = ? AND ${isShown} AND total_rows = ? AND id < ?
       AND status IN ('queued', 'running', 'completed') ORDER BY id DESC LIMIT 1`,
      accountId,
      input.rowCount,
      before,
    );
    if (!job) return null;
    before = job.id;
    const isSame =
      isDeepStrictEqual(
        [job.codes, job.mapping, job.headers, optionsOf(job)],
        [codes, mapping, input.headers, options],
      ) && haveSameRows(jobDir(folder, job.uuid), input.dir);
    if (isSame) return job;
  }
  return null;
}

/**
 * Whether the result of a completed job was never saved: the audit log has its start and no export.
 * Of an older job than the log, nothing is known.
 */
export function isUnsaved(database: ReadableDatabase, { uuid, status }: JobRow): boolean {
  if (status !== 'completed') return false;
  const { started, saved } = statement<{ started: number; saved: number }>(
    database,
    `SELECT count(*) FILTER (WHERE action = 'job_started') AS started,
       count(*) FILTER (WHERE action = 'result_exported') AS saved
     FROM audit_entry WHERE subject = ? AND action IN ('job_started', 'result_exported')`,
  ).get(uuid)!;
  return started > 0 && saved === 0;
}
