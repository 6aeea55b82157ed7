/** Opens any CSV export: its name, its number of rows, and its text in chunks. */

import { exportAudit } from '../audit/export-audit.ts';
import { getJob } from '../jobs/job.table.ts';
import {
  countExportRows,
  exportResult,
  nameExport,
  requireFinished,
} from '../jobs/results/export-result.ts';
import { exportFindings } from '../monitors/export-findings.ts';
import { exportPipeline } from '../pipelines/results/export-pipeline.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import { requireInput } from '../spreadsheet/input-folders.ts';
import type { ExportCommand } from './export-command.ts';

/** An open CSV: chunks of bounded size, however long it is. */
export interface OpenedExport {
  readonly fileName: string;
  readonly rows: number;
  readonly pieces: Generator<string>;
}

/** Opens an export. Throws its refusals before the first chunk is read. */
export function openExport(
  database: ReadableDatabase,
  folder: string,
  command: ExportCommand,
): OpenedExport {
  if ('audit' in command) return exportAudit(database, command);
  if ('monitorJobId' in command) return exportFindings(database, folder, command);
  if ('pipelineId' in command) return exportPipeline(database, folder, command);
  const job = requireFinished(getJob(database, command.accountId, command.jobId));
  requireInput(folder, job.uuid, job.totalRows);
  return {
    fileName: nameExport(job),
    rows: countExportRows(job, command.status),
    pieces: exportResult(database, folder, command),
  };
}
