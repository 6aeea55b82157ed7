/** Opens any CSV that the product exports: its name, its rows, its text in pieces. */
import type { ReadableDatabase } from '../sqlite/open.ts';
import { getJob } from '../store/job.ts';
import { exportFindings } from './export-findings.ts';
import { exportPipeline } from './export-pipeline.ts';
import { countExportRows, exportResult, nameExport, requireFinished } from './export-result.ts';
import { requireInput } from './job-folder.ts';
import type { ExportCommand } from './world.ts';

/** A CSV that can be read: pieces of bounded size, however long it is. */
export interface OpenedExport {
  readonly fileName: string;
  readonly rows: number;
  readonly pieces: Generator<string>;
}

/** Opens an export. Throws what refuses it, before a piece is read. */
export function openExport(
  database: ReadableDatabase,
  folder: string,
  command: ExportCommand,
): OpenedExport {
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
