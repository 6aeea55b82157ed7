// Statistics of the directory, from counters that every change updates.
import { statSync } from 'node:fs';
import {
  type DirectoryStats,
  type ImportReport,
  ImportReportSchema,
} from '../contract/directory.ts';
import { importsListedMax } from '../contract/limits/directory.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { readJson } from '../platform/sqlite/read-json.ts';

/** Statistics without the state of the match index. */
export type OwnStats = Omit<DirectoryStats, 'index' | 'index_error'>;

type Counters = Pick<
  OwnStats,
  | 'people'
  | 'companies'
  | 'employments'
  | 'people_with_email'
  | 'people_with_phone'
  | 'people_with_profile_url'
> & { readonly number: number };

function readBytes(path: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** Reads a stored report; null if it is damaged. */
export const parseReport = (text: string): ImportReport | null =>
  readJson(ImportReportSchema.nullable(), text, null);

export function readReport(db: ReadableDatabase, importId: number): ImportReport | null {
  const row = db.prepare('SELECT report FROM source_import WHERE id = ?').get(importId) as
    | { report: string }
    | undefined;
  return row ? parseReport(row.report) : null;
}

/** Counts, bytes and imports, newest first. The cost does not depend on the directory's size. */
export function readStats(db: ReadableDatabase): OwnStats {
  const { number, ...counters } = db
    .prepare(
      `SELECT number, people, companies, employments, people_with_email, people_with_phone,
         people_with_profile_url FROM generation`,
    )
    .get() as Counters;
  const reports = db
    .prepare(
      `SELECT report FROM source_import WHERE status <> 'running' AND part_of IS NULL
       ORDER BY id DESC LIMIT ?`,
    )
    .pluck()
    .all(importsListedMax) as string[];
  return {
    ...counters,
    imports: reports.flatMap((report) => parseReport(report) ?? []),
    generation: number,
    bytes: readBytes(db.name),
  };
}
