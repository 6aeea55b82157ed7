/** Opens any export: its name, its number of rows, and its content in chunks. */

import { exportAudit } from '../audit/export-audit.ts';
import type { OverwriteDiff } from '../contract/exports/overwrite.ts';
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
import { requireInput } from '../spreadsheet/input-folders.ts';
import { exportWallet } from '../wallet/export-wallet.ts';
import type { ExportCommand } from './export-command.ts';

/** An open export: chunks of bounded size, however long it is. */
export interface OpenedExport {
  readonly fileName: string;
  readonly rows: number;
  readonly pieces: Generator<ExportPiece>;
  /** What overwrite rules changed, once all chunks were read; null without rules. */
  readonly readDiff: () => OverwriteDiff | null;
}

/** Opens an export. Throws its refusals before the first chunk is read. */
export function openExport(
  database: ReadableDatabase,
  folder: string,
  command: ExportCommand,
): OpenedExport {
  const readDiff = () => null;
  if ('audit' in command) return { ...exportAudit(database, command), readDiff };
  if ('leftOutOf' in command) return { ...exportLeftOut(database, folder, command), readDiff };
  if ('wallet' in command) return { ...exportWallet(database, folder, command), readDiff };
  if ('monitorJobId' in command) return { ...exportFindings(database, folder, command), readDiff };
  if ('pipelineId' in command) return { ...exportPipeline(database, folder, command), readDiff };
  const job = requireFinished(getJob(database, command.accountId, command.jobId));
  requireInput(folder, job.uuid, job.totalRows);
  let diff: OverwriteDiff | null = null;
  const pieces = exportResult(database, folder, command, (counted) => {
    diff = counted;
  });
  return {
    fileName: nameExport(job, command.format),
    rows: countExportRows(job, command),
    pieces,
    readDiff: () => diff,
  };
}
