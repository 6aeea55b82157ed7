// The kinds of export of all capabilities.
import { exportAudit } from '../audit/export-audit.ts';
import { openResult } from '../jobs/results/export-result.ts';
import { exportLeftOut } from '../jobs/results/left-out-export.ts';
import { exportFindings } from '../monitors/export-findings.ts';
import { exportPipeline } from '../pipelines/results/export-pipeline.ts';
import type { ExportSources, OpenedExport } from '../spreadsheet/export-calls.ts';
import { exportWallet } from '../wallet/export-wallet.ts';

/** Opens an export of each kind. Throws its refusals before the first chunk is read. */
const openers = {
  audit: exportAudit,
  findings: exportFindings,
  'left out': exportLeftOut,
  pipeline: exportPipeline,
  result: openResult,
  wallet: exportWallet,
};

export type ExportCommand = Parameters<(typeof openers)[keyof typeof openers]>[1];

export function openExport(sources: ExportSources, command: ExportCommand): OpenedExport {
  const open = openers[command.kind] as (
    sources: ExportSources,
    command: ExportCommand,
  ) => OpenedExport;
  return open(sources, command);
}
