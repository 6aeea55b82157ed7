/** Opens any export: its name, its number of rows, and its content in chunks. */

import { exportAudit } from '../audit/export-audit.ts';
import { getJob } from '../jobs/job.table.ts';
import {
  countExportRows,
  exportResult,
  nameExport,
  requireFinished,
} from '../jobs/results/export-result.ts';
import { exportLeftOut } from '../jobs/results/left-out-export.ts';
import { exportFindings } from '../monitors/export-findings.ts';
import { exportPipeline } from '../pipelines/results/export-pipeline.ts';
import type { ReadableDatabase } from '../platform/sqlite/open-database.ts';
import type { ExportPiece } from '../spreadsheet/export/write-table.ts';
import type { ExportEnd } from '../spreadsheet/export.commands.ts';
import { requireInput } from '../spreadsheet/input-folders.ts';
import { exportWallet } from '../wallet/export-wallet.ts';
import type { ExportCommand } from './export-command.ts';

/** An open export: chunks of bounded size, however long it is. */
export interface OpenedExport {
  readonly fileName: string;
  readonly rows: number;
  readonly pieces: Generator<ExportPiece>;
  /** What is known once all chunks were read. */
  readonly readEnd: () => ExportEnd;
}

/** Opens an export. Throws its refusals before the first chunk is read. */
export function openExport(
  database: ReadableDatabase,
  folder: string,
  command: ExportCommand,
): OpenedExport {
  const whole = (opened: Omit<OpenedExport, 'readEnd'>): OpenedExport => ({
    ...opened,
    readEnd: () => ({ rows: opened.rows, diff: null }),
  });
  if ('audit' in command) return whole(exportAudit(database, command));
  if ('leftOutOf' in command) return whole(exportLeftOut(database, folder, command));
  if ('wallet' in command) return whole(exportWallet(database, folder, command));
  if ('monitorJobId' in command) return whole(exportFindings(database, folder, command));
  if ('pipelineId' in command) return whole(exportPipeline(database, folder, command));
  const job = requireFinished(getJob(database, command.accountId, command.jobId));
  requireInput(folder, job.uuid, job.totalRows);
  const rows = countExportRows(job, command);
  let end: ExportEnd = { rows, diff: null };
  const pieces = exportResult(database, folder, command, (counted) => {
    end = counted;
  });
  return {
    fileName: nameExport(job, command.format),
    rows,
    pieces,
    readEnd: () => end,
  };
}
