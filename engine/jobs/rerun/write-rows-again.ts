// Writes rows of an earlier job as the input of a new one.
import { rowStatuses } from '../../contract/jobs/job.ts';
import type { RerunRows } from '../../contract/jobs/job-list.ts';
import type { ReadableDatabase } from '../../platform/sqlite/open-database.ts';
import { adoptInput, jobDir, openInput, requireInput } from '../../spreadsheet/input-folders.ts';
import type { RowsFile } from '../../spreadsheet/read-rows.ts';
import { writeRowsTable } from '../../spreadsheet/write-rows-table.ts';
import type { JobRow } from '../job.table.ts';
import { readResultsByStatus } from '../results/result.table.ts';
import { readUnmatched } from './unmatched-rows.table.ts';

function* readFailed(database: ReadableDatabase, job: JobRow): Generator<number> {
  const stretch = 1_000;
  const status = rowStatuses.indexOf('failed');
  for (let offset = 0; offset < job.failedRows; offset += stretch) {
    const page = { jobId: job.id, resultBase: job.resultBase, status, offset, limit: stretch };
    for (const { rowIndex } of readResultsByStatus(database, page)) yield rowIndex;
  }
}

function* readRows(input: RowsFile, indexes: Iterable<number>): Generator<string[]> {
  for (const rowIndex of indexes) yield input.readRange(rowIndex, 1)[0] ?? [];
}

/**
 * Writes the rows to the folder of the job `uuid`. All rows become hard links to the earlier
 * files if possible. Returns the number of rows. Throws `input_damaged`.
 */
export function writeRowsAgain(
  database: ReadableDatabase,
  folder: string,
  job: JobRow,
  { uuid, rows }: { readonly uuid: string; readonly rows: RerunRows },
): number {
  if (rows === 'all') {
    requireInput(folder, job.uuid, job.totalRows);
    adoptInput(folder, uuid, jobDir(folder, job.uuid));
    return job.totalRows;
  }
  const input = openInput(folder, job.uuid, job.totalRows);
  try {
    const indexes = rows === 'failed' ? readFailed(database, job) : readUnmatched(database, job);
    const written = writeRowsTable({
      headers: job.headers,
      rows: readRows(input, indexes),
      targetDir: jobDir(folder, uuid),
    });
    return written.rowCount;
  } finally {
    input.close();
  }
}
